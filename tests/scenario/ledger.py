#!/usr/bin/env python3
"""A small triaxial test from the outside: the energy ledger closes, the promised figures are there, the loading is slow
enough, the resolved scene runs to the same bits; and what the program says in each of its voices."""
import json
import pathlib
import shutil
import sys
import tomllib

import numpy as np

from program import SOURCE, Faults, done, figures, scratch, sets, state_hash, summary, talus

PROMISED = ("q_peak", "q_plateau", "phi_peak_deg", "phi_plateau_deg", "porosity0", "Z0", "eps_v_final",
            "inertial_number_max", "energy_residual_rel", "particle_steps_per_s")
GIVEN = ("initial_energy", "boundary_work", "gravity_work", "growth_work")
HELD = ("kinetic", "elastic_normal", "elastic_shear")
LOST = ("friction_work", "viscous_work", "stiffness_work", "local_damping_work", "removed_kinetic")
SMALL = sets(grains=100, strain_max=0.001)

faults = Faults()
check = faults.check


def series(folder):
    """{name: column} of series.csv."""
    lines = (folder / "series.csv").read_text().splitlines()
    names = [title.split(" [")[0] for title in lines[0].split(",")]
    check(all("[" in title for title in lines[0].split(",")[1:]), "the header of the series lacks units:", lines[0])
    values = np.array([[float(field) for field in line.split(",")] for line in lines[1:]])
    return dict(zip(names, values.T))


