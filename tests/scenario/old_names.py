#!/usr/bin/env python3
"""A scene with old names runs as before: the program tells the new name of each, once, and writes it into the run folder."""
import pathlib

from program import SOURCE, Faults, scratch, sets, talus

NOTES = ['old.toml:{}: grains.beads.place.kind "apart" is now called "random-without-overlap"',
         "--set dynamics.shake=0.1: dynamics.shake is now called dynamics.random_rebuilds"]

faults = Faults()
with scratch() as name:
    folder = pathlib.Path(name)
    text = (SOURCE / "scenes/box.toml").read_text().replace('"random-without-overlap"', '"apart"')
    line = 1 + next(n for n, words in enumerate(text.splitlines()) if '"apart"' in words)
    (folder / "old.toml").write_text(text)
    result = talus("run", folder / "old.toml", "--quiet", "--threads", 1, "--until", "1e-5", "--out", folder / "run",
                   *sets(grains=30, replicates=2, dynamics__shake=0.1))
    faults.check(result.returncode == 0, "exit", result.returncode, result.stderr)
    for note in NOTES:
        faults.check(result.stderr.count(note.format(line)) == 1, note.format(line), "is not said once in", result.stderr)
    for scene in folder.glob("run*/**/scene.toml"):
        faults.check("apart" not in scene.read_text() and "shake" not in scene.read_text(), scene, "has old names")
faults.finish()
