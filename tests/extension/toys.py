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

    def missing(self, tree):
        """Places that it goes into and that the tree does not have."""
        return [path for path, after, _ in self.lines
                if not (tree / path).exists() or not re.search(after, (tree / path).read_text(), re.M)]

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
    Toy("a column of bodies", 1, "file",
        lines=[("src/talus/state/bodies.hpp", r"^  Column<Real> model_work;.*\n", "  Column<Real> toy_of_body;\n"),
               ("src/talus/state/bodies.hpp", r"^    f\(About\{\"shape\", .*\n",
                '    f(About{"toy_of_body", "1", "nothing, in every body"}, s.toy_of_body);\n')]),
    Toy("a column of contacts", 1, "file",
        lines=[("src/talus/state/rows.hpp", r"^  Column<Vec<D>> tangential_force;.*\n", "  Column<Real> toy_of_contact;\n"),
               ("src/talus/state/rows.hpp", r"^    f\(About\{\"key\", .*\n",
                '    f(About{"toy_of_contact", "1", "nothing, in every contact"}, s.toy_of_contact);\n')]),
    Toy("a stage", 2, "file, line",
        new={"src/talus/lab/toy_stage.hpp": "toy_stage.hpp"},
        lines=[("src/talus/lab/stages.cpp", r"^#include <talus/lab/runner.hpp>\n", "#include <talus/lab/toy_stage.hpp>\n"),
               ("src/talus/lab/stages.cpp", r"^ *\{\"evaluate\", .*\},\n",
                '                   {"toy-stage", "let the sample move for a while", &ToyStage<D>::read},\n')],
        listed=[("src/talus/lab/CMakeLists.txt", "stage.hpp", "toy_stage.hpp")]),
    Toy("a measure", 2, "file, line",
        new={"src/talus/lab/toy_channels.hpp": "toy_channels.hpp"},
        lines=[("src/talus/lab/channels.cpp", r"^#include <talus/lab/sample_channels.hpp>\n", "#include <talus/lab/toy_channels.hpp>\n"),
               ("src/talus/lab/channels.cpp", r"clock_channels<D>\(\),", " toy_channels<D>(),")],
        listed=[("src/talus/lab/CMakeLists.txt", "stage.hpp", "toy_channels.hpp")]),
    Toy("a step diagnostic", 1, "file",
        lines=[("src/talus/dem/dem_method.cpp", r"^  Diagnostics diagnostics\(const Model<D>& model\) const override \{\n",
                '    if (!model.multi_contact.acts()) return {{"toy_steps", "1", "nothing but one", Reduce::most}};\n'),
               ("src/talus/dem/dem_method.cpp", r"^  Steps steps_of\(const StepReport& r, const Model<D>& model\) const \{\n",
                "    if (!model.multi_contact.acts()) return {r.status, r.overlap, {1}};\n")]),
    Toy("a wall shape", 2, "file, word",
        new={"src/talus/geometry/wall_toy.hpp": "wall_toy.hpp"},
        lines=[("src/talus/geometry/wall_shape.hpp", r"^#include <talus/geometry/wall_plane.hpp>\n", "#include <talus/geometry/wall_toy.hpp>\n"),
               ("src/talus/geometry/wall_shape.hpp", r"^using WallShapes = std::tuple<WallPlane<D>", ", WallToy<D>")],
        listed=[("src/talus/geometry/CMakeLists.txt", "wall_shape.hpp", "wall_toy.hpp")]),
    Toy("a method", 2, "folder, line", folder="src/talus/toy",
        new={f"src/talus/toy/{name}": f"toy/{name}" for name in ("CMakeLists.txt", "README.md", "toy_method.hpp", "toy_method.cpp")},
        lines=[("src/talus/lab/methods.cpp", r"^#include <talus/impulse/impulse_method.hpp>\n", "#include <talus/toy/toy_method.hpp>\n"),
               ("src/talus/lab/methods.cpp", r"^ *\{\"impulse\", .*\n",
                '      {"toy", "grains fly and meet nobody", [] { return toy::make_method<D>(); }},\n')]),
]
