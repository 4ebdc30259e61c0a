#!/usr/bin/env python3
"""Continua: what every run of particles tells, by both methods; bad input by its key; particles that are lost or crushed by their name."""
import math
import pathlib

from program import SOURCE, Faults, done, figures, scratch, sets, state_hash, talus

faults = Faults()
QUIET = sets(output__vtk="false", output__film_frames=0, output__hash_every=100, probes__every=50)
EVERY = ("particles", "ms_per_step", "dt_mean", "mass_drift_rel", "momentum_drift_rel", "energy_residual_rel", "wall_crossings")
SHORT = {"dam-break": sets(spacing="6 mm", time="0.15 s"), "hydrostatic": sets(spacing="50 mm", time="0.1 s"), "jelly": sets(spacing="60 mm", time="0.1 s"),
         "spinning-cube": sets(spacing="25 mm", time="0.05 s"), "cantilever": sets(spacing="5 mm", time="0.02 s"), "rings": sets(spacing="4 mm", time="0.1 s"),
         "sand-column-2d": sets(spacing="25 mm", time="0.2 s"), "sand-column": sets(spacing="50 mm", time="0.2 s"), "landslide": sets(spacing="0.6 m", time="0.3 s"),
         "slope": sets(spacing="20 mm", time="0.1 s"), "bars": sets(spacing="20 mm", time="0.2 s"), "pile": sets(spacing="20 mm", pour="0.2 s", time="0.3 s"),
         "water-on-plate": sets(spacing="50 mm", time="0.02 s")}


def every_run(folder):
    for scene, size in SHORT.items():
        for method in ("sph", "mpm") if scene == "sand-column" else ("sph",):
            out = f"{scene}-{method}"
            chosen = sets(method=method) if scene == "sand-column" else []
            done("run", SOURCE / "scenes" / f"{scene}.toml", "--quiet", "--threads", 1, "--out", out, *size, *chosen, *QUIET, folder=folder)
            got = figures(folder / out)
            print(out, {name: got.get(name) for name in EVERY})
            for name in EVERY:
                faults.check(isinstance(got.get(name), (int, float)) and math.isfinite(got[name]), f"{out}: no figure {name}")
            faults.check(abs(got["mass_drift_rel"]) < 1e-12, f"{out}: mass drifts", got["mass_drift_rel"])
            faults.check(abs(got["momentum_drift_rel"]) < 1e-10, f"{out}: momentum drifts", got["momentum_drift_rel"])
            faults.check(abs(got["energy_residual_rel"]) < 0.05, f"{out}: the ledger of energy does not close", got["energy_residual_rel"])
            faults.check(got["wall_crossings"] == 0 and got["particles"] > 10, f"{out}: particles or crossings", got["particles"], got["wall_crossings"])


def same_bits(folder):
    """The second method: threads, a stop on the way."""
    size = SHORT["sand-column"] + sets(method="mpm") + QUIET
    scene = SOURCE / "scenes/sand-column.toml"
    done("run", scene, "--quiet", "--threads", 3, "--out", "part", *size, "--until", 0.1, folder=folder)
    done("resume", "part", "--quiet", "--threads", 2, folder=folder)
    faults.check(state_hash(folder / "part") == state_hash(folder / "sand-column-mpm"), "mpm: threads or a resume changed the hash")


def refused(folder, name, scene, says, *settings, change=(), code=2):
    text = (SOURCE / "scenes" / f"{scene}.toml").read_text()
    for before, after in change:
        if before not in text:
            return faults.check(False, f"{name}: the scene does not hold {before!r}")
        text = text.replace(before, after, 1)
    (folder / "bad.toml").write_text(text)
    out = folder / f"bad-{name.replace(' ', '-')}"
    result = talus("run", "bad.toml", "--quiet", "--threads", 1, "--out", out, *settings, *(QUIET if code == 3 else []), folder=folder)
    message = result.stdout + result.stderr
    faults.check(result.returncode == code, f"{name}: exit {result.returncode} instead of {code}", message[-300:])
    for word in says:
        faults.check(word in message, f"{name}: the message does not say {word!r}", message[-300:])


