#!/usr/bin/python3
"""Builds the documentation as a site and checks it: build.py FOLDER.

The site has the project's Markdown and a reference of the public headers, and works from files, its search included. The command fails
if Doxygen warns, if a link or an anchor leads nowhere, or if a public name is missing in the reference or has no comment."""

import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import links
import names

import pages

THEME = Path("/usr/share/doxygen-awesome-css")


def run_doxygen(folder, staged, site):
    """Runs Doxygen, and returns its warnings."""
    version = re.search(r'TINE_VERSION "(.*)"', (pages.ROOT / "include/tine/base/version.hpp").read_text())[1]
    own = Path(__file__).resolve().parent
    text = (own / "Doxyfile").read_text() + "".join(f"{key} = {value}\n" for key, value in {
        "PROJECT_NUMBER": version,
        "INPUT": f'"{staged}"',
        "STRIP_FROM_PATH": f'"{staged}/include"',
        "STRIP_FROM_INC_PATH": f'"{staged}/include"',
        "INCLUDE_PATH": f'"{pages.ROOT}/include"',
        "OUTPUT_DIRECTORY": f'"{folder}"',
        "HTML_OUTPUT": f'"{site}"',
        "GENERATE_TAGFILE": f'"{folder}/tags.xml"',
        "HTML_EXTRA_STYLESHEET": f'"{THEME}/doxygen-awesome.css" "{own}/style.css"',
    }.items())
    done = subprocess.run(["doxygen", "-"], input=text, capture_output=True, text=True, cwd=staged)
    warnings = [line.replace(f"{staged}/", "") for line in done.stderr.splitlines()]
    return warnings or ([] if done.returncode == 0 else [f"doxygen ended with exit code {done.returncode}"])


def finish(tags, site):
    """Puts the pages of headers into the links that wait for them, and drops links that Doxygen makes without a target."""
    files = {}
    for file in tags.iter("compound"):
        if file.get("kind") == "file":
            path = (file.findtext("path") or "") + file.findtext("name")
            files[path.rpartition("/input/include/")[2]] = file.findtext("filename").removesuffix(".html") + ".html"
    for page in site.glob("*.html"):
        text = before = page.read_text(encoding="utf-8")
        text = re.sub(f'{pages.HEADER_LINK}([^"]*)', lambda m: files.get(m[1], m[0]), text)
        text = re.sub(r'<a href="file:[^"]*">(.*?)</a>', r"\1", text)  # Doxygen takes `file:line` for an address
        if 'id="nested-classes"' not in text:
            text = text.replace('<a href="#nested-classes">Classes</a> &#124;\n', "")  # all of which are private
        if text != before:
            page.write_text(text, encoding="utf-8")


def main():
    site = Path(sys.argv[1]).resolve()
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=site.parent, prefix="site-") as scratch:
        folder = Path(scratch)
        pages.copies(folder / "input", site)
        findings = run_doxygen(folder, folder / "input", site)
        tags = xml.parse(folder / "tags.xml")
        finish(tags, site)
    broken, count = links.broken(site)
    public, lacking = names.lacking(tags)
    findings += broken + lacking
    print("\n".join(findings + [f"docs: {len(list(site.glob('*.html')))} pages, {count} links, {len(public)} public names, "
                                f"{len(findings)} findings; open {site}/index.html"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
