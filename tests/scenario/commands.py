#!/usr/bin/env python3
"""The commands that do not step: list, check, report, sample, compare. What they print, where, and with which exit code."""
import csv
import json
import math
import pathlib
import re
import tomllib

from program import SOURCE, Faults, done, files_in, scratch, sets, talus

faults = Faults()
check = faults.check


def refused(words, *arguments, folder):
    """Exit code 2, no result on standard output, the words on standard error."""
    result = talus(*arguments, folder=folder)
    check(result.returncode == 2, *arguments, "gives", result.returncode, "instead of 2")
    check(len(result.stdout.splitlines()) < 2, *arguments, "prints", result.stdout)  # the head of a table may be there
    for word in words:
        check(word in result.stderr, *arguments, "does not say", word, "but", result.stderr)


def entries(text):
    """Words at the beginning of a line; what belongs to them is indented."""
    return [line.split()[0] for line in text.splitlines() if line and not line.startswith(" ")]


def of_the_program(folder):
    check(re.fullmatch(r"talus \d+\.\d+\.\d+\n", done("--version").stdout), "--version is no version")
    listed = re.findall(r"^  (\w+) {2,}", done("--help").stdout.partition("Subcommands:")[2], re.M)
    for command in listed:
        text = done(command, "--help").stdout
        check(f"Usage: talus {command}" in text, command, "--help has no usage")
    for command in ("run", "resume", "check", "fit", "compare", "sample", "verify", "contact", "list", "report"):
        check(command in listed, command, "is not in --help")
    refused(["no command 'chekc'", "did you mean 'check'"], "chekc", "impact", folder=folder)
    bare = talus(folder=folder)
    check(bare.returncode == 0 and "Subcommands:" in bare.stdout, "the program alone does not tell its commands")
    check(talus("check", folder=folder).returncode == 2, "check without a scene is accepted")


def of_contact():
    """The contact bench: any law along a path, and the constants of a mortar from a creep test."""
    with scratch() as name:
        of_bench(pathlib.Path(name))


def of_bench(folder):
    coats = entries(done("list", "coats", folder=folder).stdout)
    for law in coats + entries(done("list", "laws", folder=folder).stdout):
        keys = ["--set", "normal_stiffness=20 kN/m"] if law.startswith("linear") else []
        done("contact", law, "--path", "oblique", "--out", "bench.csv", *keys, folder=folder)
        rows = list(csv.DictReader(open(folder / "bench.csv")))
        check(len(rows) == 2000 and all(math.isfinite(float(r["force [N]"])) for r in rows), "contact", law, "has", len(rows), "rows")
    times = [0.01 * 1.1**k for k in range(100)]
    overlaps = [1 / 20 + t / 500 + (1 - math.exp(-6 * t)) / 12 for t in times]  # mm at 1 N: 20 MPa, 500 MPa s, 12 MPa, 2 MPa s
    (folder / "creep.csv").write_text("time [s], overlap [mm]\n" + "".join(f"{t}, {u}\n" for t, u in zip(times, overlaps)))
    specimen = sets(force="1 N", area="1 mm2", thickness="1 mm")
    told = done("contact", "burgers", "--fit", "creep.csv", *specimen, folder=folder).stdout
    found = {line.split()[0]: float(line.split()[1]) for line in told.splitlines() if line.startswith(("maxwell", "kelvin"))}
    for name, value in (("maxwell_stiffness", 20e6), ("maxwell_viscosity", 500e6), ("kelvin_stiffness", 12e6), ("kelvin_viscosity", 2e6)):
        check(abs(found[name] / value - 1) < 1e-4, "contact --fit finds", name, found[name])
    refused(["burger", "did you mean 'burgers'"], "contact", "burger", folder=folder)
    refused(["there is no 'crep'", "creep"], "contact", "burgers", "--path", "crep", folder=folder)
    refused(["temperature", "151 degC", "150 degC"], "contact", "burgers", "--set", "temperature=151 degC", folder=folder)
    refused(["temprature", "did you mean 'temperature'"], "contact", "burgers", "--set", "temprature=100 degC", folder=folder)
    refused(["normal_stiffness"], "contact", "linear", folder=folder)
    refused(["force"], "contact", "burgers", "--fit", "creep.csv", folder=folder)
    refused(["--fit"], "contact", "damper", "--fit", "creep.csv", *specimen, folder=folder)


