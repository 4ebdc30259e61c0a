#!/usr/bin/env python3
"""Runs the study of multi-contact models and writes results.csv, table.csv and the curves of this page.

    docs/results/multicontact/study.py [--talus PROGRAM] [--keep FOLDER] [--grains CSV] [--cycles N] [--jobs N] [--minutes M] [NAME ...]
    docs/results/multicontact/study.py --list
    docs/results/multicontact/study.py --run-only --keep FOLDER "own multi-contact 2"
    docs/results/multicontact/study.py --page-only --keep FOLDER

NAME selects parts (measured: start positions of the experiment, needs --grains; own: packings of its own, three seeds; plain: one cycle without
local damping; two_sizes: hydrogel-1921; poisson: ratio 0, 0.3 and 0.5; gamma: fitted at each level to the exact solution
of a sphere, point-on-sphere with its self term; hard: grains of 100 times the modulus near jamming; self_term, iterated, saturated), or single runs by the name that --list gives. Runs that lie in
FOLDER already are not made again, those that were stopped go on. After M minutes runs save themselves and stop. The page is made from what is there.
"""
import argparse, csv, json, math, statistics, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from study_runs import copy_run, figures_of, folder_of, is_done, run_case, write_rows
from svg_chart import chart

MODELS = ["independent", "point-on-sphere", "sphere-to-sphere", "half-space", "multi-contact"]
SHORT = {"independent": "independent", "point-on-sphere": "point on sphere", "sphere-to-sphere": "sphere to sphere", "half-space": "half-space",
         "multi-contact": "multi-contact, 1.19"}
FIGURES = ["F_top_max_N", "F_top_max_deviation_N", "Z_min", "Z_max", "phi_min", "phi_max", "scaling_slope", "scaling_r2", "hysteresis_rel",
           "contraction_max", "max_overlap"]
YOUNG, AREA = 23.3e3, 0.165190844 * 0.165833589  # Pa, m2
NUS, GAMMAS, HARD = (0, 0.3, 0.5), (0.8, 0.9, 1.0, 1.1, 1.19, 1.3), 100
P_OWN, P_TWO = 0.0101 * YOUNG, 200.0             # Pa of the independent model at which ratios are taken


def cases(a):
    """part, name, scene, settings"""
    full = dict(cycles=a.cycles, dropped=min(5, a.cycles - 1))
    for m in MODELS:
        yield "measured", f"measured {m}", "hydrogel", dict(full, model=m, grains_file=a.grains)
        yield "plain", f"plain {m}", "hydrogel", dict(model=m, grains_file=a.grains, cycles=1, dropped=0, damping=0)
        for seed in (1, 2, 3):
            yield "own", f"own {m} {seed}", "hydrogel", dict(full, model=m, seed=seed, plate_travel="31 mm")
    for m in ("independent", "multi-contact"):
        for seed in (1, 2, 3):
            yield "two_sizes", f"two_sizes {m} {seed}", "hydrogel-1921", dict(model=m, seed=seed, plate_travel="28 mm")
        for nu in NUS:
            yield "poisson", f"poisson {nu} {m}", "hydrogel", dict(model=m, poisson=nu, cycles=2, dropped=1)
        for seed in (1, 2, 3):  # the same in units of E: steps and speeds go with its root; the weight of the grains matters less
            root = math.sqrt(HARD)
            yield "hard", f"hard {m} {seed}", "hydrogel", dict(model=m, seed=seed, young=f"{YOUNG * HARD:g} Pa", dt=f"{0.4 / root:g} ms",
                                                               plate_speed=f"{20 * root:g} mm/s", plate_travel="18 mm", levels=60, cycles=1, dropped=0)
    single = dict(cycles=1, dropped=0)
    yield "gamma", "gamma sphere", "hydrogel", dict(single, model="point-on-sphere", self_term="true")
    for g in GAMMAS:
        yield "gamma", f"gamma {g}", "hydrogel", dict(single, model="multi-contact", gamma=g)
    for name, more in {"self_term": dict(model="point-on-sphere", self_term="true"), "iterated": dict(model="multi-contact", iterate="true"),
                       "saturated": dict(model="multi-contact", contact__law="hertz-saturated")}.items():
        yield name, name, "hydrogel", dict(cycles=2, dropped=1, **more, **({"grains_file": a.grains} if a.grains else {}))


