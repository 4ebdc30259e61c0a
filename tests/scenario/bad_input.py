#!/usr/bin/env python3
"""Broken input is refused: exit 2, a message with file, line, key and a reason, and earlier results untouched.

Each case is a small valid scene with one edit, a --set, or a misuse of the command line. A name on the command line
selects cases.
"""
import pathlib
import resource
import shutil
import sys

from bad_cases import BASE, CASES
from program import Faults, done, files_in, scratch, talus


def limit_memory():
    # A scene that asks for too much must be refused, not tried: a mistake here must not take the machine down.
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


class Stand:
    """A folder with scenes and with results of an earlier run, which no case may touch."""

    def __init__(self, folder):
        self.folder, self.faults, self.count = pathlib.Path(folder), Faults(), 0
        (self.folder / "base.toml").write_text(BASE)
        done("run", "base.toml", "--quiet", "--threads", 1, "--out", "earlier", folder=self.folder)

    def refused(self, name, result, says, before):
        """Common to all cases."""
        self.count += 1
        check = lambda is_true, *words: self.faults.check(is_true, f"{name}:", *words)
        code, message = result.returncode, result.stderr
        print(f"{name}: exit {code}: {message.strip().splitlines()[0] if message.strip() else '-'}", flush=True)
        check(code == 2, f"exit {code}:", message.strip()[-400:])
        for words in says:
            check(words.lower() in message.lower(), f"the message does not say {words!r}:", message.strip())
        check("internal error" not in message, message.strip())
        check(files_in(self.folder) == before, "files were changed or left behind")

    def run(self, case):
        scene = case.scene()
        (self.folder / "bad.toml").write_text(scene, errors="surrogateescape")
        for name, text in case.files.items():
            (self.folder / name).write_text(text)
        says = list(case.says)
        if case.at is not None:
            text = case.files.get(case.in_file, scene)
            first = text.count("\n", 0, text.index(case.at)) + 1
            # A replacement of several lines: any of them.
            lines = range(first, first + case.at.count("\n") + 1)
        elif case.in_file:
            says.append(case.in_file)
        before = files_in(self.folder)
        out = ["--out", "results"] if "run" in case.words else []
        threads = [] if "--threads" in case.arguments else ["--threads", "1"]
        result = talus(*case.words, "bad.toml", *out, *threads, *case.arguments, folder=self.folder,
                       preexec_fn=limit_memory, limit=20)
        self.refused(case.name, result, says, before)
        if case.at is not None:
            places = [f"{case.in_file}:{line}:" for line in lines]
            self.faults.check(any(place in result.stderr for place in places), f"{case.name}: the message does not name",
                              " or ".join(places), "but says:", result.stderr.strip())
        self.faults.check(not (self.folder / "results").exists(), f"{case.name}: an output folder was made")
        shutil.rmtree(self.folder / "results", ignore_errors=True)
        for name in ["bad.toml", *case.files]:
            (self.folder / name).unlink()

    def refuse(self, name, arguments, says):
        before = files_in(self.folder)
        self.refused(name, talus(*arguments, folder=self.folder, limit=60), says, before)

    # ---- folders and checkpoints -----------------------------------------------------------------------------------

    def folders(self):
        run = ["run", "base.toml", "--quiet", "--threads", "1", "--out"]
        self.refuse("scene that is not there", ["run", "nowhere.toml"], ["nowhere.toml", "no such scene"])
        self.refuse("misspelt scene", ["run", "triaxail"], ["triaxail", "did you mean 'triaxial'"])
        self.refuse("check of a scene that is not there", ["check", "nowhere.toml"], ["nowhere.toml"])
        self.refuse("scene is a folder", ["run", "earlier"], ["earlier"])
        self.refuse("results into a folder with results", [*run, "earlier"], ["earlier", "not empty"])
        self.refuse("results into a file", [*run, "base.toml"], ["base.toml", "not a folder"])
        self.refuse("results below a file", [*run, "base.toml/run"], ["base.toml/run"])
        self.refuse("results where nobody may write", [*run, "/proc/talus"], ["/proc/talus"])
        self.refuse("resume of nothing", ["resume", "nowhere"], ["nowhere"])
        (self.folder / "empty").mkdir()
        self.refuse("resume of an empty folder", ["resume", "empty"], ["empty", "not the folder of a run"])
        self.refuse("resume of a file", ["resume", "base.toml"], ["base.toml"])
        self.refuse("report of nothing", ["report", "nowhere"], ["nowhere"])
        self.refuse("report of a folder that is no run", ["report", "empty"], ["empty"])
        self.refuse("report of a run and a folder that is none", ["report", "earlier", "empty", "--out", "both.html"],
                    ["empty"])
        self.refuse("report into a folder that is not there", ["report", "earlier", "--out", "nowhere/report.html"],
                    ["nowhere"])
        self.refuse("list of unknown things", ["list", "wonders"], ["wonders", "scenes"])

    def sweeps(self):
        sweep = lambda *vary: ["sweep", "triaxial", *(word for v in vary for word in ("--vary", v)), "--out", "study"]
        self.refuse("sweep over nothing", sweep(), ["--vary", "nothing is varied", "NAME=A,B,C"])
        self.refuse("sweep without values", sweep("friction="), ["friction", "no values", "friction=0.2,0.5"])
        self.refuse("sweep without a name", sweep("=1,2"), ["NAME=A,B,C"])
        self.refuse("sweep with an empty value", sweep("friction=0.2,,0.5"), ["empty value"])
        self.refuse("list mixed with a range", sweep("confining=20kPa,50kPa:200kPa:4"), ["mixes a list with a range", "NAME=LOW:HIGH:COUNT"])
        self.refuse("range without a count", sweep("confining=50kPa:200kPa"), ["three parts", "NAME=LOW:HIGH:COUNT"])
        self.refuse("range of two kinds of unit", sweep("confining=50kPa:200mm:3"), ["50kPa", "200mm"])
        self.refuse("range of one value", sweep("confining=50kPa:200kPa:1"), ["count from 2"])
        self.refuse("value of another kind", sweep("confining=50kPa,200mm"), ["confining", "pressure"])
        self.refuse("a value twice", sweep("friction=0.2,0.20"), ["twice"])
        self.refuse("sweep over an unknown parameter", sweep("frction=0.2,0.5"), ["did you mean 'friction'"])
        self.refuse("sweep over an unknown entry", sweep("stage.triaxial.strian=0.1,0.2"), ["did you mean 'strain'"])
        self.refuse("sweep over seeds", sweep("seed=1,2"), ["--seeds"])
        self.refuse("varied and set", [*sweep("friction=0.2,0.5"), "--set", "friction=0.3"], ["set and varied"])
        self.refuse("varied twice", sweep("friction=0.2,0.5", "friction=0.6"), ["varied twice"])
        self.refuse("several values for one run", ["run", "triaxial", "--set", "friction=0.2,0.5", "--out", "study"],
                    ["talus sweep SCENE --vary friction=0.2,0.5"])

    def comparisons(self):
        done("run", "lattice", "--quiet", "--threads", "1", "--out", "lattice", folder=self.folder)
        self.refuse("comparison of two tests", ["report", "earlier", "lattice", "--out", "two.html"], ["another test", "its stages are", "talus report DIR"])
        shutil.copytree(self.folder / "earlier", self.folder / "bare")
        for checkpoint in (self.folder / "bare").glob("checkpoint-*"):
            checkpoint.unlink()
        self.refuse("export of a run without checkpoints", ["sample", "bare", "--out", "grains.csv"], ["bare", "no checkpoint", "talus r"])
        (self.folder / "replicates").mkdir()
        shutil.copytree(self.folder / "earlier", self.folder / "replicates/seed-1")
        self.refuse("export of a folder of replicates", ["sample", "replicates", "--out", "grains.csv"], ["did you mean 'replicates/seed-1'"])

    def unfinished(self, name):
        """A copy of a run that was stopped on its way, with two checkpoints."""
        if not (self.folder / "stopped").exists():
            end = float((self.folder / "earlier/series.csv").read_text().splitlines()[-1].split(",")[1])
            done("run", "base.toml", "--quiet", "--threads", 1, "--out", "stopped", "--until", 0.8 * end,
                 folder=self.folder)
        shutil.copytree(self.folder / "stopped", self.folder / name)
        return self.folder / name

    def checkpoints(self):
        def cut(path, share):
            path.write_bytes(path.read_bytes()[:int(share * path.stat().st_size)])

        def flip(path):
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 4
            path.write_bytes(data)

        def refuse(name, says, damage):
            folder = self.unfinished("damaged")
            damage(folder)
            self.refuse(name, ["resume", "damaged", "--threads", "1"], ["damaged", *says])
            shutil.rmtree(folder)

        def every(action):
            return lambda folder: [action(path) for path in folder.glob("checkpoint-*.h5")]

        probe = self.unfinished("probe")
        kept = sorted(path.name for path in probe.glob("checkpoint-*.h5"))
        self.faults.check(len(kept) == 2, "two checkpoints are kept, here", kept)
        shutil.rmtree(probe)
        refuse("all checkpoints cut short", kept, every(lambda path: cut(path, 0.6)))
        refuse("all checkpoints empty", kept, every(lambda path: cut(path, 0)))
        refuse("all checkpoints with a flipped bit", kept, every(flip))
        refuse("checkpoints that are something else", kept, every(lambda path: path.write_text("hello\n")))
        refuse("scene changed after the checkpoint", ["another scene"], lambda folder: (folder / "scene.toml").write_text(
            (folder / "scene.toml").read_text().replace("friction = 0.3", "friction = 0.4")))
        refuse("series that is something else", ["series.csv"],
               lambda folder: (folder / "series.csv").write_text("hello\n"))
        refuse("hash chain that is something else", ["hash_chain.csv"],
               lambda folder: (folder / "hash_chain.csv").write_text("step,hash\nhello,you\n"))
        refuse("summary that is something else", ["summary.json"],
               lambda folder: (folder / "summary.json").write_text("{"))

        done("run", "base.toml", "--quiet", "--threads", 1, "--out", "other", "--set", "material.sand.friction=0.4",
             folder=self.folder)

        def exchange(folder):
            every(pathlib.Path.unlink)(folder)
            for path in (self.folder / "other").glob("checkpoint-*.h5"):
                shutil.copy(path, folder)
        refuse("checkpoint of another scene", ["another scene"], exchange)

        # The newest is damaged, the one before is whole: the run goes on from there, says so, and ends as it should.
        folder = self.unfinished("damaged")
        cut(folder / kept[-1], 0.6)
        result = talus("resume", "damaged", "--threads", "1", folder=self.folder)
        name = "newest checkpoint cut short"
        print(f"{name}: exit {result.returncode}", flush=True)
        self.count += 1
        self.faults.check(result.returncode == 0, name, "exit", result.returncode, result.stderr)
        for word in kept:
            self.faults.check(word in result.stderr, f"{name}: the message does not say {word}:", result.stderr)
        for file in ("series.csv", "hash_chain.csv"):
            self.faults.check((folder / file).read_bytes() == (self.folder / "earlier" / file).read_bytes(),
                              f"{name}: {file} is not that of the run that was never stopped")


def main():
    chosen = sys.argv[1:]
    with scratch() as folder:
        stand = Stand(folder)
        for case in CASES:
            if not chosen or any(word in case.name for word in chosen):
                stand.run(case)
        if not chosen:
            stand.folders()
            stand.sweeps()
            stand.comparisons()
            stand.checkpoints()
        print(f"{stand.count} cases")
        stand.faults.finish()


if __name__ == "__main__":
    main()
