// The lines that an object describes change none of its code.
#include "ir/codegen/jit.hpp"
#include "ir/generate.hpp"
#include "ir/pipeline.hpp"

#include <doctest/doctest.h>

#include <elf.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace {

using namespace tine;

template <class T>
T read(const std::string& file, std::size_t at) {
  T t;
  REQUIRE(at + sizeof t <= file.size());
  std::memcpy(&t, file.data() + at, sizeof t);
  return t;
}

/// Returns the sections of an object by their names.
std::map<std::string, std::string> sections_of(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  const std::string file{std::istreambuf_iterator<char>{in}, {}};
  const auto head = read<Elf64_Ehdr>(file, 0);
  const auto section = [&](std::size_t i) { return read<Elf64_Shdr>(file, head.e_shoff + i * head.e_shentsize); };
  const Elf64_Shdr names = section(head.e_shstrndx);
  std::map<std::string, std::string> all;
  for (std::size_t i = 1; i < head.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    if (s.sh_type != SHT_NOBITS) all[file.data() + names.sh_offset + s.sh_name] = file.substr(s.sh_offset, s.sh_size);
  }
  return all;
}

TEST_CASE("lines change no code") {
  char path[] = "/tmp/tine-lines-XXXXXX";
  const int made = mkstemp(path);
  REQUIRE(made >= 0);
  close(made);
  for (std::uint64_t seed = 100; seed < 112; ++seed) {
    spork::program p = spork::generate(seed, 6, spork::loop_form::chunked);
    spork::optimise(p);
    for (const auto how : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
      CAPTURE(seed);
      CAPTURE((how == spork::promotion_by::record));
      spork::compile_options o{.level = 2, .promotes = how};
      spork::write_program(p, o, path);
      const auto with = sections_of(path);
      o.lines = false;
      spork::write_program(p, o, path);
      const auto without = sections_of(path);
      CHECK(with.contains(".debug_line"));
      CHECK(!without.contains(".debug_line"));
      for (const auto& [name, bytes] : without) {
        if (name.starts_with(".text") || name.starts_with("code_of") || name.starts_with(".rodata") || name == ".data")
          CHECK_MESSAGE(with.at(name) == bytes, name);
      }
    }
  }
  unlink(path);
}

}  // namespace
