#!/usr/bin/env python3
"""Input that is deep, huge, or no plain file; numbers at the ends of what doubles hold; names with bytes that nobody expects.

    special_input.py [--full] [WORD]      a word selects cases whose name has it
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

from counts import FULL, Counts, ask, fault_of, limit_memory  # first: it says where the others are
from bad_cases import BASE, PLACE, SIZES
from program import SOURCE, command, scratch, sets, state_hash

DEEP = 100_000
FROM_FILE = BASE.replace(f"count = 30\n{SIZES}\n{PLACE}", 'place = { kind = "file", file = "grains.csv" }').replace(
    "periodic = [1, 1, 1]", "periodic = [0, 0, 0]")
COLUMNS = "x [mm],y [mm],z [mm],diameter [mm]"
IMPACT = (SOURCE / "scenes/impact.toml").read_text()
WORDS = [word for word in sys.argv[1:] if not word.startswith("-")]
counts = Counts("special_input")
home = None


def wanted(name):
    return not WORDS or any(word in name for word in WORDS)


def scene(text, name="scene.toml", **files):
    (home / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    for path, content in files.items():
        (home / path.replace("__", ".")).write_text(content)
    return name


def refuse(name, arguments, *words, codes=(2,), **more):
    if wanted(name):
        counts.judge(name, ask(*arguments, folder=home, **more), codes, *words)


def refuse_scene(name, text, *words, codes=(2,), files=None, **more):
    if wanted(name):
        scene(text, **(files or {}))
        refuse(name, ["check", "scene.toml", "--threads", 1], *words, codes=codes, **more)


def columns_of_tables():
    """Fault 10."""
    def table(name, header, row, *words):
        refuse_scene(name, FROM_FILE, *words, files={"grains__csv": f"{header}\n{row}\n"})
    table("column Vx", f"{COLUMNS},Vx [m/s]", "1,1,1,1,5", "grains.csv:1", "Vx", "did you mean 'vx'")
    table("column diam", "x [mm],y [mm],z [mm],diameter [mm],diametre [mm]", "1,1,1,1,1", "diametre", "did you mean 'diameter'")
    table("diameter beside radius", f"{COLUMNS},radius [mm]", "1,1,1,1,2", "diameter", "radius", "keep one")
    table("column of nobody", f"{COLUMNS},colour", "1,1,1,1,3", "colour", "columns that are read here")
    sieve = BASE.replace(SIZES, 'sizes = { kind = "sieve", file = "sieve.csv" }')
    refuse_scene("column of a sieve curve", sieve, "Passing", "did you mean 'passing'",
                 files={"sieve__csv": "size [mm],passing,Passing\n1,0,0\n2,1,1\n"})
    box = (SOURCE / "scenes/box.toml").read_text()
    refuse_scene("column of a sample", box + '\n[sample]\nfile = "s.csv"\n', "Vz", "did you mean 'vz'",
                 files={"s__csv": "uid,radius [m],gyration [m],x [m],y [m],z [m],Vz [m/s]\n0,1,1,1,1,1,1\n"})


def deep():
    """Fault 11: the stack."""
    nested = {"lists": "a = " + "[" * DEEP + "]" * DEEP, "tables on a line": "a = " + "{a=" * DEEP + "1" + "}" * DEEP,
              "a key with dots": ".".join("a" * DEEP) + " = 1", "a table with dots": "[" + ".".join("a" * DEEP) + "]",
              "a list of tables with dots": "[[" + ".".join("a" * DEEP) + "]]",
              "quoted keys": ".".join(['"a b"'] * DEEP) + " = 1", "not closed": "a = " + "[{a=" * DEEP,
              "below a header": "[" + ".".join("a" * 90) + "]\n" + ".".join("b" * 90) + " = 1"}
    for name, text in nested.items():
        refuse_scene(f"deep: {name}", text + "\n", "nested")
    refuse_scene("deep: parentheses of a quantity", IMPACT.replace('"10 s"', '"10 ' + "(" * 200 + "s" + ")" * 200 + '"'), "parentheses")
    refuse_scene("deep: a long quantity", IMPACT.replace('"10 s"', '"10 ' + "(" * DEEP + "s" + ")" * DEEP + '"'), "characters")
    refuse("deep: a path of --set", ["check", "impact", "--set", ".".join("a" * 30000) + "=1"], "parts")
    refuse("deep: a value of --set", ["check", "impact", "--set", "title={" + ".".join("a" * 30000) + "=1}"], "nested")


def no_plain_files():
    """Fault 11: pipes, devices, huge files."""
    os.mkfifo(home / "pipe")
    with open(home / "huge.csv", "wb") as file:
        file.truncate(5 << 30)  # a hole: no room is taken
    for path, words in {"/dev/zero": ["plain file"], "pipe": ["plain file"], ".": ["folder"], "huge.csv": ["larger"],
                        "/proc/self/mem": []}.items():
        refuse_scene(f"grains from {path}", FROM_FILE.replace("grains.csv", path), path, *words, limit=60)
        refuse(f"the scene is {path}", ["check", path], path, limit=60)
    refuse("a sample of a pipe", ["sample", "pipe", "--out", "x.csv"], "plain file")
    refuse("resume of a pipe", ["resume", "pipe"], "pipe")
    (home / "huge.csv").unlink()


def bytes_of_names():
    """Fault 11: no UTF-8. Fault 13: long names."""
    scene(IMPACT, "impact.toml")
    odd = os.fsdecode(b"na\xffme")
    for more in ([], ["--json"], ["--quiet"]):
        name = f"no UTF-8 in --out {more}"
        if wanted(name):
            out = f"{odd}{len(more)}{''.join(more)}"
            ok = counts.judge(name, ask("run", "impact.toml", *more, "--threads", 1, "--out", out, folder=home), (0,))
            if ok:
                counts.judge(name + ", resume", ask("resume", out, folder=home), (0,), "complete")
    shutil.copy(home / "impact.toml", home / os.fsdecode(b"sc\xfe.toml"))
    refuse("no UTF-8 in the name of a scene", ["run", os.fsdecode(b"sc\xfe.toml"), "--quiet", "--out", "odd"], codes=(0,))
    refuse("no UTF-8 in --set", ["check", "impact.toml", "--set", os.fsdecode(b"title=\xff")], "UTF-8")
    refuse("no UTF-8 in the scene", ["check", scene(IMPACT.encode() + b"# \xff\n")], "TOML")
    long = "x" * 300
    for words in (["report", long], ["check", long], ["run", long], ["resume", long], ["sample", long, "--out", "y.csv"],
                  ["run", "impact.toml", "--out", long], ["report", "odd", "--out", long], ["compare", long, "--reference", long],
                  ["run", "impact.toml", "--out", "/".join(["y" * 200] * 30)], ["sample", "odd", "--out", long]):
        refuse(f"a name of 300 letters: {words[0]}{' --out' if '--out' in words else ''}", words, codes=(2, 3))
    name = "a table far below"
    if wanted(name):
        path = pathlib.Path(*["folder-%02d-%s" % (k, "z" * 40) for k in range(8)])
        (home / path).mkdir(parents=True)
        (home / path / "grains.csv").write_text(COLUMNS + "\n2,2,2,1\n4,4,4,1\n")
        scene(one_step(FROM_FILE).replace("grains.csv", str(path / "grains.csv")))
        if counts.judge(name, ask("run", "scene.toml", "--quiet", "--out", "far", folder=home), (0,)):
            counts.judge(name + ", report", ask("report", "far", folder=home), (0,))


def one_step(text):
    """The scene without parameters and steps."""
    text = re.sub(r"\[parameters\]\n.*\n\n", "", text)
    return re.sub(r"\[\[stage\]\]\n(.+\n)+", '[[stage]]\nkind = "evaluate"\n', text)


def like_names():
    """Fault 13: two inputs, two copies."""
    name = "two inputs of like names"
    if not wanted(name):
        return
    (home / "a").mkdir()
    (home / "a/b.csv").write_text(COLUMNS + "\n2,2,2,1\n")
    (home / "a+b.csv").write_text(COLUMNS + "\n4,4,4,1\n")
    group = '[grains.sand]\nplace = { kind = "file", file = "grains.csv" }\n'
    text = one_step(FROM_FILE).replace(group, group.replace("grains.csv", "a/b.csv") +
                                       group.replace("grains.csv", "a+b.csv").replace("grains.sand", "grains.gravel"))
    scene(text)
    if not counts.judge(name, ask("run", "scene.toml", "--quiet", "--out", "twins", folder=home), (0,)):
        return
    kept = {path.read_text() for path in (home / "twins/inputs").iterdir()}
    counts.add(name + ", copies", "" if len(kept) == 2 else f"{len(kept)} copies are kept", "equal")
    again = ask("run", "twins/scene.toml", "--quiet", "--out", "again", folder=home)
    why = fault_of(again, (0,)) or ("" if state_hash(home / "again") == state_hash(home / "twins") else "another sample")
    counts.add(name + ", run from the folder", why, "equal")


def ends_of_numbers():
    """Fault 13: steps, loads, speeds and sizes that cannot be computed with."""
    run = lambda scene, **more: ["run", scene, "--quiet", "--threads", 1, "--out", "end", *sets(**more)]

    def ends(name, words, *says, codes=(3,), limit=60):
        refuse(name, words, *says, codes=codes, limit=limit)
        shutil.rmtree(home / "end", ignore_errors=True)
    ends("forced step of 1 ms", run("box", grains=20, dynamics__time_step="1 ms", dynamics__force_time_step="true"), "step")
    ends("1e20 Pa", run("triaxial", grains=60, confining="1e20 Pa"), "step")
    ends("1e6 m/s", run("impact", speed="1e6 m/s"), "radii in one step", limit=20)
    ends("1e6 m/s at a wall", run("impact", speed="1e6 m/s", target="wall"), "radii in one step", limit=20)
    for radius in ("1e-200 m", "1e-310 m", "1e300 m", "1e-30 m"):
        for command_word in ("check", "run"):
            words = ["check", "impact", *sets(radius=radius)] if command_word == "check" else run("impact", radius=radius)
            ends(f"{command_word}: radius of {radius}", words, codes=(2,))
    for key, value in {"density": "1e300 kg/m3", "young": "1e300 Pa", "friction": "1e300"}.items():
        text = "\n".join(f"{key} = \"{value}\"" if line.startswith(f"{key} = ") else line for line in BASE.split("\n"))
        refuse_scene(f"{key} of {value}", text, codes=(0, 2))


def names_of_walls():
    """Fault 13."""
    box = (SOURCE / "scenes/box.toml").read_text()
    wall = '[boundary."{}"]\nkind = "plane"\npoint = ["1 mm", "1 mm", "1 mm"]\nnormal = [0, 0, 1]\n'
    for odd in ("a,b", "a[b", "a]b", 'a\\"b', "a\\nb", "a\\u0000b", "a\\\\b"):
        refuse_scene(f"a wall named {odd}", box + wall.format(odd), "boundary", "comma")
    refuse_scene("two walls of one name", box + wall.format("box_z_low"), "two walls")


def full_devices():
    """Fault 13: what is printed is lost."""
    scene(IMPACT, "impact.toml")
    for words in (["check", "impact.toml"], ["list", "scenes"], ["--help"], ["run", "--help"], ["--version"],
                  ["run", "impact.toml", "--out", "full"], ["run", "impact.toml", "--json", "--out", "full-json"]):
        name = f"standard output is full: {' '.join(words[:2])}"
        if wanted(name):
            with open("/dev/full", "w") as full:
                result = subprocess.run(command(*words), cwd=home, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            result.stdout = ""
            counts.judge(name, result, (3,), "no space left")


def long_messages():
    """Fault 13: 600 kB of error text."""
    many = "".join(f"key{k} = {k}\n" for k in range(20_000))
    refuse_scene("20,000 unknown keys", IMPACT + many, "unknown key", "more keys")
    refuse_scene("a key of 600 kB", IMPACT + "k" * 600_000 + " = 1\n", "unknown key")
    refuse_scene("a value of 600 kB", IMPACT.replace('kind = "collide"', f'kind = "{"c" * 600_000}"'), "kind")
    refuse_scene("a list of 600 kB", IMPACT.replace('"10 s"', "[" + "1," * 300_000 + "1]"), "max_time")
    refuse_scene("a name of a file of 600 kB", FROM_FILE.replace("grains.csv", "g" * 600_000), "grains")
    refuse_scene("a column of 600 kB", FROM_FILE, "nothing reads", files={"grains__csv": COLUMNS + "," + "c" * 600_000 + "\n1,1,1,1,1\n"})
    refuse("an argument of 100 kB", ["c" * 100_000], "no command")
    refuse("--set of 100 kB", ["check", "impact", "--set", "c" * 100_000 + "=1"], "neither")


def many_rows():
    """Fault 13: 61 s for a million rows."""
    rows, seconds = (1_000_000, 30) if FULL else (100_000, 6)
    name = f"{rows} rows in {seconds} s"
    if not wanted(name):
        return
    side = round(rows ** (1 / 3)) + 1
    with open(home / "grains.csv", "w") as file:
        file.write(COLUMNS + ",vx [mm/s]\n")
        for k in range(rows):
            file.write(f"{0.5 + k % side},{0.5 + k // side % side},{0.5 + k // side**2},0.99,{k % 7}\n")
    size = f"{side + 1} mm"
    scene(one_step(FROM_FILE).replace("5.7 mm", size))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = ask("check", "scene.toml", "--threads", 1, folder=home, limit=300, gigabytes=16)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    why = fault_of(result, (0,)) or ("" if used < seconds else f"takes {used:.1f} s of a processor")
    print(f"{name}: {used:.1f} s", flush=True)
    counts.add(name, why, "done")


def little_memory():
    """Fault 11: memory ends anywhere: before the first word of the program, also inside a checkpoint. What the system cannot even load
    is left out."""
    words = command("run", "box", "--quiet", "--threads", 1, *sets(grains=1000, output__checkpoint_every=100, probes__every=100),
                    "--until", 0.002, "--out", "little")

    def with_memory(kilobytes):
        result = subprocess.run(words, cwd=home, capture_output=True, text=True, timeout=120,
                                preexec_fn=lambda: limit_memory(kilobytes / 2**20))
        shutil.rmtree(home / "little", ignore_errors=True)
        return result

    def is_loaded(result):
        return result.returncode != 127  # the loader's

    too_little, enough = 1024, 200 * 1024
    counts.judge(f"{enough} kB of memory", with_memory(enough), (0, 3))
    while enough - too_little > 20:
        middle = (too_little + enough) // 2
        result = with_memory(middle)  # just below what it needs the loader of glibc 2.36 faults itself (init_tls)
        too_little, enough = (too_little, middle) if is_loaded(result) and result.returncode != -11 else (middle, enough)
    steps = [enough + 20 * k for k in range(15)] + [1024 * m for m in (range(30, 200, 3) if FULL else (60, 75, 90, 105))]
    for kilobytes in steps:
        name = f"{kilobytes} kB of memory"
        if wanted(name) and is_loaded(result := with_memory(kilobytes)):
            counts.judge(name, result, (0, 3))


def no_room_for_workers():
    """Fault 11: a worker that cannot be started ends the run with a message, and the others do not wait for it."""
    words = command("run", "box", "--quiet", "--threads", 16, *sets(grains=1000), "--until", 0.002, "--out", "little")
    result = subprocess.run(words, cwd=home, capture_output=True, text=True, timeout=120, preexec_fn=lambda: limit_memory(0.1))
    counts.judge("16 threads in 100 MB", result, (3,))


def main():
    global home
    with scratch() as name:
        home = pathlib.Path(name)
        for part in (columns_of_tables, deep, no_plain_files, bytes_of_names, like_names, ends_of_numbers, names_of_walls,
                     full_devices, long_messages, many_rows, little_memory, no_room_for_workers):
            start = time.time()
            part()
            print(f"{part.__name__}: {time.time() - start:.1f} s", flush=True)
        counts.finish()


if __name__ == "__main__":
    main()
