#!/usr/bin/env python3
"""SIGKILL before every system call that changes a run folder, and in the middle of every write; then resume. Every file must be as
in a run that was never killed. The resume is killed too, and resumed again.

    kill_anywhere.py            some of the calls       kill_anywhere.py --full     all of them, and in pairs"""
import pathlib
import shutil

from suite import IS_FULL, Suite, calls_of, done, every, result_of, run_words, scratch, with_faults, write_scene


def killed(suite, case, words, folder, **faults):
    result = with_faults(words, folder, **faults)
    if result.returncode == -9:
        return True
    suite.fail(case, "was not killed: exit", result.returncode, result.stderr[:300])
    shutil.rmtree(folder, ignore_errors=True)
    return False


def main():
    suite = Suite("kill_anywhere")
    with scratch() as name:
        home = pathlib.Path(name)
        scene, out = write_scene(home / "home"), home / "run"
        done(*run_words(scene, home / "reference"))
        reference = result_of(home / "reference")
        calls = calls_of(run_words(scene, out), out, home / "calls")
        shutil.rmtree(out)
        print(len(calls), "calls change the folder", flush=True)
        for n in every(len(calls), 25):
            if killed(suite, f"before call {n} ({calls[n - 1]})", run_words(scene, out), out, at=n, what="kill"):
                suite.resume(f"killed before call {n} ({calls[n - 1]})", out, reference)
        writes = [n for n in range(1, len(calls) + 1) if calls[n - 1] == "write"]
        for k in every(len(writes), 8):
            n = writes[k - 1]
            if killed(suite, f"in write {n}", run_words(scene, out), out, at=n, what="half"):
                suite.resume(f"killed in write {n}", out, reference)
        # Killed in the middle, and again at every call of the resume.
        again = ["resume", out, "--quiet", "--threads", 1]
        for first in [n for n in (len(calls) // 3, 2 * len(calls) // 3, len(calls) - 3)][:None if IS_FULL else 2]:
            with_faults(run_words(scene, out), out, at=first, what="kill")
            shutil.copytree(out, home / "kept")
            later = calls_of(again, out, home / "later")
            for n in every(len(later), 5):
                shutil.rmtree(out, ignore_errors=True)
                shutil.copytree(home / "kept", out)
                case = f"killed before call {first}, resumed and killed before call {n} ({later[n - 1]})"
                if killed(suite, case, again, out, at=n, what="kill"):
                    suite.resume(case, out, reference)
            shutil.rmtree(out, ignore_errors=True)
            shutil.rmtree(home / "kept")
    suite.finish()


if __name__ == "__main__":
    main()
