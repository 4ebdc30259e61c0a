"""Counts of the suites that give the program wrong input, and the line at their end:

    SUITE name: tried T, survived S, refused R, equal E, failures F

A case fails when the program crashes, hangs, ends with another exit status than it should, calls the fault its own, or says nothing.
Survived: all others. Refused: among these, ended with 2 or 3 and a message. Equal: among these, the result is that of a clean run.
"""
import os
import pathlib
import resource
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scenario"))
from program import TALUS, talus  # noqa: E402

FULL = "--full" in sys.argv
OURS = ("internal error", "this is a defect", "terminate called", "AddressSanitizer", "runtime error:", "Sanitizer")
LONGEST = 5000  # bytes of a message


def limit_memory(gigabytes=4):
    size = int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def ask(*arguments, limit=20, gigabytes=4, program=TALUS, **more):
    """The program with little memory and time. An address sanitizer reserves more than any limit: it goes without."""
    bounded = {} if "debug" in str(program) else {"preexec_fn": lambda: limit_memory(gigabytes)}
    return talus(*arguments, limit=limit, program=program, **bounded, **more)


def fault_of(result, codes):
    """Why a result is none that the program may give; empty when it is."""
    if result.returncode not in codes:
        return f"exit {result.returncode} instead of {codes}: {result.stderr.strip()[:300]}"
    for word in OURS:
        if word in result.stderr:
            return f"says '{word}': {result.stderr.strip()[:300]}"
    if len(result.stderr) > LONGEST:
        return f"a message of {len(result.stderr)} bytes"
    if result.returncode in (2, 3) and not result.stderr.strip():
        return "ends without a word"
    return ""


class Counts:
    def __init__(self, name):
        self.name, self.kinds, self.failures = name, {"done": 0, "refused": 0, "equal": 0}, []

    def add(self, case, why, kind):
        """A case: `why` it fails, or what it is counted as."""
        if why:
            self.failures.append(case)
            print(f"FAULT {case}: {why}", flush=True)
        else:
            self.kinds[kind] += 1

    def judge(self, case, result, codes, *words):
        """A result with one of these exit statuses, whose message has all of these words."""
        missing = [w for w in words if w.lower() not in (result.stderr + result.stdout).lower()]
        why = fault_of(result, codes) or (f"does not say {missing}: {result.stderr.strip()[:300]}" if missing else "")
        self.add(case, why, "refused" if result.returncode in (2, 3) else "done")
        return not why

    def finish(self):
        tried = sum(self.kinds.values()) + len(self.failures)
        print(f"SUITE {self.name}: tried {tried}, survived {tried - len(self.failures)}, refused {self.kinds['refused']}, "
              f"equal {self.kinds['equal']}, failures {len(self.failures)}", flush=True)
        sys.exit(1 if self.failures or tried == 0 else 0)


def side_by_side(work, items, share=1):
    """Results in the order of the items; as many at a time as there are processors, or `share` of that."""
    with ThreadPoolExecutor(max(1, int(share * (os.cpu_count() or 1)))) as pool:
        return list(pool.map(work, items))
