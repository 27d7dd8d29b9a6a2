"""Checks the reference against the public headers as clang reads them: every public name is in it and has a comment."""

import re
import subprocess
from pathlib import Path

import pages
from clang.cindex import AccessSpecifier, CursorKind, Index, TranslationUnit

CLASSES = {CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.CLASS_TEMPLATE}
SCOPES = CLASSES | {CursorKind.NAMESPACE, CursorKind.ENUM_DECL, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL, CursorKind.FRIEND_DECL}
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD}
NAMED = CLASSES | FUNCTIONS | {
    CursorKind.ENUM_DECL, CursorKind.ENUM_CONSTANT_DECL, CursorKind.FIELD_DECL, CursorKind.VAR_DECL, CursorKind.TYPE_ALIAS_DECL,
    CursorKind.TYPE_ALIAS_TEMPLATE_DECL, CursorKind.TYPEDEF_DECL, CursorKind.CONCEPT_DECL}
HIDDEN = {AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED}
# C++ gives these names their meaning: operators, and members that coroutines, containers, iterators and random engines
# must have.
FIXED = re.compile(r"operator\W.*|await_\w+|begin|end|data|size|min|max|result_type|valid|get")
# tine/augment/vertex.hpp describes these members of vertices.
VERTEX = re.compile(r"tine::(labels::labelled|random_stream|space|work_span)::(start|stop|fork|join|loop|chunk|iteration|append|join_loop)")


def public(root):
    """Returns every public name: for `tine::pool::run` where it is declared first, and true if any of its declarations has a comment."""
    headers = sorted(p for p in (root / pages.PUBLIC).rglob("*.h*") if not p.is_relative_to(root / pages.DETAIL))
    text = "".join(f'#include "{path}"\n' for path in headers)
    mpi = subprocess.run(["pkg-config", "--cflags-only-I", "ompi"], capture_output=True, text=True, check=False).stdout.split()
    flags = ["-std=c++20", f"-I{root}/include", "-fparse-all-comments", "-DOMPI_SKIP_MPICXX", *mpi]
    unit = Index.create().parse("all.cpp", flags, [("all.cpp", text)], TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
    errors = [str(d) for d in unit.diagnostics if d.severity >= d.Error]
    if errors:
        raise RuntimeError("\n".join(errors))
    found, lines = {}, {str(path): path.read_text(encoding="utf-8").splitlines() for path in headers}

    def look(cursor, scope):
        for child in cursor.get_children():
            if child.kind not in SCOPES | NAMED or child.access_specifier in HIDDEN or child.spelling == "detail":
                continue
            if child.location.file is None or child.location.file.name not in lines:
                continue
            name = child.spelling if not child.is_anonymous() else ""
            declares_only = child.kind in CLASSES or cursor.kind == CursorKind.FRIEND_DECL
            if "<" in name or (declares_only and not child.is_definition()):
                continue
            path = "::".join(part for part in (scope, name) if part)
            if child.kind in NAMED and name and not FIXED.fullmatch(name) and not VERTEX.fullmatch(path):
                place = f"{Path(child.location.file.name).relative_to(root)}:{child.location.line}"
                line = lines[child.location.file.name][child.location.line - 1]  # clang ignores a comment behind a function
                where, has = found.get(path, (place, False))
                found[path] = where, has or bool(child.raw_comment) or "///<" in line
            if child.kind in SCOPES:
                # the names of a plain enumeration are in the scope around it
                inner = child.kind == CursorKind.NAMESPACE or (child.kind in NAMED and (child.kind != CursorKind.ENUM_DECL or child.is_scoped_enum()))
                look(child, path if inner else scope)

    look(unit.cursor, "")
    return found


def lacking(tags):
    """Returns the public names, and a sentence for each that is not in the reference or has no comment."""
    known = set()
    for compound in tags.iter("compound"):
        scope = compound.findtext("name") if compound.get("kind") in ("class", "struct", "namespace", "union") else ""
        known.add(compound.findtext("name"))
        for member in compound.iter("member"):
            name = "::".join(part for part in (scope, member.findtext("name")) if part)
            known.update([name, *(f"{name}::{value.text}" for value in member.iter("enumvalue"))])
    found, findings = public(pages.ROOT), []
    for path, (where, has_comment) in sorted(found.items(), key=lambda item: item[1]):
        if path not in known:
            findings.append(f"{where}: {path} is not in the reference")
        if not has_comment:
            findings.append(f"{where}: {path} has no comment; say in a line with /// above it, or with ///< behind it, what it means")
    return found, findings