def bad_input(folder):
    refused(folder, "step above the limit", "sand-column", ["sph.time_step", "above the stable limit"], *sets(sph__time_step="1 s"))
    refused(folder, "step above the limit of mpm", "sand-column", ["mpm.time_step", "above the stable limit"], *sets(method="mpm", mpm__time_step="1 s"))
    refused(folder, "bodies that overlap", "sand-column-2d", ["body.second.low", "overlaps 'column'"], change=[("[cell]", '[body.second]\nlow = ["0.1 m", "0.1 m"]\nsize = ["0.2 m", "0.2 m"]\n\n[cell]')])
    refused(folder, "body leaves the domain", "sand-column-2d", ["body.column.low", "leaves the domain along y"], *sets(height="0.5 m"))
    refused(folder, "too many particles", "sand-column", ["sph.spacing", "particles; at most 200 million"], *sets(spacing="0.1 mm"))
    refused(folder, "too many particles of mpm", "sand-column", ["mpm.spacing", "particles; at most 200 million"], *sets(method="mpm", spacing="0.1 mm"))
    refused(folder, "three elastic constants", "jelly", ["material.jelly.young", "two elastic constants"], change=[('poisson = "$poisson"', 'poisson = "$poisson"\nshear_modulus = "18 kPa"')])
    refused(folder, "inflow into a wall", "pile", ["inflow.mouth.low"], change=[('low = ["0 m", "40 mm"]', 'low = ["-10 mm", "40 mm"]')])
    refused(folder, "inflow out of the domain", "pile", ["inflow.mouth.low", "leaves the domain along y"], change=[('low = ["0 m", "40 mm"]', 'low = ["0 m", "0.5 m"]')])
    refused(folder, "a stage for contacts", "jelly", ["stage[0].kind", "looks at contacts of grains"], change=[('kind = "run"\ntime = "$time"', 'kind = "settle"\nmax_time = "$time"')])
    refused(folder, "no body", "sand-column-2d", ["body", "no body"], change=[('[body.column]\nsize = ["$width", "$height"]\n', "")])
    refused(folder, "total in a grid", "sand-column", ["body.column.formulation"], *sets(method="mpm"), change=[('kind = "cylinder"', 'kind = "cylinder"\nformulation = "total"'), ("drucker-prager", "elastic"), ('friction_angle = "$phi"\ncohesion = ["$cohesion"]\ncone = "$cone"\ntension_cracking = "$tension_cracking"\nreturn_mapping = "$return_mapping"\n', "")])
    refused(folder, "pouring into a grid", "pile", ["inflow", "method mpm neither pours nor drains"], change=[('method = "sph"', 'method = "mpm"'), ("[cell]", '[mpm]\nspacing = "$spacing"\n\n[cell]')])


def named(folder):
    fast = [('[body.column]\n', '[body.column]\nvelocity = ["0 m/s", "-200 m/s"]\n')]
    refused(folder, "crushed", "sand-column-2d", ["particle ", "compressed by more than 20 %", "sound_speed"], *SHORT["sand-column-2d"], change=fast, code=3)
    away = [('[boundary.tank]\nkind = "box"\nslip = "$slip"\n', '[boundary.floor]\nkind = "plane"\npoint = ["0 m", "0 m", "0 m"]\nnormal = [0, 0, 1]\nslip = "$slip"\n'), ('low = ["0.2 m", "0.2 m", "$drop"]', 'low = ["0.2 m", "0.2 m", "$drop"]\nvelocity = ["20 m/s", "0 m/s", "0 m/s"]')]
    refused(folder, "lost", "jelly", ["particle ", "has left the domain"], *SHORT["jelly"], change=away, code=3)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        every_run(folder)
        same_bits(folder)
        bad_input(folder)
        named(folder)
    faults.finish()


if __name__ == "__main__":
    main()
