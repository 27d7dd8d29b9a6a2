// The options of a command line. Only options.cpp knows the library behind them: its header takes longer to compile than any
// program here.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// Which numbers an option takes, both ends included.
template <class T>
struct range {
  T least, most;
};

/// A command line in the making. A variable holds its option's default until `parse`, and what the user wants afterwards. The
/// numbers are int, unsigned, std::int64_t, std::size_t and double.
class options {
 public:
  options(const std::string& program, const std::string& description);
  ~options();

  template <class T>
  void number(const std::string& name, T& into, range<std::type_identity_t<T>> allowed, const std::string& what);

  /// A number of some `kind`, as `is_one` says: "power of two".
  template <class T>
  void number_of_kind(const std::string& name, T& into, range<std::type_identity_t<T>> allowed, const std::string& kind,
                      bool (*is_one)(std::type_identity_t<T>), const std::string& what);

  /// The size of a problem: a number, and `--large` for one far beyond all caches.
  template <class T>
  void size(const std::string& name, T& into, range<std::type_identity_t<T>> allowed, std::type_identity_t<T> large,
            const std::string& what);

  /// `--large` for a size that is no number: the same as this value of the option `name`, which was added before.
  void large(const std::string& name, const std::string& value, const std::function<void()>& choose);

  void flag(const std::string& name, bool& into, const std::string& what);

  /// One of several words; `choose` is called with the user's, if there is one.
  void word(const std::string& name, const std::string& preset, const std::vector<std::string>& words,
            const std::function<void(const std::string&)>& choose, const std::string& what);

  /// Reads the command line. Ends the process with status 0 after --help, and with status 2 and a message that names the value
  /// and what is allowed if one is bad.
  void parse(int argc, char** argv);

  /// Whether the user gave the option.
  bool has(const std::string& name) const;

  /// Ends the process with status 2 and this message.
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  struct parser;
  std::unique_ptr<parser> parser_;
};

}  // namespace bench
