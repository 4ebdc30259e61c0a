#!/usr/bin/env python3
"""Every scene with seeded mistakes: numbers out of reach, entries that are missing, doubled or exchanged, other types, damaged bytes.
`check` answers each with 0 or 2 in bounded time; what it accepts is run for a moment and may end with 0, 2 or 3, or still be at it.

    mutated_scenes.py [--full] [NAME SEED]        a scene and a seed: this case alone, and its text
"""
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys

from counts import FULL, Counts, ask, fault_of, limit_memory, side_by_side
from program import SOURCE, command, scratch, sets

SCENES = sorted((SOURCE / "scenes").glob("*.toml"))
NUMBERS = ["0", "-1", "1e300", "-1e300", "1e-300", "5e-324", "nan", "inf", "-inf", "1e20", "1e-20", "9223372036854775807", "0.5", "2"]
WORDS = ['""', '"x"', "true", "[]", "[1, 2]", "{}", '"1e300 m"', '"-5 kPa"', '"$nothing"', "[[1]]", '"\\u0000"', '"/dev/zero"']
NUMBER = re.compile(r"(?<![\w.\"$])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
RUN_TIME = 4 if FULL else 1  # s
CHECK_TIME = 60


def other_number(text, draw):
    """A number anywhere, also inside a quantity."""
    found = list(re.finditer(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text))
    at = draw.choice(found)
    return text[:at.start()] + draw.choice(NUMBERS) + text[at.end():]


def other_value(text, draw):
    lines = text.split("\n")
    at = draw.choice([k for k, line in enumerate(lines) if re.match(r"\s*[\w-]+\s*=", line)])
    key = lines[at].split("=")[0]
    lines[at] = f"{key}= {draw.choice(WORDS + NUMBERS)}"
    return "\n".join(lines)


def other_default(text, draw):
    """The default of a parameter, so that the mistake reaches the entries that refer to it."""
    found = list(re.finditer(r"default\s*=\s*(\"[^\"]*\"|[^,}]+)", text))
    if not found:
        return other_value(text, draw)
    at = draw.choice(found)
    value = at.group(1).strip()
    number = NUMBER.search(value.strip('"'))
    unit = value.strip('"')[number.end():] if number else ""
    new = f'"{draw.choice(NUMBERS)}{unit}"' if unit.strip() else draw.choice(NUMBERS)
    return text[:at.start(1)] + new + text[at.end(1):]


def without_line(text, draw):
    lines = text.split("\n")
    del lines[draw.randrange(len(lines))]
    return "\n".join(lines)


def doubled_lines(text, draw):
    lines = text.split("\n")
    at, size = draw.randrange(len(lines)), draw.randrange(1, 6)
    return "\n".join(lines[:at] + lines[at:at + size] * 2 + lines[at + size:])


def exchanged_lines(text, draw):
    lines = text.split("\n")
    one, two = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def other_bytes(text, draw):
    data = bytearray(text.encode())
    for _ in range(draw.choice([1, 3, 20])):
        data[draw.randrange(len(data))] = draw.choice([0, 9, 10, 34, 39, 46, 61, 91, 93, 123, 127, 255, draw.randrange(256)])
    return bytes(data)


def cut_off(text, draw):
    return text[:draw.randrange(len(text))]


MISTAKES = [other_number, other_default, other_number, other_value, without_line, doubled_lines, exchanged_lines, other_bytes, cut_off]


def mutated(scene, seed):
    draw = random.Random(f"{scene.stem} {seed}")
    mistake = draw.choice(MISTAKES)
    text = mistake(scene.read_text(), draw)
    return mistake.__name__, text if isinstance(text, bytes) else text.encode()


def small(scene):
    """Few grains where the scene has a parameter for it; no pictures."""
    return sets(grains=40) if re.search(r"^grains\s*=\s*\{", scene.read_text(), re.M) else []


def run_for_a_moment(words, folder):
    """Exit status and messages; 0 when it was still at it and stopped when it was asked to."""
    process = subprocess.Popen(command(*words), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=limit_memory)
    try:
        _, words = process.communicate(timeout=RUN_TIME)
        return subprocess.CompletedProcess([], process.returncode, "", words)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
    try:
        _, words = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return subprocess.CompletedProcess([], None, "", "does not stop when it is told to")
    code = 0 if process.returncode == 128 + signal.SIGTERM else process.returncode
    return subprocess.CompletedProcess([], code, "", words)


def try_one(scene, seed, home):
    mistake, text = mutated(scene, seed)
    folder = home / f"{scene.stem}-{seed}"
    folder.mkdir()
    (folder / "scene.toml").write_bytes(text)
    case = f"{scene.stem} {seed} ({mistake})"
    settings = small(scene)
    result = ask("check", "scene.toml", "--threads", 1, *settings, folder=folder, limit=CHECK_TIME)
    if result.returncode == 2 and settings and any(word in result.stderr for word in ("--set grains", "grains=")):
        settings = []  # the mistake took the parameter away
        result = ask("check", "scene.toml", "--threads", 1, folder=folder, limit=CHECK_TIME)
    why, kind = fault_of(result, (0, 2, 3) if "not enough memory" in result.stderr else (0, 2)), "refused"
    if not why and result.returncode == 0:
        result = run_for_a_moment(["run", "scene.toml", "--quiet", "--threads", 1, "--out", "out", *settings], folder)
        why, kind = fault_of(result, (0, 2, 3)), "refused" if result.returncode else "done"
        if why:
            case += ", run"
    shutil.rmtree(folder, ignore_errors=True)
    return case, why, kind


def main():
    named = [word for word in sys.argv[1:] if not word.startswith("-")]
    with scratch() as name:
        home = pathlib.Path(name)
        if named:
            scene = SOURCE / "scenes" / f"{named[0]}.toml"
            print(mutated(scene, int(named[1]))[1].decode(errors="replace"))
            return print(*try_one(scene, int(named[1]), home))
        counts = Counts("mutated_scenes")
        cases = [(scene, seed) for scene in SCENES for seed in range(60 if FULL else 5)]
        for outcome in side_by_side(lambda case: try_one(*case, home), cases):
            counts.add(*outcome)
        return counts.finish()


if __name__ == "__main__":
    main()
