#!/usr/bin/env python3
"""The same bits, whatever the number of threads, the skin of the neighbour search, and the moment and order of its
rebuilds: a test gives one hash chain.

    same_hash.py                   triaxial, 300 grains, to the first strains of shear
    same_hash.py triaxial --full   5000 grains, 10,000 steps
    same_hash.py rowe              contact dynamics, to the first strains
    same_hash.py hydrogel          contacts that feel one another, one cycle of a plate
    same_hash.py polygons          the same of polygons that fall
    same_hash.py polygons-dem      the same as soft grains
    same_hash.py compounds         and of grains of several parts
    same_hash.py gyratory-small    hulls in a mould that gyrates; -burgers: with coats of mortar
    same_hash.py dam-break         water as particles
    same_hash.py rings             elastic bodies that touch, measured from where they were laid
    same_hash.py sand-column-2d    soil as particles
    same_hash.py biaxial-small-dense   all stages of a biaxial test
"""
import pathlib
import sys

from program import TINY_BIAXIAL, TINY_GYRATORY, Faults, done, scratch, sets, state_hash, time_of_step

VARIANTS = {
    "1 thread": (1, {}),
    "2 threads": (2, {}),
    "3 threads": (3, {}),
    "7 threads": (7, {}),
    "skin of 5 %": (2, {"dynamics__skin": 0.05}),
    "skin of 50 %": (2, {"dynamics__skin": 0.5}),
    "rebuilds and orders at random": (2, {"dynamics__random_rebuilds": 0.05, "dynamics__random_rebuild_seed": 1}),
    "others": (3, {"dynamics__random_rebuilds": 0.05, "dynamics__random_rebuild_seed": 2, "dynamics__skin": 0.5}),
}


SCENE = sys.argv[1] if len(sys.argv) > 1 else "triaxial"
FILE = SCENE.removesuffix("-dem").removesuffix("-burgers")
IS_FULL = sys.argv[2:] == ["--full"]
ALWAYS = sets(output__hash_every=100, output__vtk="false")
# Settings, links of the chain at least, and what makes another sample.
SMALL = {"triaxial": (sets(grains=300, strain_max=0.0005), 10, sets(seed=2)),
         "rowe": (sets(strain_max=0.05), 10, sets(phi_mu="11 deg")),
         "hydrogel": (sets(cycles=1, dropped=0, levels=1, plate_travel="10 mm", unbalanced=0.1, dynamics__ledger="true"), 10, sets(seed=2)),
         "polygons": (sets(grains=60, stage__0__max_time="20 s"), 10, sets(seed=2)),
         "compounds": (sets(grains=20, stage__0__max_time="20 s"), 10, sets(seed=2)),
         "polygons-dem": (sets(method="dem", restitution=0.2, dynamics__restitution_error=0.3, grains=60, stage__0__max_time="20 s"), 10, sets(seed=2)),
         "dam-break": (sets(spacing="7.62 mm", time="0.2 s"), 10, sets(artificial=0.1)),
         "rings": (sets(spacing="3 mm", time="1 s"), 10, sets(artificial=0.2)),
         "sand-column-2d": (sets(spacing="16 mm", time="0.3 s"), 10, sets(artificial=0.2)),
         "gyratory-small": (TINY_GYRATORY, 3, sets(seed=2)),
         "gyratory-small-burgers": (TINY_GYRATORY + sets(law="burgers"), 3, sets(temperature="120 degC")),
         "biaxial-small-dense": (TINY_BIAXIAL + sets(tolerance=1e-3), 30, sets(seed=2))}
FULL = {"triaxial": ([], 99, sets(seed=2))}


def run(folder, name, threads, settings, until=None):
    out = folder / name.replace(" ", "-")
    stop = [] if until is None else ["--until", until]
    done("run", FILE, "--quiet", "--threads", threads, "--out", out, *settings, *stop, limit=3600)
    return out


def main():
    size, links, otherwise = (FULL if IS_FULL else SMALL)[SCENE]
    settings = [*size, *ALWAYS]
    faults = Faults()
    with scratch() as scratch_folder:
        folder = pathlib.Path(scratch_folder)
        until = None
        if IS_FULL:
            until = time_of_step(folder / "probe", 10000, SCENE, "--threads", 2, *settings)
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
        other = run(folder, "another sample", 2, [*settings, *otherwise], until)
        faults.check(state_hash(other) != first[0], "another sample gives the same hash")
    faults.finish()


if __name__ == "__main__":
    main()
