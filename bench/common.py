"""What the benchmark scripts share: the machine's class, the build, one timed child, one run of Talus, tables and CSV."""
import csv, datetime, json, os, re, shutil, statistics, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TALUS_SKIN = "0.05"  # of a radius


def machine():
    """Processor model and its best vector set: what a figure of speed depends on first."""
    text = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*:\s*(.*)$", text, re.M)
    flags = set((re.search(r"^flags\s*:\s*(.*)$", text, re.M) or [0, ""])[1].split())
    best = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("avx", "AVX")) if flag in flags), "SSE2")
    return f"{model[1].strip() if model else 'unknown'} {best}"


def stamp():
    day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return dict(date=day, machine=machine(), cores=len(os.sched_getaffinity(0)))


def talus_program(path, target="bench_spheres"):
    """The given program, or the release build of this tree."""
    if path:
        return Path(path).resolve()
    for command in (["cmake", "--preset", "release", "-DTALUS_BENCH=ON"], ["cmake", "--build", "build", "--target", target]):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return ROOT / "build/bin" / target


def install(packages, why):
    if os.geteuid() != 0:
        sys.exit(f"{why} needs the Debian packages {' '.join(packages)}: apt-get install {' '.join(packages)}")
    print("installing", *packages, file=sys.stderr)
    subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *packages], check=True, stdout=subprocess.DEVNULL)


def child(command, folder, launcher=(), env=None):
    """Runs to the end; returns stdout, stderr and the peak resident memory in MB, summed over the processes the launcher starts.

    Memory is read by GNU time between us and the program: a child inherits the peak of the process that forked it, and
    this interpreter is larger than some of the codes."""
    if not shutil.which("time"):
        install(["time"], "the memory column")
    with tempfile.NamedTemporaryFile("r", dir=folder) as peak:
        timed = [shutil.which("time"), "-a", "-o", peak.name, "-f", "peak_kB=%M", *command]
        done = subprocess.run([*launcher, *timed], cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1", **(env or {})},
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-800:]}{done.stderr[-800:]}")
        return done.stdout, done.stderr, sum(map(int, re.findall(r"peak_kB=(\d+)", peak.read()))) / 1024


def mpi(threads):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", str(threads)] if threads > 1 else []


def clock_of_processor(folder):
    """What LIGGGHTS must see around it so that its clock is the processor's: it tells no processor time."""
    library = Path(folder) / "clock.so"
    if not library.exists():
        source = Path(folder) / "clock.c"
        source.write_text("""#include <time.h>
double MPI_Wtime(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
""")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    return {"LD_PRELOAD": str(library)}


def run_talus(program, case, steps, threads, folder, options=()):
    out, err, rss = child([program, case, str(steps), TALUS_SKIN, str(threads), *options], folder)
    n, _, cpu, wall, z, p, _, rebuilds = out.split()[:8]
    return dict(n=int(n), steps=steps, cpu=float(cpu), wall=float(wall), Z=float(z), P=float(p), rss=rss, rebuilds=int(rebuilds), stages=err)


def seconds(result, threads):
    """Processor time on one thread, so that a shared machine does less harm; wall time on more."""
    return result["cpu"] if threads == 1 else result["wall"]


def median_and_spread(values):
    middle = statistics.median(values)
    return middle, (max(values) - min(values)) / middle


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:<60}" + ("" if text else "\r"), end="", file=sys.stderr, flush=True)


def make_case(pack, copies, name, folder, radius_factor=1):
    """Writes NAME.txt and NAME.data in a process of its own: see case.py. Radii are `radius_factor` times those of the packing."""
    script, source = HERE / "peer_codes/case.py", HERE / "peer_codes" / pack
    subprocess.run([sys.executable, script, source, ",".join(map(str, copies)), folder / name], check=True)
    if radius_factor == 1:
        return
    head, *rows = (folder / f"{name}.txt").read_text().splitlines()
    (folder / f"{name}.txt").write_text("\n".join([head] + [larger(r, 3, radius_factor) for r in rows]) + "\n")
    before, atoms, velocities = re.split(r"\n(?:Atoms|Velocities)\n\n", (folder / f"{name}.data").read_text())
    atoms = "\n".join(larger(a, 2, radius_factor) for a in atoms.strip().splitlines())
    (folder / f"{name}.data").write_text(f"{before}\nAtoms\n\n{atoms}\n\nVelocities\n\n{velocities}")


def larger(line, column, factor):
    words = line.split()
    words[column] = repr(float(words[column]) * factor)
    return " ".join(words)


def show(rows, columns, as_json, out):
    """columns: (key, heading, width, format)."""
    if as_json:
        print(json.dumps(rows, indent=1))
    else:
        print("".join(f"{heading:>{width}}" if i else f"{heading:<{width}}" for i, (_, heading, width, _) in enumerate(columns)))
        for r in rows:
            cells = [("-" if r[key] is None else f"{r[key]:{form}}", width) for key, _, width, form in columns]
            print("".join(f"{text:>{width}}" if i else f"{text:<{width}}" for i, (text, width) in enumerate(cells)))
    if out:
        with open(out, "w", newline="") as f:
            w = csv.DictWriter(f, fieldnames=list(rows[0]), lineterminator="\n")
            w.writeheader()
            w.writerows(rows)


def cache():
    """The folder that keeps samples and peers between runs."""
    folder = Path(os.environ.get("TALUS_BENCH_CACHE", Path.home() / ".cache/talus-bench"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def lines(command, folder):
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-800:]}{done.stderr[-800:]}")
    return [list(map(float, row.split())) for row in done.stdout.splitlines()]


def rigid2d_samples(program, sizes, corners, work):
    """Samples of rigid polygons (bench_rigid2d settle), made when missing: {(grains, corners, situation): file}."""
    cases = {}
    for n in sizes:
        for c in corners:
            rest, shear = (work / f"rigid2d-{c}-{n}-{situation}.txt" for situation in ("rest", "shear"))
            if not (rest.exists() and shear.exists()):
                progress(f"{n} grains with {c} corners come to rest")
                with tempfile.TemporaryDirectory(dir=work) as t:
                    lines([program, "settle", c, n, 1, "rest", "shear"], t)
                    shutil.move(f"{t}/rest", rest)
                    shutil.move(f"{t}/shear", shear)
            cases[n, c, "rest"], cases[n, c, "shear"] = rest, shear
    return cases
