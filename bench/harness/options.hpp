// The options of a command line. Only options.cpp includes the library that parses them, because its header takes
// longer to compile than any program here.
#pragma once

#include "harness/value.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

/// The numbers that an option accepts, both ends included.
template <class T>
struct range {
  T least, most;
};

/// The values of options by name, in the form for a report.
using parameters = std::map<std::string, value>;

/// A command line that is being described. A variable holds its option's default until `parse`, and the user's value
/// afterwards. Numbers are int, unsigned, std::int64_t, std::size_t or double.
class options {
 public:
  options(const std::string& program, const std::string& description);
  ~options();

  template <class T>
  void number(const std::string& name, T& into, range<std::type_identity_t<T>> allowed, const std::string& what);

  /// Adds a number of some `kind`, such as "power of two". `is_one` tests for the kind.
  template <class T>
  void number_of_kind(const std::string& name, T& into, range<std::type_identity_t<T>> allowed, const std::string& kind,
                      bool (*is_one)(std::type_identity_t<T>), const std::string& what);

  /// Adds the size of a problem: a number, and `--large` for a size far beyond all caches.
  template <class T>
  void size(const std::string& name, T& into, range<std::type_identity_t<T>> allowed, std::type_identity_t<T> large,
            const std::string& what);

  void flag(const std::string& name, bool& into, const std::string& what);

  /// Adds an option whose value is one of several words, each of which stands for a value of the variable. If one word
  /// is the `large` one, adds `--large` for it.
  template <class T>
  void word(const std::string& name, T& into, const std::vector<std::pair<std::string, std::type_identity_t<T>>>& words,
            const std::string& what, const std::string& large = "") {
    std::vector<std::string> names;
    std::string preset;
    for (const auto& [word, meaning] : words) {
      names.push_back(word);
      if (meaning == into) preset = word;
    }
    const auto choose = [&into, words](const std::string& chosen) {
      for (const auto& [word, meaning] : words)
        if (word == chosen) into = meaning;
    };
    choice(name, preset, names, choose, what, large);
  }

  /// Reads the command line. Ends the process with status 0 after --help. If a value is bad, ends it with status 2 and
  /// a message that names the value and the allowed values.
  void parse(int argc, char** argv);

  /// Returns the values of all numbers and words that were added, by their names without the dashes.
  parameters values() const;

  /// Returns true if the user gave the option.
  bool has(const std::string& name) const;

  /// Ends the process with status 2 and this message.
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  void choice(const std::string& name, const std::string& preset, const std::vector<std::string>& words,
              const std::function<void(const std::string&)>& choose, const std::string& what, const std::string& large);

  struct parser;
  std::unique_ptr<parser> parser_;
};

}  // namespace bench
