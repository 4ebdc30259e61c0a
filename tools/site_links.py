"""A hook of mkdocs. Pages link to files outside docs/ (sources, scenes): on the site these links become plain text. Headings
get the anchors that they have where the repository is read, so that one link serves both."""
import pathlib
import re

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")


def anchor(heading, _separator):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = anchor
    return config


def on_page_markdown(markdown, page, config, files):
    docs = pathlib.Path(config["docs_dir"]).resolve()
    folder = (docs / page.file.src_path).parent

    def replaced(match):
        target = (folder / match[2]).resolve()
        if not target.exists() or (target.is_relative_to(docs) and target.is_file()):
            return match[0]  # a missing one is named by mkdocs
        return f"{match[1]} (`{target.relative_to(docs.parent)}`)"

    return LINK.sub(replaced, markdown)
