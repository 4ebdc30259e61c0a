#!/usr/bin/env python3
"""The same bits, whatever the number of threads, the skin of the neighbour search, and the moment and order of its
rebuilds: a triaxial test gives one hash chain.

    same_hash.py          300 grains, to the first strains of shear
    same_hash.py --full   5000 grains, 10,000 steps
"""
import pathlib
import sys

from program import Faults, done, scratch, sets, state_hash, time_of_step

VARIANTS = {
    "1 thread": (1, {}),
    "2 threads": (2, {}),
    "3 threads": (3, {}),
    "7 threads": (7, {}),
    "skin of 5 %": (2, {"dynamics__skin": 0.05}),
    "skin of 50 %": (2, {"dynamics__skin": 0.5}),
    "rebuilds and orders at random": (2, {"dynamics__shake": 0.05, "dynamics__shake_seed": 1}),
    "others": (3, {"dynamics__shake": 0.05, "dynamics__shake_seed": 2, "dynamics__skin": 0.5}),
}


def small():
    return sets(grains=300, strain_max=0.0005, output__hash_every=100, output__vtk="false"), 10


def full():
    return sets(output__hash_every=100, output__vtk="false"), 99


def run(folder, name, threads, settings, until=None):
    out = folder / name.replace(" ", "-")
    stop = [] if until is None else ["--until", until]
    done("run", "triaxial", "--quiet", "--threads", threads, "--out", out, *settings, *stop, limit=3600)
    return out


def main():
    is_full = sys.argv[1:] == ["--full"]
    settings, links = full() if is_full else small()
    faults = Faults()
    with scratch() as scratch_folder:
        folder = pathlib.Path(scratch_folder)
        until = None
        if is_full:
            until = time_of_step(folder / "probe", 10000, "triaxial", "--threads", 2, *settings)
        first = None
        for name, (threads, more) in VARIANTS.items():
            out = run(folder, name, threads, [*settings, *sets(**more)], until)
            chain = (out / "hash_chain.csv").read_text()
            got = state_hash(out), chain
            print(f"{name}: {got[0]} after {chain.splitlines()[-1].split(',')[0]} steps", flush=True)
            if first is None:
                first = got
                faults.check(len(chain.splitlines()) > links, "the chain has only", len(chain.splitlines()) - 1, "links")
                faults.check(len(set(chain.split())) == len(chain.split()), "links of the chain repeat")
            faults.check(got[0] == first[0], name, "gives the hash", got[0], "instead of", first[0])
            for mine, other in zip(chain.splitlines(), first[1].splitlines()):
                if not faults.check(mine == other, name, "differs first at", mine, "instead of", other):
                    break
            faults.check(len(chain) == len(first[1]), name, "has a chain of another length")
        # The test must be able to fail: another sample has another hash.
        other = run(folder, "another seed", 2, [*settings, *sets(seed=2)], until)
        faults.check(state_hash(other) != first[0], "another seed gives the same hash")
    faults.finish()


if __name__ == "__main__":
    main()