def of_list(folder):
    scenes = {path.stem: tomllib.loads(path.read_text()) for path in (SOURCE / "scenes").glob("*.toml")}
    text = done("list", "scenes", folder=folder).stdout
    check(sorted(entries(text)) == sorted(scenes), "list scenes has", entries(text))
    check(len(text.splitlines()) == len(scenes), "list scenes takes more than a line for a scene")
    check("talus list scenes" in done("list", folder=folder).stdout, "list alone does not tell what there is")
    for name, scene in scenes.items():
        check(scene["title"] in text, "list scenes does not tell the title of", name)
    # A law is what the scene key accepts, in the same order.
    laws = entries(done("list", "laws", folder=folder).stdout)
    accepted = re.search(r'^law = .*; one of ([\w, -]+)', done("check", "impact", "--full", folder=folder).stdout, re.M)
    check(accepted and accepted.group(1).replace("(default)", "").strip().split(", ") == laws, "list laws has", laws)
    check("sphere" in entries(done("list", "shapes", folder=folder).stdout), "list shapes knows no sphere")
    stages = entries(done("list", "stages", folder=folder).stdout)
    for scene in scenes.values():
        for stage in scene.get("stage", []):
            check(stage["kind"] in stages, "list stages does not tell", stage["kind"])
    check(not files_in(folder), "list leaves files behind")


def of_show(folder):
    scene = tomllib.loads((SOURCE / "scenes/triaxial.toml").read_text())
    text = done("show", "triaxial", folder=folder).stdout
    check(scene["title"] in text, "show does not tell the title")
    for name, parameter in scene["parameters"].items():
        check(re.search(rf"^  {name} +=.*{re.escape(parameter['about'])}", text, re.M), "show does not tell", name)
    refused(["triaxail", "did you mean 'triaxial'"], "show", "triaxail", folder=folder)


def of_check(folder):
    short = done("check", "impact", folder=folder).stdout
    check(len(short.splitlines()) < 40 and "time step" in short and "[material" not in short, "check prints more than its audit:", short)
    check("WARNING" not in done("check", "rowe", folder=folder).stdout, "check warns of the overlap of rigid grains")
    note = talus("check", "impact", *sets(speed=0.2), folder=folder).stderr
    check("read as 0.2 m/s" in note, "a plain number where the default has a unit is not told, but", note)
    result = done("check", "impact", "--full", *sets(speed="0.2 m/s"), folder=folder)
    scene = tomllib.loads(result.stdout)  # what it prints is a scene, with its audit as comments
    check(scene["stage"][0]["speed"] == 0.2, "check does not apply --set")
    check('speed = "0.2 m/s"' in result.stdout, "check does not tell the parameter that was set")
    check(result.stderr == "", "check complains:", result.stderr)
    refused(["restitution", "from 0 to 1"], "check", "impact", *sets(restitution=1.5), folder=folder)
    refused(["one value", "talus sweep SCENE --vary restitution=0.2,0.5"], "check", "impact", *sets(restitution="0.2,0.5"), folder=folder)
    refused(["spede", "speed"], "check", "impact", *sets(spede=1), folder=folder)
    refused(["impakt", "impact"], "check", "impakt", folder=folder)
    check(not files_in(folder), "check leaves files behind")


def of_report(folder):
    for name, speed in (("slow", "0.1 m/s"), ("fast", "0.3 m/s")):
        done("run", "impact", "--quiet", "--threads", 1, "--out", name, *sets(speed=speed), folder=folder)
    before = files_in(folder)
    check("slow/report.html" in done("report", "slow", folder=folder).stdout, "report does not say what it wrote")
    check(files_in(folder) == before, "the report written anew is another one")
    done("report", "slow", "--out", "elsewhere.html", folder=folder)
    done("report", "slow", "fast", folder=folder)
    new = files_in(folder)
    check(set(new) - set(before) == {"elsewhere.html", "report.html"}, "report wrote", set(new) - set(before))
    check(all(new[name] == digest for name, digest in before.items()), "a report of two runs changes one of them")
    both = (folder / "report.html").read_text()
    check("slow" in both and "fast" in both, "a report of two runs does not name them")
    check("http://" not in re.sub(r"http://www\.w3\.org/\S*", "", both) and "<script src" not in both,
          "the report needs files that are elsewhere")
    refused(["nowhere"], "report", "nowhere", folder=folder)