def levels(folder, dropped):
    """Means over cycles, loading and unloading: [(travel, {column: mean})], and the forces of each cycle at each level of loading."""
    with open(folder / "series.csv") as f:
        rows = [{k.split(" ")[0]: float(v) for k, v in r.items()} for r in csv.DictReader(f)]
    out = {}
    for r in rows:
        if r["settled"] == 1 and r["cycle"] > dropped:
            out.setdefault((r["loading"] == 1, int(r["level"])), []).append(r)
    mean = lambda group: {k: statistics.fmean(r[k] for r in group) for k in group[0]}
    down = [mean(out[k]) for k in sorted(k for k in out if k[0])]
    up = [mean(out[k]) for k in sorted((k for k in out if not k[0]), key=lambda k: -k[1])]
    return down, up


def at(x, y, value):
    """Where a rising y reaches a value."""
    for (x0, y0), (x1, y1) in zip(zip(x, y), zip(x[1:], y[1:])):
        if y0 <= value <= y1:
            return x0 + (value - y0) / (y1 - y0) * (x1 - x0)
    return None


def interpolate(x, y, value):
    for (x0, y0), (x1, y1) in zip(zip(x, y), zip(x[1:], y[1:])):
        if x0 <= value <= x1:
            return y0 + (value - x0) / (x1 - x0) * (y1 - y0)
    return y[-1]


def ratios_at(a, part, models, seeds, pressure, area, dropped, quiet=False, zero=(0,)):
    """Force over that of multi-contact at the travel where the independent model has a pressure; one dict per seed. `zero`: where curves start before the first level."""
    found = []
    for seed in seeds:
        curve = {}
        for m in models:
            folder = folder_of(a.keep, f"{part} {m}" + (f" {seed}" if seed else ""))
            if not is_done(folder):
                break
            down, _ = levels(folder, dropped)
            curve[m] = ([*zero] + [r["travel"] for r in down], [*zero] + [r["top_force"] for r in down])
        else:
            travel = at(*curve["independent"], pressure * area)
            if travel is None:
                if not quiet:
                    print(part, seed, "the independent model does not reach", pressure, "Pa; largest", max(curve["independent"][1]) / area)
                continue
            force = {m: interpolate(*curve[m], travel) for m in models}
            found.append(dict(seed=seed, travel_mm=1e3 * travel, **{m: force[m] / force["multi-contact"] for m in models},
                              F_multi_N=force["multi-contact"], F_independent_N=force["independent"]))
    return found


def publish(a):
    rows, table = [], []
    for part, name, scene, settings in cases(a):
        folder = folder_of(a.keep, name)
        if is_done(folder):
            f = figures_of(folder)
            rows.append(dict(run=name, scene=scene, **{k: f.get(k) for k in FIGURES}))
    by = {r["run"]: r for r in rows}
    for r in rows:
        part, *rest = r["run"].split(" ")
        model = next((m for m in MODELS if m in rest), None)
        reference = model and by.get(r["run"].replace(model, "multi-contact"))
        r["ratio_to_multicontact"] = r["F_top_max_N"] / reference["F_top_max_N"] if reference and r["F_top_max_N"] else None
    with open(HERE / "results.csv", "w", newline="") as f:
        w = csv.DictWriter(f, fieldnames=["run", "scene", "ratio_to_multicontact", *FIGURES], lineterminator="\n")
        w.writeheader()
        w.writerows(rows)
    dropped = min(5, a.cycles - 1)
    own = ratios_at(a, "own", MODELS, (1, 2, 3), P_OWN, AREA, dropped)
    two = ratios_at(a, "two_sizes", ["independent", "multi-contact"], (1, 2, 3), P_TWO, 0.2422 ** 2, 2)
    for label, found in (("own", own), ("two_sizes", two)):
        if found:
            write_rows(HERE / f"ratios_{label}.csv", found)
    for m in MODELS:
        if is_done(folder_of(a.keep, f"own {m} 1")):
            keep_run(folder_of(a.keep, f"own {m} 1"), HERE / f"own-{m}-1")
    gamma_by_level(a)
    poisson_table(a)
    hard_grains(a)
    measured = [m for m in MODELS if is_done(folder_of(a.keep, f"measured {m}"))]
    if "multi-contact" in measured:
        compared = subprocess.run([a.talus, "compare", *[str(folder_of(a.keep, f"measured {m}")) for m in measured], "--reference",
                                   str(folder_of(a.keep, "measured multi-contact")), "--dropped", str(dropped), "--json"], capture_output=True, text=True, check=True)
        with open(HERE / "table.csv", "w", newline="") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(["model", "Rtop_against_15.2_N_of_the_experiment", "Rtop_against_the_multi-contact_run", "errf_N_against_the_multi-contact_run",
                        "errZ_against_the_multi-contact_run", "bhat_against_the_multi-contact_run", "tau_mN_against_the_multi-contact_run"])
            for m, c in zip(measured, json.loads(compared.stdout)):
                w.writerow([m, f"{by[f'measured {m}']['F_top_max_N'] / 15.2:.4f}", f"{c['Rtop']:.4f}", f"{c['errf_N']:.4f}", f"{c['errZ']:.4f}",
                            f"{c['bhat']:.5f}", f"{1e3 * c['tau_N']:.3f}"])
        pictures(a, measured, dropped)


