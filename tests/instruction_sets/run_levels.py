#!/usr/bin/env python3
"""Runs one program built for several levels of the x86-64 instruction set, those that this processor has, and says
which ones were only compiled.

    run_levels.py --pass  LEVEL=PROGRAM ...   each must succeed
    run_levels.py --equal LEVEL=PROGRAM ...   and print the same lines after its first, which names its lanes

No program may hold a fused multiplication or an approximate reciprocal or root: that is looked up in its instructions,
so that a program which cannot run here is held to something too.
"""
import pathlib
import re
import shutil
import subprocess
import sys

V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
NEEDS = {
    "x86-64": set(),
    "x86-64-v3": V3,
    "x86-64-v4": V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}
INEXACT = re.compile(r"^[^\t]*\t[^\t]*\t(vfn?m(?:add|sub)\w*|v?rsqrt\w*|v?rcp\w*)", re.M)


def processor():
    """What this processor can do, as the kernel names it."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return set()
    found = re.search(r"^flags\s*:(.*)$", text, re.M)
    return set(found.group(1).split()) if found else set()


def inexact(program):
    """Instructions that would break the promise, with their numbers; None where no disassembler is at hand."""
    if shutil.which("objdump") is None:
        return None
    code = subprocess.run(["objdump", "-d", program], capture_output=True, text=True, check=True).stdout
    counts = {}
    for word in INEXACT.findall(code):
        counts[word] = counts.get(word, 0) + 1
    return counts


def main():
    must_equal = {"--pass": False, "--equal": True}[sys.argv[1]]
    has = processor()
    faults, printed = [], {}
    for argument in sys.argv[2:]:
        level, program = argument.split("=", 1)
        name = pathlib.Path(program).name
        bad = inexact(program)
        if bad is None:
            print(f"{name}: instructions not looked at, there is no objdump")
        elif bad:
            faults.append(f"{name} holds {bad}")
        missing = NEEDS[level] - has
        if missing:
            print(f"{name}: only compiled, this processor lacks {' '.join(sorted(missing))}", flush=True)
            continue
        result = subprocess.run([program], capture_output=True, text=True)
        lines = result.stdout.splitlines()
        if result.returncode != 0 or not lines:
            faults.append(f"{name} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
            continue
        print(f"{name}: run, {lines[0] if must_equal else lines[-1].strip()}", flush=True)
        printed[name] = lines[1:]

    if must_equal:
        first, *others = printed or [None]
        for line in printed.get(first, []):
            print(" ", line)
            if " status 0," not in line or not line.endswith(" many"):
                faults.append(f"{first} is not a fair sample: {line}")
        for other in others:
            for mine, its in zip(printed[first], printed[other]):
                if mine != its:
                    faults.append(f"{other} differs from {first}:\n    {its}\n    {mine}")
            if len(printed[first]) != len(printed[other]):
                faults.append(f"{other} prints another number of lines than {first}")
        if not others:
            faults.append("fewer than two programs ran: nothing was compared")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