def triaxial(folder):
    run = folder / "triaxial"
    result = done("run", "triaxial", "--threads", 2, "--out", run, *sets(grains=400, strain_max=0.02))
    for name in ("scene.toml", "summary.json", "series.csv", "report.html", "hash_chain.csv", "sample.png", "vtk/grains.pvd",
                 "vtk/contacts.pvd"):
        check((run / name).is_file(), "the run folder lacks", name)
    check(1 <= len(list(run.glob("checkpoint-*.h5"))) <= 2, "there are not one or two checkpoints")
    values = figures(run)
    for name, figure in summary(run)["figures"].items():
        check(set(figure) >= {"value", "unit", "definition"}, name, "lacks an entry:", figure)
        check(figure["value"] is not None or figure.get("reason"), name, "is null without a reason")
    for name in PROMISED:
        check(values.get(name) is not None, "the figure", name, "is missing")
        check(name in result.stdout, "the figure", name, "is not printed")
    if faults.list:
        return run
    print({name: values[name] for name in PROMISED})
    check(values["energy_residual_rel"] < 1e-3, "the ledger misses", values["energy_residual_rel"], "of the boundary work")
    check(values["inertial_number_max"] <= 1e-3, "the inertial number reaches", values["inertial_number_max"])
    check(0.36 < values["porosity0"] < 0.41, "the porosity is", values["porosity0"])  # a few hundred grains scatter
    check(values["max_overlap"] < 0.2, "the overlap reaches", values["max_overlap"])
    check(values["q_peak"] > 5e4, "there is no strength: q_peak", values["q_peak"])

    rows = series(run)
    check(np.isfinite(np.array(list(rows.values()))).all(), "the series holds values that are not finite")
    check((np.diff(rows["step"]) >= 0).all() and (np.diff(rows["time"]) >= 0).all(), "the series goes back in time")
    # The residual of the series is what its own columns say, and no entry that only loses gains.
    residual = sum(rows[n] for n in HELD) + sum(rows[n] for n in LOST) - sum(rows[n] for n in GIVEN)
    scale = max(abs(rows[name]).max() for name in HELD + LOST + GIVEN)
    check(np.allclose(abs(residual), abs(rows["residual"]), atol=1e-9 * scale, rtol=0),
          "the residual is not that of the entries of the ledger")
    for name in ("friction_work", "local_damping_work", "removed_kinetic"):
        check((np.diff(rows[name]) >= -1e-9 * scale).all(), name, "gives energy back")
    stage = rows["stage"] == rows["stage"].max()
    work = abs(np.ptp(rows["boundary_work"][stage]))
    worst = abs(rows["residual"][stage] - rows["residual"][stage][0]).max() / work
    print(f"largest residual on the way: {worst:.1e} of the boundary work")
    check(worst < 1e-3, "the ledger is off on the way by", worst)
    lateral = (rows["sigma_xx"] + rows["sigma_yy"])[stage] / 2
    check(np.allclose(lateral[len(lateral) // 2:], 1e5, rtol=0.05), "the confining stress is not held:", lateral)
    return run


def resolved(folder, run):
    """scene.toml spells everything out: it needs no --set, and gives the same bits."""
    again = folder / "again"
    small = folder / "small"
    done("run", "triaxial", "--quiet", "--threads", 1, "--out", small, *SMALL)
    done("run", small / "scene.toml", "--quiet", "--threads", 2, "--out", again)
    check(state_hash(again) == state_hash(small), "the resolved scene gives another hash")
    check((again / "series.csv").read_bytes() == (small / "series.csv").read_bytes(), "the resolved scene gives another series")
    mine, other = (tomllib.loads((f / "scene.toml").read_text()) for f in (again, small))
    check(mine == other, "the resolved scene resolves to another")
    hashes = {name: summary(f)["provenance"] for name, f in {"small": small, "run": run}.items()}
    for name, provenance in hashes.items():
        in_git = ["commit"] if (SOURCE / ".git").exists() else []
        for key in (*in_git, "scene", "version", "seed", "threads", "device", "command", "wall_time_s", "state_hash", "status"):
            check(provenance.get(key) not in (None, ""), f"{name}: the summary does not tell", key)


def voices(folder):
    quiet = done("run", "triaxial", "--quiet", "--threads", 1, "--out", folder / "quiet", *SMALL)
    check(quiet.stdout == quiet.stderr == "", "--quiet prints", quiet.stdout, quiet.stderr)
    spoken = done("run", "triaxial", "--json", "--threads", 1, "--out", folder / "json", *SMALL)
    lines = spoken.stdout.splitlines()
    try:
        objects = [json.loads(line) for line in lines]
    except ValueError as error:
        return check(False, "--json prints what is not JSON:", error, spoken.stdout[:400])
    check(objects and isinstance(objects[-1], dict) and "figures" in objects[-1], "--json ends with", lines[-1:])
    check(objects[-1].get("state_hash") == state_hash(folder / "json"), "--json tells another hash than the summary")
    check(objects[-1].get("status") == "done", "--json tells the status", objects[-1].get("status"))
    check(spoken.stderr == "", "--json prints on standard error:", spoken.stderr)
    check(state_hash(folder / "json") == state_hash(folder / "quiet"), "the voice changes the result")
    profile = done("run", "triaxial", "--profile", "--threads", 1, "--out", folder / "profile", *SMALL)
    for label in ("drive", "kick_drift", "find_pairs", "act_gather"):
        check(label in profile.stdout + profile.stderr, "--profile does not tell the time of", label, profile.stderr)


def replicates(folder):
    run, sample = folder / "ensemble", sets(grains=100, strain_max=0.002)
    done("run", "triaxial", "--quiet", "--threads", 1, "--out", run, *sample, *sets(replicates=2, seed=5))
    runs = sorted(path.name for path in run.iterdir() if path.is_dir())
    check(runs == ["seed-5", "seed-6"], "two replicates made", runs)
    check((run / "report.html").is_file(), "the ensemble has no report")
    parts = [figures(run / name) for name in ("seed-5", "seed-6")]
    whole = figures(run)
    check(state_hash(run / "seed-5") != state_hash(run / "seed-6"), "two seeds give the same hash")
    for name in ("q_peak", "porosity0", "Z0"):
        a, b = (part[name] for part in parts)
        faults.near(f"mean of {name}", whole.get(name), (a + b) / 2, 1e-12)
        faults.near(f"spread of {name}", whole.get(name + "_spread"), abs(a - b) / 2**0.5, 1e-9)
    one = done("run", "triaxial", "--quiet", "--threads", 1, "--out", folder / "alone", *sample, *sets(seed=6))
    check(state_hash(folder / "alone") == state_hash(run / "seed-6"), "a replicate is not the run of its seed", one.stderr)
    # Stopped between two seeds: resume runs the missing one and makes mean and spread.
    before = (run / "summary.json").read_text()
    hashes = state_hash(run / "seed-5"), state_hash(run / "seed-6")
    shutil.rmtree(run / "seed-6")
    (run / "summary.json").unlink()
    done("resume", run, "--quiet", "--threads", 1)
    check((state_hash(run / "seed-5"), state_hash(run / "seed-6")) == hashes, "resumed replicates have other hashes")
    check(figures(run)["q_peak"] == whole["q_peak"] and before, "resumed replicates have another mean")
    done("report", run / "seed-5", run / "seed-6", "--out", folder / "both.html")
    check((folder / "both.html").stat().st_size > 10000, "the report of two runs is empty")


def check_command(folder):
    text = done("check", "triaxial", "--full", "--threads", 1, *sets(grains=300, confining="50 kPa"), folder=folder).stdout
    audit, _, scene = text.partition("\ntitle = ")
    for words in ("grains", "confining", "friction", "rotation", "strain_max", "seed", "porosity", "time step", "limit",
                  "memory", "disk", "wall time", "inertial number", "stiffness number", "overlap", "steps", "(set)"):
        check(words in audit, "talus check does not tell:", words)
    check("[material.quartz]" in scene and "time_step_safety" in scene, "talus check does not print the resolved scene")
    check(not list(folder.glob("runs*")), "talus check leaves files behind")
    # How well a step gives back the restitution of dashpots: said where there are some.
    check("rebounds from dashpots are within about 1 %" in done("check", "box", "--threads", 1, folder=folder).stdout, "talus check does not tell the error of rebounds")
    check("rebounds" not in audit, "talus check tells an error of rebounds where nothing rebounds")
    # What it prints is a scene.
    (folder / "printed.toml").write_text(text)
    done("check", folder / "printed.toml", "--threads", 1, folder=folder)


def list_command(folder):
    wanted = {
        "scenes": sorted(path.stem for path in (SOURCE / "scenes").glob("*.toml")),
        "laws": ["hertz-mindlin", "linear", "normal_stiffness", "shear_unloading"],
        "shapes": ["sphere", "disc", "plane"],
        "stages": ["grow", "isotropic", "consolidate", "shear", "settle", "relax", "confining", "friction_scale"],
    }
    for what, words in wanted.items():
        text = done("list", what, folder=folder).stdout
        for word in words:
            check(word in text, f"talus list {what} does not tell", word)
    text = talus("--help").stdout
    for word in ("run", "resume", "check", "list", "report"):
        check(word in text, "talus --help does not tell", word)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        run = triaxial(folder)
        if "--vtk" in sys.argv:
            import read_vtk
            read_vtk.check_folder(run / "vtk")
        resolved(folder, run)
        voices(folder)
        replicates(folder)
        check_command(folder)
        list_command(folder)
    faults.finish()


if __name__ == "__main__":
    main()
