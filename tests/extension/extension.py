#!/usr/bin/env python3
"""A copy of the tree takes one toy extension of each kind, in no more files than promised, builds, and runs them all.

    extension.py [--keep FOLDER]      FOLDER: where the copy goes and stays, for a second look
"""
import argparse
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1] / "scenario")]
import program
from program import Faults, done, scratch, sets
from toys import TOYS

PARTS = ("src", "cmake", "scenes", "docs", "tools", "CMakeLists.txt", "CMakePresets.json", "layers.toml")
SCENE = pathlib.Path(__file__).resolve().parent / "toy.toml"
faults = Faults()
check = faults.check


def copy_tree(tree):
    for part in PARTS:
        source = program.SOURCE / part
        if source.is_dir():
            shutil.copytree(source, tree / part, dirs_exist_ok=True)
        else:
            shutil.copy(source, tree / part)


def must(*words, **more):
    result = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nexit {result.returncode}\n{result.stdout[-6000:]}")


def build(tree):
    """One build for all toys. With little optimisation, that costs time: the scene is small. There g++ warns of lanes that are all set, as in the preset `debug`."""
    must("cmake", "-S", tree, "-B", tree / "build", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG -Wno-maybe-uninitialized",
         *(["-G", "Ninja"] if shutil.which("ninja") else []))
    must("cmake", "--build", tree / "build", "--target", "talus", "-j", os.cpu_count() or 1)
    return tree / "build" / "bin" / "talus"


def titles(run):
    with (run / "series.csv").open() as file:
        return {title.split(" [")[0]: n for n, title in enumerate(next(csv.reader(file)))}


def look(talus, folder, kinds):
    """Does each toy show?"""
    run = folder / "run"
    done("run", SCENE, "--quiet", "--threads", 1, "--out", run, program=talus)
    checkpoint = sorted(run.glob("checkpoint-*.h5"))[-1].read_bytes()
    seen = {
        "a law": lambda: "toy-law" in done("list", "laws", program=talus).stdout and 'law = "toy-law"' in (run / "scene.toml").read_text(),
        "a column of bodies": lambda: b"toy_of_body" in checkpoint,
        "a column of contacts": lambda: b"toy_of_contact" in checkpoint,
        "a measure": lambda: "toy_falling" in titles(run) and "toy_falling_end" in program.figures(run),
        "a step diagnostic": lambda: "toy_steps" in titles(run),
        "a stage": lambda: "toy-stage" in done("list", "stages", program=talus).stdout
                           and "toy-stage" in (run / "scene.toml").read_text(),
    }
    if "a method" in kinds:
        done("run", SCENE, "--quiet", "--threads", 1, "--out", folder / "flown", *sets(method="toy"), program=talus)
        seen["a method"] = lambda: 'method = "toy"' in (folder / "flown" / "scene.toml").read_text()
    if "a wall shape" in kinds:  # balls fall beside it when it is far below
        done("run", SCENE, "--quiet", "--threads", 1, "--out", folder / "low", *sets(height="-9 mm"), program=talus)
        seen["a wall shape"] = lambda: ("toy-wall" in (run / "scene.toml").read_text()
                                        and program.state_hash(run) != program.state_hash(folder / "low"))
    for kind in sorted(kinds):
        if check(kind in seen, "nobody looks for", kind):
            check(seen[kind](), kind, "does not show")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=pathlib.Path)
    keep = parser.parse_args().keep
    with scratch() as name, tempfile.TemporaryDirectory(prefix="talus-extension-") as place:
        tree = keep or pathlib.Path(place)
        copy_tree(tree)
        fitting = []
        for toy in TOYS:
            check(toy.touched() <= toy.budget, toy.kind, "touches", toy.touched(), "files, promised are", toy.budget)
            if check(not toy.missing(tree), toy.kind, "has no place to go into:", *toy.missing(tree)):
                toy.apply(tree)
                fitting.append(toy.kind)
        must(sys.executable, tree / "tools" / "check_layers", tree)  # the extended tree keeps the rules of the house
        look(build(tree), pathlib.Path(name), fitting)
    faults.finish()


if __name__ == "__main__":
    main()
