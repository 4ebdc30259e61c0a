#!/usr/bin/env python3
"""Two processes want one folder at the same time; one of them is held up before each of its calls on the folder. One gets it, the
other is refused, and the folder is that of the winner alone: files, scene, and the seal of its checkpoints.

    two_runs.py             the first calls, where it is decided       two_runs.py --full      all calls, longer delays too"""
import os
import pathlib
import shutil
import subprocess

from suite import FAIL_AT, IS_FULL, Suite, calls_of, command, difference, done, every, result_of, run_words, scratch, sets, talus, write_scene

REFUSALS = ("another process is writing", "is not empty", "moved or replaced", "holds no scene.toml", "there is no such folder")


def start(words, folder, at, delay):
    environment = {**os.environ, "LD_PRELOAD": str(FAIL_AT), "FAIL_IN": str(folder), "FAIL_AT": str(at), "FAIL_WHAT": "delay",
                   "FAIL_DELAY": str(delay)}
    return subprocess.Popen(command(*words), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, errors="replace")


def main():
    suite = Suite("two_runs")
    with scratch() as name:
        home = pathlib.Path(name)
        scene, out = write_scene(home / "home"), home / "run"
        kinds = [[], sets(seed=2, stage__1__steps=210)]
        references = []
        for k, more in enumerate(kinds):
            done(*run_words(scene, home / f"reference-{k}", *more))
            references.append(result_of(home / f"reference-{k}"))
        calls = calls_of(run_words(scene, out), out, home / "calls")
        shutil.rmtree(out)

        def two_runs(at, delay, other_at):
            case = f"the first waits {delay} ms before call {at} ({calls[at - 1]}), the second before call {other_at}"
            both = [start(run_words(scene, out, *kinds[0]), out, at, delay), start(run_words(scene, out, *kinds[1]), out, other_at, delay)]
            words = [p.communicate(timeout=60)[1] for p in both]
            codes = [p.returncode for p in both]
            if sorted(codes) != [0, 2] or not any(r in words[codes.index(2)] for r in REFUSALS):
                suite.fail(case, "exits", codes, words)
            else:
                winner = codes.index(0)
                before = result_of(out)
                again = talus("resume", out, "--threads", 1, limit=60)
                why = difference(out, references[winner])
                if again.returncode != 0 or "complete" not in again.stderr or result_of(out) != before:
                    why = why or f"resume of the winner's run: exit {again.returncode} {again.stderr[:300]}"
                suite.equal(case, why)
            shutil.rmtree(out)

        def run_and_resume(at, delay):
            case = f"a run waits {delay} ms before call {at} ({calls[at - 1]}), and is resumed meanwhile"
            process = start(run_words(scene, out, *kinds[0]), out, at, delay)
            results = [talus("resume", out, "--quiet", "--threads", 1, limit=60) for _ in range(3)]
            words = process.communicate(timeout=60)[1]
            faults = [r.stderr for r in results if r.returncode not in (0, 2) or (r.returncode == 2 and not any(w in r.stderr for w in REFUSALS))]
            if process.returncode == 2 and any(r in words for r in REFUSALS):  # the resume had the folder at that moment
                suite.add(case, "", "refused")
            elif process.returncode != 0 or faults:
                suite.fail(case, "exits", process.returncode, words, *faults)
            else:
                suite.equal(case, difference(out, references[0]))
            shutil.rmtree(out)

        for delay in (80, 300) if IS_FULL else (80,):
            for at in range(1, len(calls) + 1) if IS_FULL else range(1, 9):
                two_runs(at, delay, 0)
                two_runs(at, delay, at + 1)
            for at in every(len(calls), 6):
                run_and_resume(at, delay)
    suite.finish()


if __name__ == "__main__":
    main()