def keep_run(folder, target):
    """Scene, summary, hash chain, and of the series the states at rest."""
    copy_run(folder, target)
    kept = ("step", "time", "cycle", "loading", "level", "travel", "top_force", "Z_any", "Z_strong", "phi_inside", "scaling", "contraction")
    with open(folder / "series.csv") as f, open(target / "series.csv", "w", newline="") as out:
        rows = csv.DictReader(f)
        names = [n for n in rows.fieldnames if n.split(" ")[0] in kept]
        settled = next(n for n in rows.fieldnames if n.split(" ")[0] == "settled")
        w = csv.DictWriter(out, fieldnames=names, extrasaction="ignore", lineterminator="\n")
        w.writeheader()
        w.writerows(r for r in rows if float(r[settled]) == 1)


def gamma_by_level(a):
    """At each level of loading the gamma with which the plate carries what it carries on spheres that answer exactly."""
    reference = folder_of(a.keep, "gamma sphere")
    runs = [(g, folder_of(a.keep, f"gamma {g}")) for g in GAMMAS]
    runs = [(g, levels(f, 0)[0]) for g, f in runs if is_done(f)]
    if not is_done(reference) or len(runs) < 3:
        return
    rows = []
    for k, r in enumerate(levels(reference, 0)[0]):
        force = [down[k]["top_force"] for _, down in runs]
        found = at([g for g, _ in runs], force, r["top_force"])
        if found is not None and force == sorted(force):
            rows.append(dict(level=int(r["level"]), travel_mm=f"{1e3 * r['travel']:.3f}", Z=f"{r['Z_any']:.4f}", phi=f"{r['phi_inside']:.4f}",
                             F_N=f"{r['top_force']:.4f}", gamma=f"{found:.4f}", dF_dgamma_N=f"{(force[-1] - force[0]) / (runs[-1][0] - runs[0][0]):.3f}"))
    if rows:
        write_rows(HERE / "gamma.csv", rows)
        for x, name, label in (("Z", "gamma_z.svg", "contacts per grain"), ("phi", "gamma_phi.svg", "solid fraction")):
            chart(HERE / name, "Factor of the half-space that gives the force of exact spheres", label, "gamma",
                  [dict(x=[float(r[x]) for r in rows], y=[float(r["gamma"]) for r in rows], label="one loading, own packing", dots=True)])


def poisson_table(a):
    rows = []
    for nu in NUS:
        folders = [folder_of(a.keep, f"poisson {nu} {m}") for m in ("independent", "multi-contact")]
        if all(map(is_done, folders)):
            single, multi = map(figures_of, folders)
            rows.append(dict(nu=nu, F_independent_N=f"{single['F_top_max_N']:.4f}", F_multi_N=f"{multi['F_top_max_N']:.4f}",
                             ratio=f"{single['F_top_max_N'] / multi['F_top_max_N']:.4f}", contraction_max=f"{multi['contraction_max']:.4f}"))
    if rows:
        write_rows(HERE / "poisson.csv", rows)


def hard_grains(a):
    """Force of independent contacts over that of multi-contact at the same way of the plate, against the pressure of the former."""
    pressures = [1e-5 * 10 ** (k / 4) for k in range(10)]
    young = YOUNG * HARD
    found = {p: [] for p in pressures}
    for p in pressures:
        found[p] = [r["independent"] for r in ratios_at(a, "hard", ["independent", "multi-contact"], (1, 2, 3), p * young, AREA, 0, quiet=True, zero=())]
    rows = [dict(p_over_E=f"{p:.4g}", ratio=f"{statistics.fmean(f):.4f}", spread=f"{statistics.pstdev(f):.4f}", seeds=len(f)) for p, f in found.items() if f]
    if rows:
        write_rows(HERE / "hard.csv", rows)
        chart(HERE / "hard.svg", "Hard grains near jamming", "pressure of the independent model / E", "independent over multi-contact",
              [dict(x=[float(r["p_over_E"]) for r in rows], y=[float(r["ratio"]) for r in rows], label="mean of the seeds", dots=True)], log_x=True)


