"""Every command of getting started and of the tutorials runs, as the pages print it, and ends well.

A page holds what this test needs in comments that a reader does not see:
    <!-- file: NAME -->       the block after it is the text of that file
    <!-- test: ARGUMENTS -->  the runs of the block after it get these arguments too, so that they are small
Commands are the lines of blocks marked sh, and blocks marked python.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from program import TALUS

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ["docs/getting-started.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs" / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"(?:<!-- (?P<what>file|test): (?P<words>.*?) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)```\n", re.DOTALL)
LONGER = re.compile(r"^\./talus (run|sweep|fit) ")  # these take the arguments of the test


def smaller(line, small):
    """The command with the arguments of the test, which stand in for those that say the same thing."""
    for said in re.findall(r"--set ([\w.]+)=|(--(?!set)\w+) ", small + " "):
        line = re.sub(rf" --set {re.escape(said[0])}=\S+" if said[0] else rf" {said[1]} \S+", "", line)
    return f"{line} {small}"


def commands(block, small):
    for line in block.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            yield smaller(line, small) + " --threads 1" if LONGER.match(line) else line  # tests run side by side


def run(command, folder):
    started = time.monotonic()
    done = subprocess.run(["bash", "-ec", command], cwd=folder, capture_output=True, text=True, timeout=120)
    print(f"  {time.monotonic() - started:5.1f} s  {command.splitlines()[0]}", flush=True)
    if done.returncode:
        sys.exit(f"exit code {done.returncode}: {command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


def try_page(page, folder):
    (folder / "talus").symlink_to(TALUS)
    (folder / "scenes").symlink_to(ROOT / "scenes")
    tried = 0
    for block in BLOCK.finditer((ROOT / page).read_text()):
        if block["what"] == "file":
            (folder / block["words"]).write_text(block["text"])
        elif block["kind"] == "sh":
            for command in commands(block["text"], block["words"] or ""):
                run(command, folder)
                tried += 1
        elif block["kind"] == "python":
            (folder / "page.py").write_text(block["text"])
            run("python3 page.py", folder)
            tried += 1
    return tried


def main():
    tried = 0
    for page in sys.argv[1:] or PAGES:
        print(page, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            tried += try_page(page, pathlib.Path(folder))
    if not sys.argv[1:] and tried < 15:
        sys.exit(f"only {tried} commands were found on {len(PAGES)} pages: the marks of the blocks have changed")
    print(f"{tried} commands")


main()
