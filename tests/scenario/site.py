"""The documents build as a site without a warning and without network, and every link of the site leads somewhere."""
import html.parser
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], {""}
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            is_address = urllib.parse.urlsplit(values.get(key) or "").netloc != ""
            if values.get(key) and not (tag == "a" and is_address):
                self.links.append(values[key])


def faults(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link.startswith(("data:", "mailto:")):
                    continue
                yield f"{path.relative_to(site)}: leaves the site: {link}"
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{path.relative_to(site)}: nothing at {link}"
            elif target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path.relative_to(site)}: no such heading: {link}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder).resolve() / "site"
        build = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--site-dir", site], cwd=ROOT, capture_output=True, text=True)
        if build.returncode:
            sys.exit(build.stdout + build.stderr)
        found = sorted(set(faults(site)))
        if found:
            sys.exit("\n".join(found))
        print(f"{len(list(site.rglob('*.html')))} pages, no dead link")


main()