def pictures(a, models, dropped):
    force, z, scaling, distribution = [], [], [], []
    edges = [1e-4 * 10 ** (4 * k / 80) for k in range(81)]
    for n, m in enumerate(models):
        down, up = levels(folder_of(a.keep, f"measured {m}"), dropped)
        loop = down + up
        force.append(dict(x=[1e3 * r["travel"] for r in loop], y=[r["top_force"] for r in loop], label=SHORT[m]))
        z.append(dict(x=[1e3 * r["travel"] for r in loop], y=[r["Z_strong"] for r in loop], label=SHORT[m]))
        scaling.append(dict(x=[1e3 * r["scaling"] for r in loop], y=[r["top_force"] for r in loop], label=SHORT[m]))
        half = min(up, key=lambda r: abs(r["travel"] - 18e-3))  # as figure 4 of the paper
        counts = [half[f"f_class_{k:02d}"] for k in range(80)]
        total = sum(counts)
        points = [(1e3 * math.sqrt(edges[k] * edges[k + 1]), counts[k] / total / (1e3 * (edges[k + 1] - edges[k]))) for k in range(80) if counts[k] > 0]
        distribution.append(dict(x=[p[0] for p in points], y=[p[1] for p in points], label=SHORT[m]))
    chart(HERE / "force.svg", "Force on the plate (figure 3)", "way of the plate [mm]", "force [N]", force)
    chart(HERE / "distribution.svg", "Contact forces at 18 mm, unloading (figure 4)", "force [mN]", "P(f) [1/mN]", distribution, x_range=(0.3, 1000),
          y_range=(1e-5, 0.2), log_x=True, log_y=True)
    chart(HERE / "z.svg", "Contacts per grain above 4 mN (figure 5)", "way of the plate [mm]", "Z", z)
    chart(HERE / "scaling.svg", "Scaling law (figure 6)", "<Z><phi><b><f> [mN m]", "force on the plate [N]", scaling)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--talus", default=str(ROOT / "build/bin/talus"))
    p.add_argument("--keep", type=Path)
    p.add_argument("--grains")
    p.add_argument("--cycles", type=int, default=20)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--minutes", type=float)
    p.add_argument("--list", action="store_true", help="names of the runs that NAME selects")
    only = p.add_mutually_exclusive_group()
    only.add_argument("--run-only", action="store_true", help="leave the page as it is")
    only.add_argument("--page-only", action="store_true", help="run nothing")
    a = p.parse_args()
    a.grains = str(Path(a.grains).resolve()) if a.grains else None
    chosen = [c for c in cases(a) if not a.names or c[0] in a.names or c[1] in a.names]
    unknown = [n for n in a.names if not any(n in c[:2] for c in chosen)]
    if unknown:
        p.error(f"no run or part is called {unknown[0]!r}; --list names them")
    bare = [c[1] for c in chosen if c[0] in ("measured", "plain") and not a.grains]
    if bare and a.names and not (a.list or a.page_only):
        p.error(f"{bare[0]!r} needs --grains, the start positions of the experiment")
    if not a.list:
        chosen = [c for c in chosen if c[1] not in bare]
    if a.list:
        print(*[c[1] for c in chosen], sep="\n")
        return 0
    a.keep = (a.keep or Path(tempfile.mkdtemp())).resolve()
    a.keep.mkdir(parents=True, exist_ok=True)
    good = True
    if not a.page_only:
        until = None if a.minutes is None else time.monotonic() + 60 * a.minutes
        cost = ["independent", "half-space", "sphere-to-sphere", "point-on-sphere", "multi-contact"]  # long runs first
        chosen.sort(key=lambda c: -cost.index(c[3]["model"]))
        with ThreadPoolExecutor(a.jobs) as pool:
            good = all(list(pool.map(lambda c: run_case(a.talus, folder_of(a.keep, c[1]), c[2], c[3], until), chosen)))
    if not a.run_only:
        publish(a)
    return 0 if good else 1


sys.exit(main())
