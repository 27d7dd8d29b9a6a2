"""Turns the project's Markdown and public headers into what Doxygen reads: one flat set of pages with unique anchors."""

import posixpath
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "lint"))
sys.dont_write_bytecode = True

from tree import Tree  # noqa: E402

PUBLIC, DETAIL = "include/tine/", "include/tine/detail/"
HEADER_LINK = "tine-header:"  # marks a link to a header until Doxygen has chosen the name of its page
FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.DOTALL | re.MULTILINE)
CODE_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(\s*([^)\s]+)\s*\)")
# A friend that is declared only to let it in is no part of the interface.
FRIEND = re.compile(r"^(?: *template <[^\n]*>\n)? *friend (?!.*(?:= default;|\{)).*;\n", re.MULTILINE)
# Doxygen finds no place for a specialisation that is named from outside of its namespace.
OUTSIDE = re.compile(r"^template <[^\n]*>\nstruct std::.*?^\};\n", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^(#+)[ \t]+(.*?)[ \t]*#*$", re.MULTILINE)

# Pages that only list others: the label, the title, the first sentence, and the files that each lists.
LISTS = [
    ("decisions", "Decisions", "Each page states a question that had several answers, the choice, and its reasons.",
     re.compile(r"docs/internals/decisions/.*\.md")),
    ("components", "Components", "Each page has a component's words, states and invariants, and the reason why it cannot deadlock.",
     re.compile(r"(src|tools|spork)/(?!tests/|bench/).*README\.md")),
    ("programs", "Benchmark programs", "Each page describes a program that `./dev bench` measures, or a study.",
     re.compile(r"(spork/)?bench/.+/README\.md")),
]


def label(path):
    """Returns the name of the page of a Markdown file, without `.html`."""
    return "index" if path == "README.md" else "page_" + re.sub(r"\W+", "_", path.removesuffix(".md")).lower()


def anchor(heading):
    """Returns the anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def published(tree):
    """Returns the Markdown files of the site. Those of tests describe test data."""
    return [f for f in tree.files if f.endswith(".md") and not re.match(r"(tools/|spork/)?tests/|packaging/", f)]


class Staging:
    """Writes what Doxygen reads into `folder`; files that pages link to and that are no pages go to `site`/files."""

    def __init__(self, tree, folder, site):
        self.tree, self.folder, self.site = tree, folder, site
        self.pages = published(tree)

    def write(self):
        children = {path: name for name, _, _, files in LISTS for path in self.pages if files.fullmatch(path)}
        for path in self.pages:
            text = self.page(path, self.tree.source(path).text)
            if path == "docs/guide/README.md":
                text += "".join(f"\\subpage {label(p)}\n" for p in self.pages if p.startswith("docs/guide/") and p != path)
            self.put(label(path) + ".md", text)
        for name, title, sentence, _ in LISTS:
            listed = "".join(f"- \\subpage {label(p)}\n" for p in self.pages if children.get(p) == name)
            self.put(f"list_{name}.md", f"# {title} {{#list_{name}}}\n\n{sentence}\n\n{listed}")
        for path in self.tree.files:
            if path.startswith(PUBLIC) and not path.startswith(DETAIL):
                self.put(path, header(self.tree.source(path).text))

    def put(self, name, text):
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def page(self, path, text):
        """Returns a page with labels at its headings, and with links to pages of the site."""
        seen = set()

        def heading(match):
            title = match[2]
            name = label(path)
            if len(match[1]) > 1 or name in seen:
                name = f"{label(path)}__{anchor(title)}"
            while name in seen:
                name += "-1"
            seen.add(name)
            return f"{match[1]} {title} {{#{'mainpage' if name == 'index' else name}}}"

        parts = FENCE.split(text)
        for i in range(0, len(parts), 2):
            part = re.sub(r"<!--.*?-->", "", parts[i], flags=re.DOTALL)
            part = HEADING.sub(heading, part)
            part = LINK.sub(lambda m: self.link(path, *m.groups()), part)
            parts[i] = quoted_code(part)
        return "".join(parts)

    def link(self, path, image, text, target):
        text = LINK.sub(lambda m: self.link(path, *m.groups()), text)
        if re.match(r"[a-z][a-z0-9+.\-]*:", target):
            return f"{image}[{text}]({target})"
        file, _, place = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
        if file in self.pages:
            url = f"{label(file)}.html" + (f"#{label(file)}__{place}" if place else "")
        elif (self.tree.root / file).is_dir():
            return text
        elif file.startswith(PUBLIC) and not file.startswith(DETAIL):
            url = HEADER_LINK + file.removeprefix("include/")
        else:
            # Browsers show text files, and save files of other types instead.
            url = f"files/{file}" + ("" if image or file.endswith((".svg", ".png")) else ".txt")
            copy = self.site / url
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.tree.root / file, copy)
        if image:
            return f'<img src="{url}" alt="{text}"/>'
        return f'<a href="{url}">{quoted_in_html(text)}</a>'


def quoted_in_html(text):
    return CODE_SPAN.sub(lambda m: f"<code>{m[1].replace('<', '&lt;')}</code>", text)


def quoted_code(text):
    """Doubles the backticks of code with a quote in it: Doxygen ends code in single backticks at a quote."""
    return CODE_SPAN.sub(lambda m: f"`` {m[1]} ``" if "'" in m[1] else m[0], text)


def header(text):
    """Returns a header whose first comment describes the file, for Doxygen."""
    lines = FRIEND.sub("", OUTSIDE.sub("", text)).split("\n")
    if lines[0].startswith("// "):
        count = next(i for i, line in enumerate(lines) if not line.startswith("//"))
        lines[:count] = ["/// \\file", *("/" + line for line in lines[:count])]
    return re.sub(r"///.*", lambda m: quoted_code(m[0]), "\n".join(lines))


def copies(folder, site):
    Staging(Tree(ROOT), folder, site).write()
