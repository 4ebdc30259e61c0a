#!/usr/bin/env python3
"""Run folders that somebody else has made: names, titles, captions and columns that try to become part of the page, values that are
deep, huge or of another type, things that are no files. `report` refuses them or writes a page that has the same elements as that of
the clean run and no script but its own. The page is parsed; text that came from the folder must be text there.

    hostile_report.py [--full]
"""
import html.parser
import json
import os
import pathlib
import shutil
import struct
import zlib

from counts import FULL, Counts, ask, fault_of
from program import done, scratch, sets

SPELLS = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'><svg/onload=alert(1)>", "</title><script>x</script>",
          "</pre></details><script>x</script>", "</script><script>x</script>", "<!--<script>", "]]><script>x</script>",
          "javascript:alert(1)", "&lt;script&gt;", "\u2028</script>", "{{7*7}}", "\\u003cscript\\u003e", "</style><script>x</script>"]
MINE = 3  # scripts of a page: the data, the drawing of charts, the page's own


class Page(html.parser.HTMLParser):
    """Elements of a page, and whatever could run or load something."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.text, self.loads, self.inside = set(), [], "", [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.inside = tag
        if tag == "script":
            self.scripts.append("")
        for name, value in attributes:
            value = value or ""
            if name.startswith("on") or (name in ("src", "href", "action", "data", "formaction", "srcdoc") and
                                         not value.startswith("data:image/png;base64,")) or "javascript:" in value.lower() and name != "alt":
                self.loads.append(f"{tag} {name}={value[:60]}")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script" and self.scripts:
            self.scripts[-1] += data
        self.text += data


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(texts=(), width=4, height=4, data=None):
    """A grey picture with international texts."""
    rows = zlib.compress(b"".join(b"\0" + b"\x80" * width for _ in range(height))) if data is None else data
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    for key, text in texts:
        out += chunk(b"iTXt", key.encode() + b"\0\0\0\0\0" + text.encode())
    return out + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def bar(**values):
    return json.dumps({"label": "force", "low": 0.0, "high": 1.0, "more_below": True, "more_above": True, **values})


def change_summary(folder, change):
    path = folder / "summary.json"
    summary = json.loads(path.read_text())
    for name in ("seal", "files"):  # of a version that did not seal it
        summary.pop(name, None)
    change(summary)
    path.write_text(json.dumps(summary))


def everywhere(value, spell):
    """The spell in every text of a summary, names included."""
    if isinstance(value, dict):
        return {(key if key in KEPT else key + spell): everywhere(below, spell) for key, below in value.items()}
    return value + spell if isinstance(value, str) else value


KEPT = {"schema_version", "provenance", "figures", "value", "unit", "definition", "reason", "scene", "title", "version", "commit", "seed",
        "threads", "device", "command", "started", "wall_time_s", "steps", "time_s", "state_hash", "status", "stages", "shear_stages", "grains"}


def spells_of(spell):
    def stages(summary):
        summary["provenance"]["stages"] = json.dumps([spell, spell])
        summary["provenance"]["shear_stages"] = json.dumps([0, spell])

    def in_summary(folder):
        change_summary(folder, lambda s: s.update(everywhere(s, spell)))

    def in_series(folder):
        lines = (folder / "series.csv").read_text().split("\n")
        lines[0] = lines[0].replace("porosity [1]", f"{spell.replace(',', '')} [{spell.replace(',', '')}]")
        (folder / "series.csv").write_text("\n".join(lines))

    return {"summary": in_summary, "stages": lambda folder: change_summary(folder, stages),
            "scene": lambda folder: (folder / "scene.toml").write_text(f"# {spell}\ntitle = '{spell}'\n{spell}\n"), "series": in_series,
            "caption": lambda folder: (folder / "sample.png").write_bytes(png([("Description", spell), ("talus:bar", bar(label=spell))])),
            "name of a picture": lambda folder: (folder / f"{spell.replace('/', '%')}.png").write_bytes(png())}


def shapes():
    """Folders that are broken rather than cunning; those that must be refused are so marked."""
    def write(name, data):
        return lambda folder: (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def figure(**entry):
        return lambda folder: change_summary(folder, lambda s: s["figures"].update(odd={"value": 1, "unit": "1", "definition": "", **entry}))

    def provenance(name, value):
        return lambda folder: change_summary(folder, lambda s: s["provenance"].update({name: value}))

    def replace(name, make):
        def act(folder):
            (folder / name).unlink(missing_ok=True)
            make(folder / name)
        return act
    deep = "[" * 100_000 + "]" * 100_000
    odd_bars = {"beside a large number": bar(low=1e17, high=1e17 + 32), "large": bar(low=-1e308, high=1e308), "small": bar(low=5e-324, high=1e-323),
                "endless": '{"label":"f","low":-1e999,"high":1e999}', "no numbers": bar(low="a", high=[]), "deep": deep, "turned": bar(low=1, high=0),
                "next to each other": bar(low=1.0, high=1.0000000000000002)}
    cases = {f"colour bar {name}": write("sample.png", png([("Description", "c"), ("talus:bar", text)])) for name, text in odd_bars.items()}
    cases |= {"deep summary": write("summary.json", deep), "deep stages": provenance("stages", deep), "deep figure": figure(definition=deep),
              "stages of another type": provenance("stages", 5), "time of another type": provenance("steps", "many"),
              "figure without a unit": lambda f: change_summary(f, lambda s: s["figures"].update(odd={})),
              "figure of another type": figure(value="<b>"), "huge figure": figure(value=1e308), "figure with no unit": figure(unit=""),
              "series without rows": write("series.csv", "step,a\n"), "series with other rows": write("series.csv", "step,a\n1,2,3\n"),
              "series of words": write("series.csv", "step,time [s],q [Pa]\n" + "x,y,z\n" * 50), "series of NaN": write("series.csv", "step,time [s]\n" + "1,nan\n" * 9),
              "series with a wide header": write("series.csv", ",".join(f"c{k}" for k in range(20_000)) + "\n"),
              "series of bytes": write("series.csv", bytes(range(256)) * 50), "series is empty": write("series.csv", ""),
              "series ends in a bracket": write("series.csv", "step,time [s\n1,2\n"), "sizes without a column": write("sizes.csv", "a\n1\n"),
              "sizes of words": write("sizes.csv", "a,b\nx,y\n"), "picture of terabytes": write("big.png", png(width=2**30, height=2**30, data=zlib.compress(b"\0" * 100))),
              "picture that is cut": write("cut.png", png()[:60]), "picture that is none": write("no.png", "hello"), "picture is empty": write("empty.png", ""),
              "picture with other data": write("odd.png", png(data=zlib.compress(b"\7" * 100))),
              "picture is a pipe": replace("pipe.png", os.mkfifo), "picture is a folder": replace("folder.png", os.mkdir),
              "picture is a device": replace("zero.png", lambda p: p.symlink_to("/dev/zero")), "picture is a ring": replace("ring.png", lambda p: p.symlink_to(p.name)),
              "series is a pipe": replace("series.csv", os.mkfifo), "series is a folder": replace("series.csv", os.mkdir),
              "summary is a folder": replace("summary.json", os.mkdir), "scene is a pipe": replace("scene.toml", os.mkfifo),
              "report is a folder": replace("report.html", os.mkdir)}
    return cases


def judge(counts, case, folder, tags):
    page = folder.parent / "page.html"
    page.unlink(missing_ok=True)
    result = ask("report", folder, "--out", page, limit=60)
    why = fault_of(result, (0, 2, 3))
    if not why and result.returncode == 0:
        text = page.read_text(errors="replace")
        seen = Page(text)
        data = seen.scripts[0] if seen.scripts else "[]"
        try:
            json.loads(data)
        except ValueError as error:
            why = f"the data of the charts are no JSON: {error}"
        if seen.tags - tags:
            why = f"elements that the page does not have: {seen.tags - tags}"
        elif len(seen.scripts) not in (0, MINE) or text.lower().count("<script") != len(seen.scripts):
            why = f"{len(seen.scripts)} scripts, {text.lower().count('<script')} times '<script'"
        elif seen.loads:
            why = f"could run or load: {seen.loads}"
    counts.add(case, why, "refused" if result.returncode else "done")


def main():
    counts = Counts("hostile_report")
    with scratch() as name:
        home = pathlib.Path(name)
        clean = home / "clean"
        done("run", "box", "--quiet", "--threads", 1, "--out", clean, *sets(grains=20, probes__every=100), "--until", 0.01)
        (clean / "extra.png").write_bytes(png([("Description", "a picture"), ("talus:bar", bar())]))
        done("report", clean, "--out", home / "clean.html")
        tags = Page((home / "clean.html").read_text()).tags | {"noscript"}
        counts.add("the clean run", "" if len(Page((home / "clean.html").read_text()).scripts) == MINE else "has other scripts", "done")

        def attempt(case, change, called="run"):
            folder = home / called
            shutil.copytree(clean, folder)
            change(folder)
            judge(counts, case, folder, tags)
            shutil.rmtree(folder)
        spells = SPELLS if FULL else SPELLS[:6]
        for spell in spells:
            for place, change in spells_of(spell).items():
                attempt(f"{place}: {spell!r}", change)
            attempt(f"folder: {spell!r}", lambda folder: None, spell.replace("/", "\u2215"))
        for called in ("a\nb", "a b", "-x", "a&b=c", "\u202etxt", "a" * 200, os.fsdecode(b"\xff\xfe<script>"), "%00", "$(x)"):
            attempt(f"folder: {called!r}", lambda folder: None, called)
        for case, change in shapes().items():
            attempt(case, change)
        counts.finish()


if __name__ == "__main__":
    main()
