#!/usr/bin/env python3
"""Every file of a run folder is cut, changed, lengthened, emptied and removed; then the run is resumed, or reported. The result is the
same, or the program refuses and says which file. Of a run that was going on, a series or a chain of hashes that is gone begins anew with a word, and figures that
need the lost rows say so. The files for viewers (vtk/, the film and its frames) hold no results: nothing but the film depends on them, and only
these stay as damaged as they are.

    damaged_files.py            a few places of each file       damaged_files.py --full     many"""
import pathlib
import random
import shutil

from suite import IS_FULL, Suite, difference, done, files_in, result_of, run_words, scratch, talus, write_scene

SEED = 20240229


def flip(at):
    def change(data):
        k = min(int(at * len(data)), len(data) - 1)
        return data[:k] + bytes([data[k] ^ 0x10]) + data[k + 1:]
    return change


def damages():
    def zeros(data):
        first, size = len(data) // 3, min(64, len(data) // 3)
        return data[:first] + bytes(size) + data[first + size:]

    kinds = {"cut in half": lambda d: d[:len(d) // 2], "lengthened": lambda d: d + b"7,8,9\n", "removed": None}
    if IS_FULL:
        kinds |= {"emptied": lambda d: b"", "without its last byte": lambda d: d[:-1], "with a block of zeros": zeros}
    places = random.Random(SEED)
    for at in [0.5] + [places.random() for _ in range(40 if IS_FULL else 1)] + [0.0, 0.999999][:2 * IS_FULL]:
        kinds[f"with another bit at {at:.3f}"] = flip(at)
    return kinds


def damage(path, change):
    """False where the change changes nothing."""
    data = path.read_bytes()
    if change is None:
        path.unlink()
        return True
    changed = change(data) if data else data
    if changed == data:
        return False
    path.write_bytes(changed)
    return True


def is_for_viewers(name):
    return name.startswith(("vtk/", "film/", "film.png"))


def lost_with_a_word(suite, case, name, result, folder, reference):
    """The run goes on without a series or a chain that is gone."""
    if f"{name} is gone" not in result.stderr:
        return suite.fail(case, f"exit {result.returncode}, not a word:", result.stderr[:300])
    whole, rest = reference["summary.json"][0], result_of(folder)["summary.json"][0]
    wrong = [k for k, f in rest.items() if f["value"] is not None and f["value"] != whole[k]["value"]]
    if wrong:
        return suite.fail(case, "figures are made from what is left:", *wrong)
    return suite.add(case, "", "done")


def resumed(suite, case, name, folder, reference, is_removed):
    result = talus("resume", folder, "--quiet", "--threads", 1, limit=60)
    if is_removed and name in ("series.csv", "hash_chain.csv") and result.returncode == 0:
        return lost_with_a_word(suite, case, name, result, folder, reference)
    if result.returncode == 0:
        # Of checkpoints, an older one is spare; of pictures, one may be taken out of a run that is done.
        may_differ = is_removed and name.startswith(("checkpoint-", "sample.png"))
        return suite.equal(case, difference(folder, reference, but=[name, "film.png"] if is_for_viewers(name) else [name] if may_differ else []))
    return suite.refused(case, result, pathlib.Path(name).name, "checkpoint", "scene.toml")


def reported(suite, case, name, folder, page, is_removed):
    result = talus("report", folder, "--out", folder.parent / "page.html", limit=60)
    if result.returncode != 0:
        return suite.refused(case, result, pathlib.Path(name).name, "checkpoint")
    text = (folder.parent / "page.html").read_text()
    if is_removed and name in ("summary.json", "sample.png"):  # the page says that there is no summary; a picture may be taken out
        return suite.add(case, "", "done") if name != "summary.json" or "there is no summary.json" in text else suite.fail(case, "not a word")
    return suite.equal(case, "" if text == page or name == "film.png" else "another page")


def main():
    suite = Suite("damaged_files")
    with scratch() as scratch_name:
        home = pathlib.Path(scratch_name)
        scene, out = write_scene(home / "home"), home / "run" / "drop"
        done(*run_words(scene, home / "whole" / "drop"))
        reference = result_of(home / "whole" / "drop")
        done(*run_words(scene, home / "half" / "drop", "--until", 0.6 * reference["summary.json"][2]["time_s"]))
        shutil.rmtree(home / "home")
        done("report", home / "whole" / "drop", "--out", home / "page.html")
        page = (home / "page.html").read_text()
        kinds = damages()
        for state in ("half", "whole"):
            for name in files_in(home / state / "drop"):
                if is_for_viewers(name) and not IS_FULL and name != "vtk/grains.pvd":
                    continue
                for kind, change in kinds.items():
                    for use in ("resumed", "reported") if state == "whole" else ("resumed",):
                        shutil.rmtree(out, ignore_errors=True)
                        shutil.copytree(home / state / "drop", out)
                        if not damage(out / name, change):
                            continue
                        case = f"{state} run, {name} {kind}, {use}"
                        if use == "resumed":
                            resumed(suite, case, name, out, reference, change is None)
                        else:
                            reported(suite, case, name, out, page, change is None)
    suite.finish()


if __name__ == "__main__":
    main()
