"""Checks the links of a built site: every file and every anchor that a page names must exist."""

import urllib.parse
from html.parser import HTMLParser


class Page(HTMLParser):
    """The anchors of a page and the targets of its links, images, styles and scripts."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.update(given[key] for key in ("id", "name") if given.get(key))
        self.targets += [(self.getpos()[0], given[key]) for key in ("href", "src") if given.get(key)]


def broken(site):
    """Returns a sentence for each link that leads nowhere, and the number of links. Links to other hosts are not followed."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found, count = [], 0
    for path, page in pages.items():
        for line, target in page.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme in ("http", "https", "mailto", "javascript") or target == "#":
                continue
            count += 1
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            where = f"{path.relative_to(site)}:{line}"
            if parts.scheme or parts.netloc or not file.is_relative_to(site) or not file.is_file():
                found.append(f"{where}: there is no {target}")
            elif parts.fragment and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                found.append(f"{where}: there is no anchor in {target}")
    return found, count
