#!/usr/bin/env python3
"""Checkpoints whose content is damaged and whose seal is renewed, so that the damage reaches HDF5 and the reader of states: the run
goes on to the same result, or it is refused. With --full many more, by the program that is built with the address sanitizer. HDF5 itself loses
memory when it gives up a damaged file (hdf5.supp); that no handle of ours stays open is tested in tests/unit/io.

    resealed.py [--full]        TALUS_ASAN: the program to use with --full, build-debug/bin/talus when left out
"""
import os
import pathlib
import random
import shutil

from counts import FULL, Counts, ask, fault_of, side_by_side
from program import SOURCE, TALUS, done, scratch, sets, state_hash

ASAN = pathlib.Path(os.environ.get("TALUS_ASAN", SOURCE / "build-debug/bin/talus"))
PROGRAM = ASAN if FULL and ASAN.exists() else TALUS
ENVIRONMENT = {**os.environ, "LSAN_OPTIONS": f"print_suppressions=0:suppressions={SOURCE / 'tests/faults/hdf5.supp'}"}
HEAD, MASK = 512, 2**64 - 1
RUNS = {"impact": sets(output__checkpoint_every=100, probes__every=100),
        "rowe": sets(strain_max=0.001, output__checkpoint_every=100, output__vtk="false", output__film_frames=0)}


def mix(z):
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def seal(step, content):
    """The head of a checkpoint with this content: core/hash.hpp, io/checkpoint_envelope.cpp."""
    total = mix(step)
    for at in range(0, len(content), 8):
        total = mix(total ^ int.from_bytes(content[at:at + 8], "little"))
    text = f"talus checkpoint\nformat 3\nstep {step}\nbytes {len(content)}\nsum {total:016x}\n"
    return text.encode().ljust(HEAD, b"\0")


def flip(content, draw):
    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)


def overwrite(content, draw):
    at = draw.randrange(len(content))
    for k in range(at, min(at + draw.choice([1, 4, 8, 64]), len(content))):
        content[k] = draw.choice([0, 255, draw.randrange(256)])


def in_the_tables(content, draw):
    """Bytes that are not zero near the beginning: the structure of the file."""
    at = draw.choice([k for k in range(min(len(content), 8192)) if content[k]])
    content[at] = draw.choice([0, 1, 127, 128, 255])


def exchange(content, draw):
    size = draw.choice([8, 64, 512])
    one, two = (draw.randrange(len(content) - size) for _ in range(2))
    content[one:one + size], content[two:two + size] = content[two:two + size], content[one:one + size]


def cut(content, draw):
    del content[draw.randrange(len(content)):]


def grow(content, draw):
    content += bytes(draw.randrange(1, 5000))


DAMAGE = [flip, overwrite, in_the_tables, in_the_tables, exchange, cut, grow]


def main():
    counts = Counts("resealed")
    cases = 150 if FULL else 8
    with scratch() as name:
        home = pathlib.Path(name)
        for scene, settings in RUNS.items():
            whole, half = home / f"{scene}-whole", home / f"{scene}-half"
            words = ["run", scene, "--quiet", "--threads", 1, *settings, "--out"]
            done(*words, whole)
            end = float((whole / "series.csv").read_text().splitlines()[-1].split(",")[1])
            done(*words, half, "--until", 0.95 * end)  # what goes on is short: the damage is to the reader of states
            newest = max(half.glob("checkpoint-*.h5"))
            for other in set(half.glob("checkpoint-*.h5")) - {newest}:
                other.unlink()
            content, step = newest.read_bytes()[HEAD:], int(newest.stem.split("-")[1])
            counts.add(f"{scene}: the seal is made otherwise here", "" if seal(step, content) == newest.read_bytes()[:HEAD] else
                       "resealed.py does not know the seal", "equal")
            hash_of_whole = state_hash(whole)

            def one(seed):
                draw = random.Random(f"{scene} {seed}")
                damaged = bytearray(content)
                damage = DAMAGE[seed % len(DAMAGE)]
                damage(damaged, draw)
                folder = home / f"{scene}-{seed}"
                shutil.copytree(half, folder)
                (folder / newest.name).write_bytes(seal(step, damaged) + damaged)
                result = ask("resume", folder, "--quiet", "--threads", 1, program=PROGRAM, limit=60, env=ENVIRONMENT)
                why, kind = fault_of(result, (0, 2)), "refused"
                if not why and "HDF5:" in result.stderr:
                    why = result.stderr[-200:]
                if not why and result.returncode == 0:
                    kind = "equal"
                    why = "" if state_hash(folder) == hash_of_whole else "the run goes on to another result"
                shutil.rmtree(folder)
                return f"{scene}: {damage.__name__} {seed}", why, kind

            for outcome in side_by_side(one, range(cases)):
                counts.add(*outcome)
    print("program:", PROGRAM.parent.parent.name)
    counts.finish()


if __name__ == "__main__":
    main()
