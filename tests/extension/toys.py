"""One toy extension of each kind: the files it adds, the lines it puts into files that are there, and the most files it may touch.

tools/house prints what they touch; extension.py puts them all into a copy of the tree, builds and runs it. A new source is also
listed in its folder's CMakeLists.txt, as every source is; that list is not counted.
"""
import dataclasses
import pathlib
import re
import shutil

HERE = pathlib.Path(__file__).resolve().parent / "toys"


@dataclasses.dataclass
class Toy:
    kind: str
    budget: int    # files to touch at most; a new folder counts as one
    promise: str   # the same in words
    new: dict = dataclasses.field(default_factory=dict)    # path in the tree: file of toys/
    lines: list = dataclasses.field(default_factory=list)  # (path, the line after which it goes, what is put in)
    listed: list = dataclasses.field(default_factory=list)  # (CMakeLists.txt, a name in it, the name to put after that)
    folder: str = ""  # of a toy that is a folder of its own

    def touched(self):
        new = {self.folder if self.folder and path.startswith(self.folder) else path for path in self.new}
        return len(new | {path for path, _, _ in self.lines})

    def describe(self):
        lines = sum(len(text.strip("\n").split("\n")) for _, _, text in self.lines)
        files = len({path for path, _, _ in self.lines})
        return (f"{self.touched()} of {self.budget} ({self.promise}): {self.touched() - files} new, {lines} lines in {files} there"
                + (", listed in CMakeLists.txt" if self.listed else ""))

    def apply(self, tree):
        for path, source in self.new.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HERE / source, tree / path)
        for path, after, text in self.lines:
            insert(tree / path, after, text)
        for path, after, name in self.listed:
            file = tree / path
            source, n = re.subn(rf"(?<![\w.]){re.escape(after)}(?![\w.])", f"{after} {name}", file.read_text(), count=1)
            assert n == 1, f"{self.kind}: {path} does not list {after}"
            file.write_text(source)


def insert(path, after, text):
    """Puts text behind the first match of a pattern."""
    source = path.read_text()
    match = re.search(after, source, re.M)
    assert match, f"{path}: there is no {after}"
    path.write_text(source[:match.end()] + text + source[match.end():])


TOYS = [
    Toy("a law", 3, "header, word, page",
        new={"src/talus/contact/toy_law.hpp": "toy_law.hpp", "docs/laws/toy_law.md": "toy_law.md"},
        lines=[("src/talus/contact/laws.hpp", r"^#include <talus/contact/rolling.hpp>\n", "#include <talus/contact/toy_law.hpp>\n"),
               ("src/talus/contact/laws.hpp", r"HertzSaturated<D>", ", ToyLaw<D>")],
        listed=[("src/talus/contact/CMakeLists.txt", "rolling.hpp", "toy_law.hpp")]),
    Toy("a stage", 2, "file, line",
        new={"src/talus/lab/toy_stage.hpp": "toy_stage.hpp"},
        lines=[("src/talus/lab/stages.cpp", r"^#include <talus/lab/runner.hpp>\n", "#include <talus/lab/toy_stage.hpp>\n"),
               ("src/talus/lab/stages.cpp", r"^ *\{\"evaluate\", .*\},\n",
                '                   {"toy-stage", "let the sample move for a while", &ToyStage<D>::read},\n')],
        listed=[("src/talus/lab/CMakeLists.txt", "stage.hpp", "toy_stage.hpp")]),
]
