"""Files have less than 600 lines, functions have at most 60."""

import ast

from functions import functions
from house import MAX_FILE_LINES, MAX_FUNCTION_LINES
from tree import Finding, Tree


def check_files(tree: Tree):
    for source in list(tree.cpp()) + list(tree.ending(".py", ".sh")):
        if len(source.lines) >= MAX_FILE_LINES:
            yield Finding(source.path, 1, "file-size", f"{len(source.lines)} lines; stay below {MAX_FILE_LINES}")


def check_functions(tree: Tree):
    for source in tree.cpp():
        for function in functions(source):
            yield from too_long(source.path, function.first, function.name, function.size)
    for source in tree.ending(".py"):
        for node in ast.walk(ast.parse(source.text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from too_long(source.path, node.lineno, node.name, node.end_lineno - node.lineno + 1)


def too_long(path: str, line: int, name: str, size: int):
    if size > MAX_FUNCTION_LINES:
        yield Finding(path, line, "function-size", f"{name} has {size} lines; at most {MAX_FUNCTION_LINES}")
