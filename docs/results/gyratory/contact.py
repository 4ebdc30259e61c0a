#!/usr/bin/env python3
"""Curves and tables of docs/results/gyratory/contact.md: one contact by itself. Runs talus contact and burgers-check, writes contact_*.csv and .svg.

    contact.py [--talus ./talus] [PART ...]
"""
import argparse, csv, json, math, random, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from svg_chart import chart

MORTAR = {100: (40.27, 613.50, 15.02, 3.33), 125: (23.45, 558.73, 11.63, 2.43), 150: (15.12, 530.09, 10.52, 2.05)}  # MPa, MPa s


def columns_of(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return {name.split(" [")[0]: [float(r[k]) for r in rows[1:]] for k, name in enumerate(rows[0])}


class Bench:
    def __init__(self, talus, work):
        self.talus, self.work = talus, work

    def contact(self, law, path, **keys):
        """Columns and figures of talus contact."""
        out = self.work / "bench.csv"
        text = subprocess.run([self.talus, "contact", law, "--path", path, "--out", out, *(f"--set={k}={v}" for k, v in keys.items())],
                              check=True, capture_output=True, text=True).stdout
        columns, figures = columns_of(out), {}
        for name, word, *_ in (line.split() for line in text.splitlines() if len(line.split()) > 1):
            if name not in columns:
                try:
                    figures[name] = float(word)
                except ValueError:
                    figures[name] = None
        return columns, figures

    def check(self, **keys):
        """Series and figures of burgers-check."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            out = Path(folder) / "run"
            subprocess.run([self.talus, "run", "burgers-check", "--quiet", "--threads", "1", "--out", out, *(f"--set={k}={v}" for k, v in keys.items())], check=True)
            return columns_of(out / "series.csv"), {k: f["value"] for k, f in json.load(open(out / "summary.json"))["figures"].items()}


def write(name, header, rows):
    with open(HERE / name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    print(name)
    for row in [header, *rows]:
        print("  ", *row)


def thin(x, y, most=700):
    step = max(1, len(x) // most)
    return {"x": x[::step], "y": y[::step]}


def creep(t, celsius=150):
    """mm at 1 N and area over thickness 1 mm, without inertia."""
    km, cm, kk, ck = MORTAR[celsius]
    return 1 / km + t / cm + (1 - math.exp(-kk * t / ck)) / kk


def inertia():
    """Fig. 2.5, and the force column of Table 2.3 at t = 5 s: m u'' + c u' = F against c u' = F."""
    rows = [(ratio, f"{100 * (1 - math.exp(-5 * ratio)) / (5 * ratio):.2f}") for ratio in (1, 2, 2.1, 10, 100)]
    write("contact_inertia.csv", ("c_over_m_1_per_s", "error_percent"), rows)
    t = [k / 100 for k in range(501)]
    curves = [{"x": t, "y": [x - (1 - math.exp(-r * x)) / r for x in t], "label": f"c/m = {r} 1/s"} for r in (1, 10, 100)]
    chart(HERE / "contact_inertia.svg", "A constant force on a dashpot, with a mass and without (Fig. 2.5)", "time, s", "displacement c/F, s",
          [*curves, {"x": t, "y": t, "label": "no inertia", "dash": True}], y_range=(0, 7))


def coefficients(bench):
    s, _ = bench.contact("burgers", "coefficients")
    # In N, mm, s: what has a unit of force per motion over 1000.
    write("contact_table_3_2.csv", ("factor", "100_degC", "125_degC", "150_degC"),
          [(n, *(f"{v / (1000 if '_u' in n else 1):.6f}" for v in s[n])) for n in s if n != "temperature"])


def three_phases(bench):
    series, rows = {}, []
    for celsius in MORTAR:
        series[celsius], f = bench.check(temperature=f"{celsius} degC")
        rows.append((celsius, f"{f['t1_exact_s']:.4f}", f"{f['t1_s']:.4f}", f"{1e3 * f['u_err_max']:.1e}", f"{f['F_err_max']:.1e}"))
    write("contact_phases.csv", ("temperature_degC", "t1_closed_form_s", "t1_s", "u_err_max_mm", "F_err_max_N"), rows)
    for column, unit, scale, name, figure, y in (("coat_overlap", "overlap, mm", 1e3, "overlap", "5.2", (0, 1.25)), ("coat_force", "force, N", 1, "force", "5.3", (-1.5, 2))):
        lines = [{**thin(s["coat_time"], [scale * v for v in s[column]]), "label": f"{celsius} °C"} for celsius, s in series.items()]
        s = series[150]
        lines.append({**thin(s["coat_time"], [scale * v for v in s[column + "_exact"]]), "label": "150 °C, closed form", "dash": True})
        chart(HERE / f"contact_{name}.svg", f"Pressed, held, drawn apart: {name} of the coats (Fig. {figure})", "time, s", unit, lines, y_range=y)


def steps(bench):
    rows = []
    for mass in ("1 mg", "1 g", "0.1 kg", "10 kg"):
        for dt in (0.2, 1 / 240, 1 / 480, 1 / 960, 1 / 1920):
            _, f = bench.check(mass=mass, dt=f"{dt!r} s")
            rows.append((mass, f"{dt:.6g}", f"{1e3 * f['u_err_max']:.3e}", f"{f['F_err_max']:.3e}"))
    write("contact_steps.csv", ("mass", "dt_s", "u_err_max_mm", "F_err_max_N"), rows)


def first_moments(bench):
    """Figures 5.4, 5.5 (inertia), 5.8, 5.9 (improved models)."""
    rows = []
    for mass, time, name in ((10, 2.0, "large"), (0.1, 2.0, "small")):
        overlap, force = [], []
        for law in ("burgers", "expanded", "reduced"):
            s, _ = bench.contact(law, "creep", mass=f"{mass} kg", force="1 N", time=f"{time} s", steps=80000 if mass > 1 else 400000)
            overlap.append({**thin(s["time"], [1e3 * v for v in s["overlap"]], 2000), "label": law})
            force.append({**thin(s["time"], s["force"], 2000), "label": law})
            off = [(t, abs(1e3 * u - creep(t))) for t, u in zip(s["time"], s["overlap"])]
            rows.append((mass, law, *(f"{max(d for t, d in off if t >= start):.4f}" for start in (0.05, 0.2, 1.0))))
        t = s["time"][::500]
        exact = {"x": t, "y": [creep(v) for v in t], "label": "closed form, no inertia", "dash": True}
        chart(HERE / f"contact_{name}_mass.svg", f"The first moments at {mass} kg (Fig. {'5.8, and 5.4' if mass > 1 else '5.9'})", "time, s", "overlap, mm", [*overlap, exact],
              x_range=(0, 1.0 if mass > 1 else 0.5), y_range=(0, 0.24))
        if mass > 1:
            chart(HERE / "contact_large_force.svg", f"Force of the coats in the first moments at {mass} kg (Fig. 5.5)", "time, s", "force, N", force, x_range=(0, 1.0), y_range=(0, 2.5))
    write("contact_models.csv", ("mass_kg", "model", "off_after_0.05_s_mm", "off_after_0.2_s_mm", "off_after_1_s_mm"), rows)


def decay(bench):
    """How fast the swings of the force die out, from its highest and the later tops."""
    rows = []
    for mass in (0.1, 10, 100, 10000):
        period = 2 * math.pi / math.sqrt(15.12e3 / mass)
        time = max(0.8, 8 * period)
        s, _ = bench.contact("burgers", "creep", mass=f"{mass} kg", force="1 N", time=f"{time} s", steps=int(8000 * time / period))
        f = s["force"]
        tops = [(s["time"][k], f[k] - 1) for k in range(1, len(f) - 1) if f[k - 1] < f[k] > f[k + 1] and f[k] > 1.01]
        (t0, a0), (t1, a1) = tops[0], tops[-1]
        rows.append((mass, len(tops), f"{a0:.3f}", f"{math.log(a0 / a1) / (t1 - t0):.3f}" if t1 > t0 else ""))
    write("contact_decay.csv", ("mass_kg", "tops", "first_top_less_load_N", "decay_per_s"), rows)


def integrators(bench):
    names = {"taylor": "Taylor", "newmark": "Newmark", "rk4": "Runge-Kutta", "printed": "from outside, as printed", "corrected": "from outside, corrected", "implicit": "end of the step"}
    rows = []
    for mass in ("10 kg", "0.1 kg", "10 g", "1 g", "1 mg"):
        _, f = bench.contact("burgers", "integrators", mass=mass, time="2 s")
        for name in names:
            error = f[f"error_{name}"]
            rows.append((mass, name, f"{f[f'growth_{name}']:.4g}", "explodes" if error is None else f"{1e3 * error:.2e}"))
    write("contact_integrators.csv", ("mass", "integrator", "growth_per_step", "largest_error_mm"), rows)
    s, _ = bench.contact("burgers", "integrators", mass="10 kg", time="1 s")
    chart(HERE / "contact_integrators.svg", "10 kg in steps of 1/240 s, by integrator", "time, s", "overlap, mm",
          [{"x": s["time"], "y": [1e3 * v for v in s["overlap_" + k]], "label": label} for k, label in names.items()]
          + [{"x": s["time"], "y": [1e3 * v for v in s["overlap_exact"]], "label": "short steps", "dash": True}], y_range=(0, 0.32))


def frequency(bench):
    lines, rows = [], []
    for celsius in MORTAR:
        s, f = bench.contact("burgers", "frequency", temperature=f"{celsius} degC", low=1e-4, high=30)
        lines.append({"x": s["frequency"], "y": [v / 1e3 for v in s["storage"]], "label": f"{celsius} °C, in phase"})
        lines.append({"x": s["frequency"], "y": [v / 1e3 for v in s["loss"]], "label": f"{celsius} °C, behind", "dash": True})
        rows.append((celsius, f"{f['error_max']:.1e}"))
    write("contact_frequency.csv", ("temperature_degC", "largest_relative_error_against_closed_form"), rows)
    chart(HERE / "contact_frequency.svg", "Stiffness of a coat over frequency, area over thickness 1 mm", "frequency, 1/s", "stiffness, N/mm", lines, log_x=True, log_y=True, y_range=(0.01, 3000))


def fit(bench):
    rows = []
    for celsius, constants in MORTAR.items():
        draw = random.Random(celsius)
        path = bench.work / "creep.csv"
        times = [5e-3 * 8e4 ** (k / 399) for k in range(400)]
        path.write_text("time [s], overlap [mm]\n" + "".join(f"{t!r}, {creep(t, celsius) * (1 + draw.gauss(0, 0.01))!r}\n" for t in times))
        text = subprocess.run([bench.talus, "contact", "burgers", "--fit", path, "--set=force=1 N", "--set=area=0.88 mm2", "--set=thickness=0.88 mm"],
                              check=True, capture_output=True, text=True).stdout
        found = {line.split()[0]: float(line.split()[1]) for line in text.splitlines() if line.startswith(("maxwell", "kelvin"))}
        for name, true in zip(("maxwell_stiffness", "maxwell_viscosity", "kelvin_stiffness", "kelvin_viscosity"), constants):
            rows.append((celsius, name, true, f"{found[name] / 1e6:.4g}", f"{found[name + '_error'] / 1e6:.2g}"))
    write("contact_fit.csv", ("temperature_degC", "constant", "true_MPa", "found_MPa", "standard_error_MPa"), rows)


def appendices(bench):
    s, f = bench.contact("burgers", "friction")
    write("contact_friction.csv", ("friction", "speed_where_it_should_rest_m_per_s"), [(n, f"{f['rest_' + n]:.4f}") for n in ("plain", "stopped", "faded", "solved")])
    s, _ = bench.contact("burgers", "stop")
    write("contact_stop.csv", list(s), [[f"{column[k]:.3f}" for column in s.values()] for k in range(len(s["stiffness_ratio"]))])


PARTS = (coefficients, three_phases, steps, first_moments, decay, integrators, frequency, fit, appendices)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talus", default="talus")
    parser.add_argument("parts", nargs="*", help="all when left out: inertia, " + ", ".join(p.__name__ for p in PARTS))
    a = parser.parse_args()
    if not a.parts or "inertia" in a.parts:
        inertia()
    with tempfile.TemporaryDirectory() as work:
        for part in PARTS:
            if not a.parts or part.__name__ in a.parts:
                part(Bench(a.talus, Path(work)))


main()
