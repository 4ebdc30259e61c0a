#!/usr/bin/env python3
"""Every open, write, fsync, rename, unlink and mkdir of a run fails once, and from one on all: no space, and an input/output error.
The program ends with 2 or 3 and says why, or the failure does not matter. Resumed on a disk that works, the run ends as it should.

    failing_calls.py            some of the calls       failing_calls.py --full     all of them, of run and of resume"""
import errno
import pathlib
import shutil

from suite import IS_FULL, Suite, calls_of, done, every, result_of, run_words, scratch, with_faults, write_scene


def main():
    suite = Suite("failing_calls")
    with scratch() as name:
        home = pathlib.Path(name)
        scene, out, kept = write_scene(home / "home"), home / "run", home / "kept"
        done(*run_words(scene, home / "reference"))
        reference = result_of(home / "reference")

        def fail_each(words, begin, cases, which):
            begin()
            calls = calls_of(words, out, home / "calls")
            print(len(calls), f"calls of {which}", flush=True)
            for n in every(len(calls), cases):
                for code, more in ((errno.ENOSPC, {}), (errno.EIO, {}), (errno.ENOSPC, {"on": "all"}))[:None if IS_FULL else 1 + n % 2]:
                    case = f"{which}: call {n} ({calls[n - 1]}) fails with {errno.errorcode[code]} {'and all after it' if more else ''}"
                    shutil.rmtree(out, ignore_errors=True)
                    begin()
                    result = with_faults(words, out, at=n, what=code, **more)
                    if suite.ended(case, result):
                        suite.resume(case, out, reference)
            shutil.rmtree(out, ignore_errors=True)

        fail_each(run_words(scene, out), lambda: None, 20, "run")
        half = next(p["time_s"] for p in [reference["summary.json"][2]]) / 2
        done(*run_words(scene, kept, "--until", half))
        fail_each(["resume", out, "--quiet", "--threads", 1], lambda: shutil.copytree(kept, out), 8, "resume")
    suite.finish()


if __name__ == "__main__":
    main()
