#!/usr/bin/env python3
"""Each rule has a tiny bad example that must turn it red, and a good example that must not."""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import house  # noqa: E402
import lint  # noqa: E402
import tidy  # noqa: E402
from functions import functions  # noqa: E402
from rules import tools  # noqa: E402
from rules.figures import figures  # noqa: E402
from tree import Source, Tree, split_comments  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SCHED = "include/tine/sched/deque.hpp"


class RuleTest(unittest.TestCase):
    def findings(self, rule: str, files: dict[str, str]) -> list[str]:
        """Returns the findings of one rule in a tree of these files, as `file:line`."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            check = next(r.check for r in lint.RULES if r.name == rule)
            with contextlib.redirect_stdout(io.StringIO()):
                found = list(check(Tree(folder)))
            self.assertTrue(all(f.rule == rule for f in found), found)
            return [f"{f.file}:{f.line}" for f in found]

    def red(self, rule: str, files: dict[str, str], *where: str):
        self.assertEqual(sorted(self.findings(rule, files)), sorted(where))

    def green(self, rule: str, files: dict[str, str]):
        self.assertEqual(self.findings(rule, files), [])


class Arrows(RuleTest):
    def test_a_component_includes_against_the_arrows(self):
        self.red("arrows", {SCHED: "// deque\n#include <tine/managed/par.hpp>\n"}, f"{SCHED}:2")
        self.red("arrows", {SCHED: '#include "managed/par.hpp"\n'}, f"{SCHED}:1")
        self.red("arrows", {"src/algo/a.cpp": "#include <tine/sched/pool.hpp>\n"}, "src/algo/a.cpp:1")

    def test_a_relative_include_is_followed(self):
        files = {"src/sched/a.cpp": '#include "../replay/b.hpp"\n', "src/replay/b.hpp": ""}
        self.red("arrows", files, "src/sched/a.cpp:1")

    def test_a_component_of_src_with_a_readable_name_is_found_in_either_place(self):
        files = {"src/trace/a.cpp": "#include <sched/b.hpp>\n", "src/sched/b.hpp": ""}
        self.red("arrows", files, "src/trace/a.cpp:1")

    def test_spork_may_include_the_abi_and_nothing_else(self):
        self.green("arrows", {"spork/ir/a.cpp": "#include <tine/managed/abi.h>\n"})
        self.red("arrows", {"spork/ir/a.cpp": "#include <tine/detail/base/assert.hpp>\n"}, "spork/ir/a.cpp:1")

    def test_the_allowed_directions(self):
        self.green("arrows", {
            SCHED: "#include <tine/detail/base/atomic.hpp>\n#include <vector>\n// #include <tine/coro/fork.hpp>\n",
            "src/augment/a.cpp": '#include "trace/write.hpp"\n#include "own.hpp"\n#include <tine/detail/sched/observer.hpp>\n',
            "include/tine/tine.hpp": "// The door.\n#pragma once\n#include <tine/managed.hpp>\n",
        })

    def test_inner_headers_belong_to_their_room(self):
        self.red("arrows", {"include/tine/detail/sched/a.hpp": "#include <tine/detail/coro/frame.hpp>\n"},
                 "include/tine/detail/sched/a.hpp:1")
        self.red("arrows", {"src/trace/a.cpp": "#include <tine/detail/sched/task.hpp>\n"}, "src/trace/a.cpp:1")
        self.red("arrows", {"include/tine/detail/kitchen/a.hpp": ""}, "include/tine/detail/kitchen/a.hpp:1")
        self.green("arrows", {"include/tine/coro/a.hpp": "#include <tine/detail/coro/frame.hpp>\n#include <tine/detail/base/result.hpp>\n",
                              "src/sched/a.cpp": "#include <tine/detail/sched/task.hpp>\n"})

    def test_a_single_file_of_another_room_is_not_its_inner_header(self):
        self.green("arrows", {"tools/cli/a.cpp": "#include <tine/managed/par.hpp>\n"})
        self.red("arrows", {"tools/cli/a.cpp": "#include <tine/detail/managed/par.hpp>\n"}, "tools/cli/a.cpp:1")

    def test_a_room_goes_through_a_door(self):
        self.red("arrows", {"src/coro/a.cpp": "#include <tine/tine.hpp>\n"}, "src/coro/a.cpp:1")

    def test_a_door_holds_code(self):
        self.red("arrows", {"include/tine/coro.hpp": "#pragma once\nint x;\n"}, "include/tine/coro.hpp:2")

    def test_an_unknown_component(self):
        self.red("arrows", {"src/kitchen/a.cpp": ""}, "src/kitchen/a.cpp:1")


class Sizes(RuleTest):
    def test_a_long_file(self):
        self.red("file-size", {SCHED: "// x\n" * 600}, f"{SCHED}:1")
        self.green("file-size", {SCHED: "// x\n" * 599})

    def test_a_long_function(self):
        body = "  work();\n" * 59
        self.red("function-size", {"src/sched/a.cpp": f"// a\nvoid f() {{\n{body}}}\n"}, "src/sched/a.cpp:2")
        self.green("function-size", {"src/sched/a.cpp": f"// a\nvoid f() {{\n{body[10:]}}}\n"})

    def test_a_long_method_in_a_namespace(self):
        text = "namespace n {\nclass c {\n  int f(int x) const noexcept {\n" + "    g();\n" * 60 + "  }\n};\n}\n"
        self.red("function-size", {"bench/a.cpp": text}, "bench/a.cpp:3")

    def test_a_long_python_function(self):
        self.red("function-size", {"bench/a.py": "def f():\n" + "    g()\n" * 60}, "bench/a.py:1")

    def test_classes_and_tables_may_be_long(self):
        self.green("function-size", {"src/sched/a.cpp": "class c {\n" + "  int f();\n" * 70 + "};\n"
                                     "constexpr int t[] = {\n" + "  1,\n" * 70 + "};\n"})


class Functions(unittest.TestCase):
    def of(self, text: str) -> list[tuple[str, int, int]]:
        return [tuple(f) for f in functions(Source("a.cpp", text))]

    def test_constructors_with_member_initialisers(self):
        text = "class a {\n  a(int x)\n      : x_{x}, y_(x), z_{x} {\n    f();\n  }\n  int x_{0};\n};\n"
        self.assertEqual(self.of(text), [("a::a", 2, 5)])

    def test_templates_defaults_and_lambdas(self):
        text = ("template <class T, class U = std::vector<int>>\n  requires std::integral<T>\n"
                "auto f(T t = {}, U u = U{}) -> std::pair<T, U> {\n  auto g = [] { return 1; };\n  if (t) { g(); }\n}\n")
        self.assertEqual(self.of(text), [("f", 1, 6)])

    def test_braces_in_literals_comments_and_directives(self):
        text = "#define OPEN {\nvoid f() {\n  g('{', \"{\", R\"x({)x\", 1'000);  // {\n  /* { */\n}\nvoid h() {}\n"
        self.assertEqual(self.of(text), [("f", 2, 5), ("h", 6, 6)])

    def test_two_heads_for_one_body(self):
        text = "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n  x();\n}\n#if B\nvoid k() {}\n#else\nvoid l() {}\n#endif\n"
        self.assertEqual(self.of(text), [("f", 2, 7), ("k", 9, 9), ("l", 11, 11)])

    def test_definitions_outside_their_class(self):
        self.assertEqual(self.of("void pool::stop() noexcept {\n}\n"), [("pool::stop", 1, 2)])

    def test_comments_keep_their_lines(self):
        code, comments = split_comments('a();  // one\n/* two\n three */ b("//");\n')
        self.assertEqual([line.rstrip() for line in code], ["a();", "", "          b(    );"])
        self.assertEqual([line.strip() for line in comments], ["// one", "/* two", "three */"])


class Orders(RuleTest):
    def test_an_order_without_its_partner(self):
        for order in ("base::release", "release", "std::memory_order_seq_cst", "std::memory_order::acquire"):
            self.red("pairs-with", {SCHED: f"// a\nx.store(1, {order});\n"}, f"{SCHED}:2")

    def test_a_comment_too_far_away_or_only_a_literal(self):
        self.red("pairs-with", {SCHED: "// pairs with f\n" + "a();\n" * 4 + "x.load(acquire);\n"}, f"{SCHED}:6")
        self.red("pairs-with", {SCHED: 'x.load(acquire, "pairs with f");\n'}, f"{SCHED}:1")

    def test_a_partner_named(self):
        self.green("pairs-with", {SCHED: "// pairs with the release in f\n\n\n\nx.load(acquire);\n"})
        self.green("pairs-with", {SCHED: "x.load(acquire);  // pairs with the release in f\n"})
        self.green("pairs-with", {SCHED: "// it pairs\n// with f\nx.load(base::acquire);\n"})

    def test_what_is_no_order(self):
        self.green("pairs-with", {SCHED: "p.release();\nvoid release();\nx.load(relaxed);\n// acquire\n"})
        self.green("pairs-with", {SCHED: "enum class then {\n  keep,\n  release,\n};\nf(then::release);\n"})
        self.green("pairs-with", {"include/tine/detail/base/atomic.hpp": "auto release = std::memory_order_release;\n"})

    def test_atomics_by_another_door(self):
        self.red("atomic", {SCHED: "#include <atomic>\nstd::atomic<int> x;\n__atomic_load_n(p, 0);\n"},
                 f"{SCHED}:1", f"{SCHED}:2", f"{SCHED}:3")
        self.green("atomic", {"include/tine/detail/base/atomic.hpp": "#include <atomic>\n", "tests/a.cpp": "#include <atomic>\n"})


class Casts(RuleTest):
    JIT = "spork/ir/codegen/jit.cpp"

    def test_a_cast_without_its_reason(self):
        self.red("cast", {SCHED: "auto t = reinterpret_cast<task*>(at);\n"}, f"{SCHED}:1")
        self.red("cast", {"src/sched/a.cpp": "// a\nauto w = std::launder(p) + reinterpret_cast<word>(q);\n"},
                 "src/sched/a.cpp:2", "src/sched/a.cpp:2")

    def test_the_header_and_the_exceptions(self):
        cast = "auto t = reinterpret_cast<task*>(at);\n"
        self.green("cast", {"include/tine/detail/base/object_at.hpp": cast, self.JIT: cast, "tests/a.cpp": cast})
        self.green("cast", {SCHED: "auto t = base::object_at<task>(at);  // no reinterpret_cast\n"})

    def test_an_exception_that_nothing_needs(self):
        self.red("cast", {self.JIT: "int x;\n"}, f"{self.JIT}:1")


class Headers(RuleTest):
    def test_a_slow_include(self):
        self.red("slow-include", {SCHED: "#include <vector>\n#include <thread>\n"}, f"{SCHED}:2")
        self.green("slow-include", {"src/sched/a.cpp": "#include <thread>\n"})
        self.green("slow-include", {"include/tine/algo/sort.hpp": "#include <functional>\n"})
        self.red("slow-include", {"include/tine/algo/sort.hpp": "#include <thread>\n"}, "include/tine/algo/sort.hpp:1")

    def test_a_header_that_declares_something_else(self):
        for text in ("class queue {};", "void push(int deque);", "struct q { void deque(); };", "namespace tine::sched {}",
                     "extern int dequeue;", "using q = deque;"):
            self.red("header-name", {SCHED: f"// a\n#pragma once\n{text}\n"}, f"{SCHED}:1")

    def test_a_header_that_declares_its_name(self):
        for text in ("namespace n {\ntemplate <class T>\n  requires ok<T>\nclass [[nodiscard]] deque final : base {\n};\n}", "struct deque;",
                     "enum class deque_end : char { top };", "using deque = int;", "concept a_deque = true;", "#define DEQUE_END 1",
                     "inline constexpr int max_deque = 1;", "[[noreturn]] const std::map<int, int>& to_deque(int a) noexcept;",
                     "void empty_deques();", 'extern "C" {\nint tine_deque_push(void* d);\n}', "struct tine::n::deque<int> {};",
                     "inline constexpr struct deque_t final {\n} deque{};", "auto deque(int a) -> int {\n  return a;\n}",
                     "std::atomic<int> the_deque{0};", "extern template struct the_deque<int>;", "namespace tine::sched::deque {\nvoid push();\n}"):
            self.green("header-name", {SCHED: f"// a\n#pragma once\n{text}\n"})
        self.green("header-name", {"include/tine/all.hpp": "// a\n#pragma once\n#include <tine/coro.hpp>\n",
                                   "include/tine/detail/base/macros.hpp": "#define TINE_X 1\n"})

    def test_an_inner_header_in_a_users_program(self):
        inner = {"include/tine/detail/sched/task.hpp": "", "include/tine/sched/pool.hpp": "#include <tine/detail/sched/task.hpp>\n"}
        self.green("detail", inner)
        self.red("detail", {**inner, "docs/a.md": "```cpp\n#include <tine/detail/sched/task.hpp>\n```\n",
                            "examples/a.cpp": "# include <tine/detail/sched/task.hpp>\n"}, "docs/a.md:2", "examples/a.cpp:1")

    def test_an_inner_header_that_no_public_one_needs(self):
        self.red("detail", {"include/tine/detail/sched/a.hpp": "#include <tine/detail/sched/b.hpp>\n", "include/tine/detail/sched/b.hpp": ""},
                 "include/tine/detail/sched/a.hpp:1", "include/tine/detail/sched/b.hpp:1")

    def test_what_a_precompiled_header_hides(self):
        program = "bench/programs/a/a.cpp"
        self.red("include", {program: "#include <vector>\nstd::vector<std::string> a;\nstd::string b;\n"}, f"{program}:2")
        self.green("include", {program: "#include <vector>\nstd::vector<int> a;  // std::string\n", "src/sched/a.cpp": "std::string p;\n"})
        self.red("include", {"tools/cli/a.cpp": "fmt::format(a);\n"}, "tools/cli/a.cpp:1")
        through = {"bench/programs/a/problem.hpp": '#include "harness/b.hpp"\n', "bench/harness/b.hpp": "#include <string>\n"}
        self.green("include", {program: '#include "problem.hpp"\nstd::string a;\n', **through})

    def test_a_macro_that_stays(self):
        self.red("macro", {SCHED: "// a\n# define TINE_X 1\n"}, f"{SCHED}:2")
        self.green("macro", {SCHED: "#define TINE_X 1\n#undef TINE_X\n", "include/tine/detail/base/macros.hpp": "#define TINE_Y\n"})

    def test_an_opening(self):
        self.red("opening", {SCHED: "#pragma once\n"}, f"{SCHED}:1")
        self.red("opening", {SCHED: "// A deque.\n"}, f"{SCHED}:1")
        self.green("opening", {SCHED: "// A deque.\n#pragma once\n", "src/sched/a.cpp": "// A.\n"})


class Names(RuleTest):
    def test_a_name_that_says_nothing(self):
        self.red("name", {"src/sched/pool_utils.cpp": "", "bench/common/a.hpp": ""},
                 "src/sched/pool_utils.cpp:1", "bench/common/a.hpp:1")
        self.green("name", {"src/sched/score.cpp": "", "src/sched/commonwealth.cpp": ""})

    def test_a_room_without_readme(self):
        self.red("component", {"include/tine/detail/sched/a.hpp": "", "include/tine/detail/sched/b.hpp": ""}, "include/tine/detail/sched/a.hpp:1")
        self.red("component", {SCHED: "", "src/coro/a.cpp": "", "src/coro/README.md": ""}, f"{SCHED}:1")
        self.green("component", {SCHED: "", "src/sched/README.md": "", "include/tine/tine.hpp": ""})

    def test_a_path_of_one_machine(self):
        for path in ("home/me/x", "work/x", "root/.cache"):
            self.red("machine-path", {"docs/a.md": f"see\n/{path}\n"}, "docs/a.md:2")
        self.green("machine-path", {"docs/a.md": "fork/work, $x/home/y, https://a.org/home/b, ~/work/x, /rooted\n"})


class Docs(RuleTest):
    def test_dead_symbols(self):
        code = {"src/sched/a.cpp": "// old_name\nvoid pool::stop() {}\n"}
        self.red("dead-symbol", {**code, "a.md": "x\n`src/sched/a.cpp:old_name`\n`src/sched/b.cpp:stop`\n`docs/b.md`\n"},
                 "a.md:2", "a.md:3", "a.md:4")
        self.green("dead-symbol", {**code, "a.md": "`src/sched/a.cpp:pool::stop` `a.cpp` `build/dev/x.json` `std::vector`\n"})

    def test_dead_symbols_in_comments(self):
        self.red("dead-symbol", {"src/sched/a.cpp": "// see `docs/b.md`\n"}, "src/sched/a.cpp:1")

    def test_dead_links(self):
        text = "# A b's Head\n[x](b.md) [y](#nowhere) [z](../out.md)\n"
        self.red("dead-link", {"docs/a.md": text}, "docs/a.md:2", "docs/a.md:2", "docs/a.md:2")

    def test_living_links(self):
        text = "# A b's Head\n[x](b.md#two-words) [y](#a-bs-head) [z](https://x.org) [f](../src)\n```\n[q](no.md)\n```\n`[r](no.md)`\n"
        self.green("dead-link", {"docs/a.md": text, "docs/b.md": "## Two words\n", "src/x": ""})


class Way(RuleTest):
    CODE = {"src/sched/a.cpp": "void f() {}\n"}

    def way(self, text: str) -> dict[str, str]:
        return {**self.CODE, "docs/internals/way-of-a-fork.md": text}

    def test_it_is_missing(self):
        self.red("way", {}, "docs/internals/way-of-a-fork.md:1")

    def test_too_many_stops(self):
        self.red("way", self.way("1. `src/sched/a.cpp:f`\n" * 9), "docs/internals/way-of-a-fork.md:1")
        self.green("way", self.way("# The way\n\n1. `src/sched/a.cpp:f`\n\n   more\n" * 8))

    def test_a_stop_without_code(self):
        self.red("way", self.way("## 1. first\n`src/sched/a.cpp:f`\n## 2. second\n\n## Then\n`src/sched/a.cpp:f`\n"),
                 "docs/internals/way-of-a-fork.md:3")


@unittest.skipUnless(shutil.which(tools.FORMATTER), "no formatter")
class Format(RuleTest):
    STYLE = {".clang-format": (HERE.parent / ".clang-format").read_text()}

    def test_unformatted(self):
        self.red("format", {**self.STYLE, "src/a.cpp": "int   x ;\nint  y;\n"}, "src/a.cpp:1")
        self.green("format", {**self.STYLE, "src/a.cpp": "int x;\n"})

    def test_another_release_of_the_formatter(self):
        self.addCleanup(setattr, tools, "FORMATTER_VERSION", tools.FORMATTER_VERSION)
        tools.FORMATTER_VERSION = 3
        self.red("format", {**self.STYLE, "src/a.cpp": "int x;\n"}, ".clang-format:1")


@unittest.skipUnless(shutil.which(tidy.TIDY), "no clang-tidy")
class Tidy(RuleTest):
    SETTINGS = {".clang-tidy": (HERE.parent / ".clang-tidy").read_text()}
    GOOD, BAD = "class some_name {};\n", "class SomeName {};\n"

    def setUp(self):
        self.enterContext(unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=self.enterContext(tempfile.TemporaryDirectory())))

    def test_a_name_in_a_header_and_in_a_source(self):
        files = {**self.SETTINGS, SCHED: f"#pragma once\n{self.BAD}", "src/base/a.cpp": f"int a;\n{self.BAD}"}
        self.red("tidy", files, f"{SCHED}:2", "src/base/a.cpp:2")
        self.green("tidy", {**self.SETTINGS, SCHED: f"#pragma once\n{self.GOOD}"})

    def test_two_files_that_define_one_name(self):
        files = {**self.SETTINGS, "src/base/a.cpp": "static int x = 1;\n", "src/base/b.cpp": "static int x = 2;\n"}
        self.green("tidy", files)
        self.red("tidy", {**files, "src/base/b.cpp": f"static int x = 2;\n{self.BAD}"}, "src/base/b.cpp:2")

    def test_a_file_that_does_not_compile(self):
        self.red("tidy", {**self.SETTINGS, "src/base/a.cpp": "nonsense x;\n", "src/base/b.cpp": "int a;\n"}, "src/base/a.cpp:1")

    def test_another_release(self):
        self.addCleanup(setattr, tidy, "TIDY_VERSION", tidy.TIDY_VERSION)
        tidy.TIDY_VERSION = 3
        self.red("tidy", {**self.SETTINGS, SCHED: ""}, ".clang-tidy:1")

    def test_what_has_not_changed_is_not_looked_at_again(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "src/base")
            folder.mkdir(parents=True)
            pathlib.Path(name, ".clang-tidy").write_text(self.SETTINGS[".clang-tidy"])
            (folder / "a.cpp").write_text('#include "a.hpp"\n')
            (folder / "a.hpp").write_text("#pragma once\n" + self.GOOD)
            self.assertEqual(list(tidy.check_library(Tree(name))), [])
            self.assertEqual(len(list(pathlib.Path(os.environ["XDG_CACHE_HOME"]).glob("tine/tidy/*"))), 1)
            self.addCleanup(setattr, tidy.Tidy, "run", tidy.Tidy.run)
            run, tidy.Tidy.run = tidy.Tidy.run, lambda *_: self.fail("it looked again")
            self.assertEqual(list(tidy.check_library(Tree(name))), [])
            tidy.Tidy.run = run
            (folder / "a.hpp").write_text("#pragma once\n" + self.BAD)
            self.assertEqual([f.file for f in tidy.check_library(Tree(name))], ["src/base/a.hpp"])

    def test_a_header_that_is_not_used(self):
        with tempfile.TemporaryDirectory() as name:
            files = {**self.SETTINGS, "tests/a.cpp": '#include "b.hpp"\n#include "c.hpp"\nb x;\nd y;\n', "tests/b.hpp": "#pragma once\nstruct b {};\n",
                     "tests/c.hpp": '#pragma once\n#include "e.hpp"\n', "tests/e.hpp": "#pragma once\nstruct d {};\n"}
            for path, text in files.items():
                pathlib.Path(name, path).parent.mkdir(exist_ok=True)
                pathlib.Path(name, path).write_text(text)
            tree = Tree(name)
            units = list(tidy.other_units(tree, {"tests/a.cpp": ("-std=c++20",)}))
            self.assertEqual([(f.file, f.line) for f in tidy.Tidy(tree).check(units, 1)], [("tests/a.cpp", 2)])

    def test_both_limits_of_a_function_are_the_same(self):
        self.assertIn(f"readability-function-size.LineThreshold: {house.MAX_FUNCTION_LINES}\n", self.SETTINGS[".clang-tidy"])


@unittest.skipUnless(shutil.which(tools.COMPILER), "no compiler")
class IncludeCost(RuleTest):
    def test_an_expensive_door(self):
        self.addCleanup(setattr, tools, "MAX_INCLUDE_NODES", tools.MAX_INCLUDE_NODES)
        # An empty file has a few nodes, and <vector> has some 90,000.
        tools.MAX_INCLUDE_NODES = {"include/tine/tine.hpp": 1_000, "include/tine/algo/*.hpp": 1_000_000}
        self.red("include-cost", {"include/tine/tine.hpp": "#include <vector>\n"}, "include/tine/tine.hpp:1")
        self.green("include-cost", {"include/tine/tine.hpp": "struct small;\n", "include/tine/algo/sort.hpp": "#include <vector>\n"})
        tools.MAX_INCLUDE_NODES = {"include/tine/tine.hpp": 1_000_000, "include/tine/algo/*.hpp": 1_000}
        self.red("include-cost", {"include/tine/algo/sort.hpp": "#include <vector>\n"}, "include/tine/algo/sort.hpp:1")
        self.green("include-cost", {"include/tine/tine.hpp": "#include <vector>\n"})

    def test_a_door_that_does_not_compile(self):
        self.red("include-cost", {"include/tine/tine.hpp": "#include <nowhere>\n"}, "include/tine/tine.hpp:1")


class Sentences(RuleTest):
    def test_a_noun_clause_as_a_sentence(self):
        for text in ("Whether it is empty.", "What follows the join.", "Of the three the first.", "The same for parts.", "Who asks."):
            self.red("sentence", {SCHED: f"// {text}\n"}, f"{SCHED}:1")
        self.green("sentence", {SCHED: "// Returns true if it is empty. What does it cost?\n"})

    def test_a_component_without_a_name(self):
        for word in ("somebody", "Nobody", "whoever", "is told", "goes on"):
            self.red("sentence", {"src/sched/README.md": f"# Title\n\nThe owner does it, and {word} reads it.\n"}, "src/sched/README.md:3")

    def test_a_sentence_that_begins_amid_a_block(self):
        self.red("sentence", {SCHED: "// The owner pops. It\n// does so. Whether\n// it is empty.\n"}, f"{SCHED}:2")

    def test_code_literals_fences_and_quotations(self):
        self.green("sentence", {SCHED: 'f("Whether");  // returns `nobody`\n',
                                "docs/a.md": '```\nWhat nobody is told\n```\nA test prints "Whether".\n'})

    def test_scripts(self):
        self.red("sentence", {"bench/a.py": '"""What this is."""\n# Nobody calls it.\n'}, "bench/a.py:1", "bench/a.py:2")

    def test_names_of_test_cases(self):
        filler = "// The thief steals.\n" * 400
        for name in ("what is wrong is named", "nobody is woken", 'a task " "goes on', "of two exceptions the first wins"):
            self.red("sentence", {"tests/a.cpp": f'{filler}TEST_CASE("{name}") {{}}\n'}, "tests/a.cpp:401")
            self.red("sentence", {"tests/a.cpp": f'SUBCASE(\n    "{name}") {{}}\n'}, "tests/a.cpp:1")
        self.green("sentence", {"tests/a.cpp": 'TEST_CASE("the first exception wins" * skip(what())) {}\nf("nobody");\n'})

    def test_a_long_file_may_have_one(self):
        self.green("sentence", {"docs/a.md": "The thief steals.\n\n" * 200 + "Nobody sleeps.\n"})


class Glossary(RuleTest):
    PAGE = "| word | meaning | source |\n|---|---|---|\n| join node | x | *tine* |\n| S1, S2 | x | *tine* |\n"

    def test_a_term_that_no_file_uses(self):
        self.red("glossary", {"docs/internals/glossary.md": self.PAGE, SCHED: "int s1, s2;\n"}, "docs/internals/glossary.md:3")
        self.red("glossary", {"docs/internals/glossary.md": self.PAGE, SCHED: "int s1, join_node;\n"}, "docs/internals/glossary.md:4")
        self.green("glossary", {"docs/internals/glossary.md": self.PAGE, SCHED: "// a join\nint s1, s2, join_node;\n// Join nodes.\n"})

    def test_a_retired_word(self):
        for line in ("void answer_doorbell();", "// A watched strand.", "// It goes home.", "int not_met;", "// A branch is given away.",
                     "bool goes_on;", "// The record is taken back."):
            self.red("retired-word", {SCHED: f"{line}\n"}, f"{SCHED}:1")
        self.green("retired-word", {SCHED: "// A trunk, with wrung cloth.\n", "docs/internals/decisions/001-a.md": "The doorbell.\n"})


class Voice(RuleTest):
    PAGE, CODE, LONG = "docs/reference/a.md", "src/sched/a.hpp", "The thief " + "steals " * 34
    STYLE = (HERE.parent / ".clang-format").read_text()

    def test_words(self):
        for text in ("It stops at the begin.", "From its begin on.", "The begins of segments.", "A usual path.", "It runs so often."):
            self.red("voice", {self.PAGE: f"# Title\n\n{text}\n"}, f"{self.PAGE}:3")
            self.red("voice", {self.CODE: f"// Title.\n// {text}\n"}, f"{self.CODE}:2")
        self.green("voice", {self.PAGE: "The strands begin. Loops of tine begin to run, so often that `the begin` of it is slow.\n"})

    def test_long_sentences(self):
        self.red("voice", {self.PAGE: f"{self.LONG}.\n"}, f"{self.PAGE}:1")
        self.red("voice", {self.CODE: "// Steals.\n//\n// " + self.LONG.replace("steals ", "steals\n// ", 20) + ".\n"}, f"{self.CODE}:3")
        self.red("voice", {self.PAGE: "A thief, which searches, takes a task, which it runs.\n"}, f"{self.PAGE}:1")
        self.green("voice", {self.PAGE: f"{self.LONG[:-7]}. It [steals](a.b.c.d) `which one` a task, which it runs.\n```\n{self.LONG}.\n```\n"})
        self.green("voice", {"tests/sched/a.cpp": f"// {self.LONG}.\n"})

    def test_an_opening_that_names_another_file(self):
        self.red("voice", {self.CODE: "// See `other.hpp`.\n"}, f"{self.CODE}:1")
        self.green("voice", {self.CODE: "// Stealing. See other.hpp for the order.\n"})

    def test_the_length_of_comments_and_literals(self):
        self.red("voice", {self.CODE: f"int x;  // {'y' * 110}\n"}, f"{self.CODE}:1")
        self.red("voice", {self.CODE: '// A.\nauto a = "no thief finds the "\n         "task";\n'}, f"{self.CODE}:2")
        self.green("voice", {self.CODE: f"int x;  // {'y' * 109}\n" + 'auto a = "a line\\n"\n "other\\n";\nauto b = {"one", "two"};\n// "it is "\n// "quoted"\n'})
        self.assertIn(f"ColumnLimit: {house.MAX_COLUMN}\n", self.STYLE)
        self.assertIn("BreakStringLiterals: false\n", self.STYLE)

    def test_files_of_the_root(self):
        self.red("voice", {"notes.md": "", "README.md": ""}, "notes.md:1")

    def test_a_term_that_stands_twice(self):
        rows = "| term | meaning |\n|---|---|\n| thief | x |\n| victim, thief | x |\n"
        self.red("voice", {"docs/internals/glossary.md": rows}, "docs/internals/glossary.md:4")


class Figures(RuleTest):
    RESULTS = "bench/results/2026-01-02-base.jsonl"
    ROW = ('{"program": "fib", "variant": "%s", "workers": 1, "verified": true, "params": {"n": 38}, '
           '"over_serial": {"median": %s, "min": 1, "max": 9}}\n')
    README = ("# tine\n<!-- figures: limits -->\n- A program that does nothing but fork takes %s times as long as the same recursion without "
              "forks (fib with the combining\n  form; 2.4 with the form that returns both results). Real leaves hide that.\n"
              "<!-- end of figures -->\n")

    def results(self, managed: str) -> dict[str, str]:
        return {self.RESULTS: self.ROW % ("managed", managed) + self.ROW % ("managed_pair", "2.4")}

    def test_a_figure_that_was_not_measured(self):
        self.red("figures", {"README.md": self.README % "1.6", **self.results("1.7")}, "README.md:3")
        self.green("figures", {"README.md": self.README % "1.7", **self.results("1.7")})

    def test_only_the_newest_run_counts(self):
        older = {"bench/results/2026-01-01-base.jsonl": self.ROW % ("managed", "1.5")}
        self.green("figures", {"README.md": self.README % "1.7", **self.results("1.7"), **older})

    def test_a_newer_row_in_any_file_counts(self):
        newer = {"bench/results/2026-01-03-fib-uts-t1.jsonl": self.ROW % ("managed", "1.9")}
        self.red("figures", {"README.md": self.README % "1.7", **self.results("1.7"), **newer}, "README.md:3")
        self.green("figures", {"README.md": self.README % "1.9", **self.results("1.7"), **newer})
        of_another_size = {name: row.replace("{", '{"sizes": "large", ', 1) for name, row in newer.items()}
        self.green("figures", {"README.md": self.README % "1.7", **self.results("1.7"), **of_another_size})
        self.red("figures", {"docs/measurements/performance.md": self.README % "1.7", **self.results("1.7"), **newer}, "docs/measurements/performance.md:3")

    def test_a_chart_of_other_results(self):
        rows = []
        for program in figures.LOOPS:
            for variant, _, _ in figures.RIVALS:
                rows.append(json.dumps({"program": program, "variant": variant, "workers": 2, "params": {}, "verified": True,
                                        "over_serial": {"median": 0.5, "min": 0.5, "max": 0.5}, "seconds": [1], "commit": "a"}))
        files = {"README.md": f"![a chart]({figures.CHART})\n", "bench/results/2026-01-02-parallel-ml.jsonl": "\n".join(rows) + "\n"}
        self.red("figures", {**files, figures.CHART: "<svg></svg>\n"}, f"{figures.CHART}:1")

    def test_a_block_that_no_function_makes(self):
        self.red("figures", {"README.md": self.README.replace("limits", "wishes") % "1.7", **self.results("1.7")}, "README.md:1")


class Door(unittest.TestCase):
    def test_every_verb_answers_help_without_building(self):
        usage = subprocess.run([HERE.parent / "dev", "help"], capture_output=True, text=True, check=True).stdout
        rows = re.findall(r"^  ([a-z]+)(?: \| ([a-z]+))?", usage, re.MULTILINE)
        verbs = {verb for row in rows for verb in row if verb}
        self.assertIn("tsan", verbs)
        for verb in verbs:
            with self.subTest(verb=verb):
                answer = subprocess.run([HERE.parent / "dev", verb, "--help"], capture_output=True, text=True, timeout=60)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""))
                self.assertTrue(answer.stdout.startswith("usage: "))
                self.assertNotIn("== build", answer.stdout)


class EveryRule(unittest.TestCase):
    def test_has_a_test_that_turns_it_red(self):
        tests = pathlib.Path(__file__).read_text()
        for rule in lint.RULES:
            self.assertIn(f'self.red("{rule.name}"', tests)


def main() -> int:
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
    failed = len({test.id() for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
