#!/usr/bin/env python3
"""The program built by g++ and the one built by clang give the same bits: a small triaxial test through all its stages, 10,000 steps
of the real one, and polygons that fall under contact dynamics."""
import os
import pathlib

from program import TALUS, Faults, done, scratch, sets, state_hash, time_of_step

SMALL = {
    "small": sets(grains=300, strain_max=0.002, output__hash_every=100),
    "free rotation": sets(grains=300, strain_max=0.002, rotation="free", output__hash_every=100),
    "polygons": sets(grains=60, stage__0__max_time="20 s", output__hash_every=100),
}


def main():
    clang = pathlib.Path(os.environ["TALUS_CLANG"])
    faults = Faults()
    with scratch() as folder:
        until = time_of_step(pathlib.Path(folder) / "probe", 10000, "triaxial", "--threads", 2)
        runs = {**SMALL, "10,000 steps": [*sets(output__hash_every=1000), "--until", until]}
        for name, settings in runs.items():
            results = []
            for compiler, program in {"g++": TALUS, "clang": clang}.items():
                out = pathlib.Path(folder) / f"{name}-{compiler}"
                scene = "polygons" if name == "polygons" else "triaxial"
                done("run", scene, "--quiet", "--threads", 2, "--out", out, *settings, program=program, limit=3600)
                results.append((state_hash(out), (out / "hash_chain.csv").read_bytes(), (out / "series.csv").read_bytes()))
                print(name, compiler, results[-1][0], flush=True)
            for what, mine, other in zip(("hash", "chain", "series"), *results):
                faults.check(mine == other, f"{name}: the {what} differs between the compilers")
    faults.finish()


if __name__ == "__main__":
    main()