def of_sample(folder):
    done("run", "box", "--quiet", "--threads", 1, "--out", "box", *sets(grains=10, output__vtk="false"), "--until", 0.01, folder=folder)
    done("sample", "box", "--out", "places.csv", folder=folder)
    rows = list(csv.DictReader((folder / "places.csv").open()))
    check([row["uid"] for row in rows] == [str(n) for n in range(len(rows))], "bodies are not in the order of their numbers")
    grains = [row for row in rows if float(row["radius [m]"]) > 0]
    check(len(grains) == 10, "a sample of ten grains has", len(grains))
    for row in grains:  # gyration of a solid sphere: sqrt(2/5) of its radius
        faults.near("gyration", float(row["gyration [m]"]) / float(row["radius [m]"]), math.sqrt(0.4), 1e-12)
    checkpoint = sorted((folder / "box").glob("checkpoint-*.h5"))[-1]
    done("sample", checkpoint, "--out", "again.csv", folder=folder)
    check((folder / "again.csv").read_text() == (folder / "places.csv").read_text(), "a checkpoint gives another sample than its run")
    refused(["places.csv", "there already"], "sample", "box", "--out", "places.csv", folder=folder)
    refused(["no checkpoint"], "sample", ".", "--out", "x.csv", folder=folder)


# A made-up series of two cycles of three levels, up and down; classes of force hold ten contacts each.
def cycles(path, scale, contacts):
    classes = [f"f_class_{k:02d}" for k in range(80)]
    rows = []
    for cycle in (1, 2):
        for loading, levels in ((1, (1, 2, 3)), (0, (2, 1))):
            for level in levels:
                rows.append([1, cycle, level, loading, 1e-3 * level, scale * level**2, contacts] + [10] * 80)
    with path.open("w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["settled [1]", "cycle [1]", "level [1]", "loading [1]", "travel [m]", "top_force [N]", "Z_any [1]"]
                        + [f"{name} [1]" for name in classes])
        writer.writerows(rows)


def of_compare(folder):
    cycles(folder / "measured.csv", 2.0, 6.0)
    cycles(folder / "same.csv", 2.0, 6.0)
    cycles(folder / "half.csv", 1.0, 6.0)
    found = json.loads(done("compare", "same.csv", "half.csv", "--reference", "measured.csv", "--dropped", 0, "--json", folder=folder).stdout)
    same, half = found
    check([one["run"] for one in found] == ["same.csv", "half.csv"], "compare names", [one["run"] for one in found])
    exact = 1e-12  # sums of a few small whole numbers; the logarithm of 1 is good to the rounding of 80 roots
    for name, value in (("Rtop", 1), ("errf_N", 0), ("errZ", 0), ("bhat", 0)):
        faults.near(f"same {name}", same[name], value, exact)
    # Levels 1, 2, 3, 2, 1 with forces that differ by 1, 4, 9, 4, 1 N.
    for name, value in (("Rtop", 0.5), ("errf_N", math.sqrt((1 + 16 + 81 + 16 + 1) / 5)), ("errZ", 0), ("bhat", 0)):
        faults.near(f"half {name}", half[name], value, exact)
    table = done("compare", "half.csv", "--reference", "measured.csv", "--dropped", 0, folder=folder).stdout.splitlines()
    check(len(table) == 2 and table[0].split()[:2] == ["run", "Rtop"] and table[1].split()[:2] == ["half.csv", "0.500"],
          "the table of compare is", table)
    refused(["settled", "dropped"], "compare", "half.csv", "--reference", "measured.csv", "--dropped", 2, folder=folder)
    refused(["nowhere.csv"], "compare", "nowhere.csv", "--reference", "measured.csv", "--dropped", 0, folder=folder)
    refused(["settled"], "compare", "slow", "--reference", "measured.csv", "--dropped", 0, folder=folder)  # a run without cycles


def of_verify(folder):
    """One case, its table and its page; a page is renewed in place. The whole list is the test `literature`."""
    page = folder / "page.md"
    page.write_text("# Mine\n")
    for _ in range(2):
        text = done("verify", "--case", "impact-2", "--out", page, folder=folder).stdout
    check(re.search(r"^SUITE literature: tried (\d+), survived \1, refused 0, equal 0, failures 0$", text, re.M), "verify says", text)
    check(page.read_text().startswith("# Mine\n") and page.read_text().count("| case | what |") == 1, "verify made the page", page.read_text())
    refused(["no case 'impact-22'", "did you mean 'impact-2'"], "verify", "--case", "impact-22", folder=folder)
    refused(["--quick"], "verify", "--quick", "--full", folder=folder)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        of_the_program(folder)
        of_contact()
        of_list(folder)
        of_show(folder)
        of_check(folder)
        of_report(folder)
        of_sample(folder)
        of_compare(folder)
        of_verify(folder)
    faults.finish()


if __name__ == "__main__":
    main()
