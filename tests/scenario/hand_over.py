#!/usr/bin/env python3
"""A sample goes from one method to the other: the same grains in the same places. And what is refused on the way."""
import csv
import os
import pathlib

from program import TINY_BIAXIAL, Faults, done, figures, scratch, sets, state_hash, summary, talus


def test(sample, grains=60, strain_max=0.004, **more):
    return ["run", "biaxial-dem-sample", "--quiet", *sets(sample=sample, grains=grains, width="6 m", zone="22 m", stiffness="1 MPa",
                                                          strain_max=strain_max, output__vtk="false", **more)]


def rows(path):
    with open(path) as file:
        return list(csv.reader(file))


def main():
    faults = Faults()
    with scratch() as name:
        folder = pathlib.Path(name)
        done("run", "biaxial-small-loose", "--quiet", "--out", folder / "made", *TINY_BIAXIAL, *sets(tolerance=1e-3))
        sample = folder / "sample.csv"
        done("sample", folder / "made", "--out", sample)
        places = rows(sample)
        grains = figures(folder / "made")["grains_left"]
        faults.check(len(places) == 1 + grains + 4, len(places) - 1, "places of", grains, "grains and 4 walls")

        # Half a step later nothing has moved by a thousandth of a grain, and nobody is missing.
        at_once = folder / "at_once"
        done(*test(sample), "--until", "1e-4", "--out", at_once)
        done("sample", at_once, "--out", folder / "again.csv")
        again = rows(folder / "again.csv")
        faults.check([p[:2] for p in again] == [p[:2] for p in places], "other bodies arrived than left")
        faults.check(again[0] == places[0], "other columns:", again[0])
        far = max(abs(float(a) - float(b)) for p, q in zip(again[1:-4], places[1:-4]) for a, b in zip(p[3:], q[3:]))
        faults.check(far < 1e-5, "a grain starts", far, "from its place")
        faults.check(again[-4] == places[-4], "the base has moved:", again[-4], places[-4])
        faults.check(abs(float(again[-3][4]) - float(places[-3][4])) < 1e-5, "the cap starts elsewhere:", again[-3], places[-3])

        # By the method that made it, the file named from where the program is started, stopped and gone on with.
        words = ["run", "biaxial-sample", "--quiet", *sets(sample="sample.csv", grains=60, width="6 m", zone="22 m", tolerance=1e-3,
                                                           strain_max=0.004, output__vtk="false")]
        done(*words, "--out", folder / "rigid", folder=folder)
        end = summary(folder / "rigid")["provenance"]["time_s"]
        done(*words, "--until", 0.9 * end, "--out", folder / "halves", folder=folder)
        stopped = figures(folder / "halves")
        for picture in ("sample.png", "turned.png"):
            faults.check((folder / "halves" / picture).exists(), "stopped during shear: no", picture)
        faults.check(stopped["e_rve"] is not None, "stopped during shear: no void ratio in the circle")
        sample.rename(folder / "elsewhere.csv")
        done("resume", folder / "halves", "--quiet")
        (folder / "elsewhere.csv").rename(sample)
        for figure in ("e_rve", "rve_x", "phi_peak_deg"):
            faults.check(figures(folder / "halves")[figure] == figures(folder / "rigid")[figure], "stopped and gone on with:", figure,
                         figures(folder / "halves")[figure], figures(folder / "rigid")[figure])
        faults.check(figures(folder / "halves")["pressure_final"] == figures(folder / "rigid")["pressure_final"] > 1000,
                     "stopped and gone on with: pressures", figures(folder / "halves")["pressure_final"], figures(folder / "rigid")["pressure_final"])

        # Slowly: damping opposes the motion, and the base does not feel it. Ten times as fast the platens differ by 4 %.
        done(*test(sample, velocity="0.5 mm/s", strain_max=0.002), "--out", folder / "pressed")
        found = figures(folder / "pressed")
        faults.near("platen force mismatch", found["platen_force_mismatch"], 0, 0.01)
        faults.check(found["pressure_final"] > 1050, "under 1 kPa on all sides and the cap pressed in: a pressure of", found["pressure_final"])

        # Made, cut, confined and pressed by the explicit method alone: gravity, friction and the model change on the way.
        done("run", "biaxial-dem-small-loose", "--quiet", "--out", folder / "own", *TINY_BIAXIAL)
        # The C library fills memory that is given back: whoever looks at a model that is gone gets another result.
        done("run", "biaxial-dem-small-loose", "--quiet", "--out", folder / "filled", *TINY_BIAXIAL, env={**os.environ, "MALLOC_PERTURB_": "165"})
        faults.check(state_hash(folder / "filled") == state_hash(folder / "own"), "memory that was given back is read")
        faults.near("energy out of balance", figures(folder / "own")["energy_balance_rel"], 0, 1e-3)

        cases = {
            "of another seed": (places, dict(seed=2), "radius"),
            "of other shapes": ([places[0], *([*p[:2], str(1.1 * float(p[2])), *p[3:]] for p in places[1:])], {}, "another shape"),
            "with more grains": (places, dict(grains=61), "the same seed, number, sizes"),
            "of a body twice": (places + [places[1]], {}, "has a place already, in line 2"),
            "of a body that is not": (places + [["900", *places[1][1:]]], {}, "no such body"),
            "without a wall": (places[:-1], {}, "the wall 'right' is not in it"),
            "not a number": ([*places[:3], [*places[3][:3], "nan", *places[3][4:]], *places[4:]], {}, ":4: column 4 (x)"),
            "without turns": ([p[:-1] for p in places], {}, "turn"),
        }
        for what, (table, more, words) in cases.items():
            bad = folder / "bad.csv"
            bad.write_text("".join(",".join(p) + "\n" for p in table))
            result = talus(*test(bad, **more), "--out", folder / "refused")
            faults.check(result.returncode == 2 and words in result.stderr, f"places {what}: exit {result.returncode}:", result.stderr)
            faults.check(not (folder / "refused").exists(), f"places {what}: a folder was made")
        for arguments, words in ((("sample", folder / "made", "--out", sample), "there already"),
                                 (("sample", folder, "--out", folder / "x.csv"), "no checkpoint"),
                                 (("sample", folder / "none", "--out", folder / "x.csv"), "none")):
            result = talus(*arguments)
            faults.check(result.returncode == 2 and words in result.stderr, *arguments, f": exit {result.returncode}:", result.stderr)
    faults.finish()


if __name__ == "__main__":
    main()
