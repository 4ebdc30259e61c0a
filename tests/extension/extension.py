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
    """One build for all toys. Without optimisation that costs time: the scene is small."""
    must("cmake", "-S", tree, "-B", tree / "build", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
         *(["-G", "Ninja"] if shutil.which("ninja") else []))
    must("cmake", "--build", tree / "build", "--target", "talus", "-j", os.cpu_count() or 1)
    return tree / "build" / "bin" / "talus"


def titles(run):
    with (run / "series.csv").open() as file:
        return {title.split(" [")[0]: n for n, title in enumerate(next(csv.reader(file)))}


def look(talus, folder):
    """Does each toy show?"""
    kinds = {toy.kind for toy in TOYS}
    run = folder / "run"
    done("run", SCENE, "--quiet", "--threads", 1, "--out", run, program=talus)
    seen = {
        "a law": lambda: "toy-law" in done("list", "laws", program=talus).stdout and 'law = "toy-law"' in (run / "scene.toml").read_text(),
        "a stage": lambda: "toy-stage" in done("list", "stages", program=talus).stdout
                           and "toy-stage" in (run / "scene.toml").read_text(),
    }
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
        for toy in TOYS:
            check(toy.touched() <= toy.budget, toy.kind, "touches", toy.touched(), "files, promised are", toy.budget)
            toy.apply(tree)
        must(sys.executable, tree / "tools" / "check_layers", tree)  # the extended tree keeps the rules of the house
        look(build(tree), pathlib.Path(name))
    faults.finish()


if __name__ == "__main__":
    main()
