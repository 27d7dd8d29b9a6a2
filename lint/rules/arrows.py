"""Components include only along the arrows. Doors (include/tine/x.hpp) are lists of includes for users, not for components."""

import posixpath

from house import ALSO, ARROWS
from tree import Finding, Source, Tree

TOPS = ("include/tine/", "src/", "tools/", "spork/")


def inside(path: str) -> str:
    """Returns `path` without the folder that holds the components; "" if `path` is not in such a folder."""
    return next((path[len(top) :] for top in TOPS if path.startswith(top)), "")


def component_of(inside_path: str) -> str:
    """Returns the component of a path below the components' folder; "" for a door. detail/ holds the inner headers of every component."""
    folder, _, rest = inside_path.removeprefix("detail/").partition("/")
    return folder if rest else ""


def included_path(tree: Tree, source: Source, quote: str, name: str) -> str:
    """Returns the included file as a path below the components' folder; "" if it is not a file of the project."""
    if name.startswith("tine/"):
        return name[len("tine/") :]
    if quote == '"':
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), name))
        if tree.exists(beside) and inside(beside):
            return inside(beside)
    if any(tree.exists(top + name) for top in TOPS):
        return posixpath.normpath(name)
    plain = posixpath.normpath(name).removeprefix("../").removeprefix("../")
    return plain if quote == '"' and component_of(plain) in ARROWS else ""


def check(tree: Tree):
    for source in tree.product():
        here = inside(source.path)
        component = component_of(here)
        if not component:
            yield from check_door(source)
            continue
        if component not in ARROWS:
            yield Finding(source.path, 1, "arrows", f"no component is called '{component}'; the components: {', '.join(ARROWS)}")
            continue
        for number, quote, name in source.includes():
            target = included_path(tree, source, quote, name)
            other = component_of(target)
            if not target or other == component or target in ALSO.get(component, ()):
                continue
            if not other:
                yield Finding(source.path, number, "arrows", f"{target} is a door for users; include what you use of it")
            elif other not in ARROWS[component]:
                allowed = ", ".join(sorted(ARROWS[component] | ALSO.get(component, set()))) or "nothing"
                yield Finding(source.path, number, "arrows", f"{component} may not include {other}, only {allowed}")


def check_door(source: Source):
    if not source.path.startswith("include/tine/"):
        return
    for number, line in enumerate(source.code, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Finding(source.path, number, "arrows", "a door holds nothing but includes")
            return
