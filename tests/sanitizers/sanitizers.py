#!/usr/bin/env python3
"""Address, undefined-behaviour and thread sanitizers over the unit suite.

    sanitizers.py [--preset debug|tsan ...] [--targets NAME_test ...] [--jobs N] [--shards N] [--configure WORDS]

Builds the presets `debug` (ASan and UBSan) and `tsan` into build-debug and build-tsan and runs every test program of tests/unit and
tests/physics there, or those that --targets names. Under `tsan` only programs whose tests run on several threads: THREADED. A report of
a sanitizer is a finding; so is a program that a signal ends. A test that fails without a report is a failure too: nothing may fail here
that passes elsewhere. Each program runs in several shards, side by side: the longest program does not bind. --configure: more words for
cmake, where clang is missing for instance: --configure=-DCMAKE_CXX_COMPILER=g++ --configure=-DCMAKE_C_COMPILER=gcc.

Prints one line: tried, survived: tests; failures: findings and failed tests.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = {"debug": "build-debug", "tsan": "build-tsan"}
# Threads of all methods: loops and pools, explicit method on spheres and polygons, contact dynamics, whole runs.
THREADED = ["exec_test", "dem_test", "impulse_test", "coats_test", "hulls_test", "sph_test", "neighbours_test", "lab_test", "simulation_test"]
REPORT = re.compile(r"(?:ERROR|WARNING): (\w+Sanitizer: [^\n]*)|runtime error: ([^\n]*)")
OPTIONS = {"debug": {"ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0", "UBSAN_OPTIONS": "print_stacktrace=1"},
           "tsan": {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}}


def test_programs():
    """Names in talus_test(NAME ...) of unit and physics tests."""
    lists = sorted((ROOT / "tests/unit").glob("*/CMakeLists.txt")) + [ROOT / "tests/physics/CMakeLists.txt"]
    return sorted({name for path in lists for name in re.findall(r"talus_test\((\w+)", path.read_text())})


def build(preset, targets, jobs, configure):
    steps = [["cmake", "--preset", preset, *configure], ["cmake", "--build", FOLDER[preset], "-j", str(jobs), "--target", *targets]]
    for step in steps:
        result = subprocess.run(step, cwd=ROOT, capture_output=True, text=True, errors="replace")
        if result.returncode != 0:
            sys.exit(f"{' '.join(step)}\n{(result.stdout + result.stderr)[-4000:]}")


def run(preset, target, shard, shards):
    """(tests, failed tests, findings) of one shard of a program."""
    program = ROOT / FOLDER[preset] / "tests" / target
    result = subprocess.run([program], cwd=ROOT, capture_output=True, text=True, errors="replace",
                            env={**os.environ, **OPTIONS[preset], "GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)})
    text = result.stdout + result.stderr
    ran = re.findall(r"\[==========\] (\d+) tests? from .* ran", text)
    findings = [a or b for a, b in REPORT.findall(text)]
    failed = len(set(re.findall(r"^\[  FAILED  \] (\w+(?:[./]\w+)+)", text, re.M)))
    if result.returncode < 0:
        findings.append(f"ended by signal {-result.returncode}")
    if not ran and not findings:
        findings.append(f"did not come to its end, exit status {result.returncode}")
    started = len(re.findall(r"^\[ RUN      \]", text, re.M))
    lines = [f"{preset:6} {target:24} shard {shard + 1} of {shards}: {started:4} tests, {failed} failed, {len(findings)} findings", *(f"    {finding}" for finding in findings)]
    print("\n".join(lines), flush=True)
    return started, failed, findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", nargs="+", choices=sorted(FOLDER), default=["debug", "tsan"])
    parser.add_argument("--targets", nargs="+", help="test programs; left out: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--configure", action="append", default=[])
    given = parser.parse_args()
    known = test_programs()
    for name in given.targets or []:
        if name not in known:
            parser.error(f"{name} is none of {', '.join(known)}")
    tried = failures = 0
    for preset in given.preset:
        targets = given.targets or (THREADED if preset == "tsan" else known)
        build(preset, targets, given.jobs, given.configure)
        shards = [(target, shard) for shard in range(given.shards) for target in targets]
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for tests, failed, findings in pool.map(lambda part: run(preset, *part, given.shards), shards):
                tried += tests
                failures += failed + len(findings)
    print(f"SUITE sanitizers: tried {tried}, survived {max(tried - failures, 0)}, refused 0, equal 0, failures {failures}")
    sys.exit(1 if failures or not tried else 0)


if __name__ == "__main__":
    main()
