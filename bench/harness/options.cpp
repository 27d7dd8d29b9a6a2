// See options.hpp.
#include "harness/options.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>

namespace bench {

struct options::parser {
  CLI::App app;
  std::map<std::string, std::function<value()>> values = {};

  template <class T>
  void add_number(const std::string& name, T& into, const CLI::Validator& check, const std::string& what) {
    app.add_option(name, into, what)->check(check)->capture_default_str();
    values[name.substr(2)] = [&into] { return value{into}; };
  }

  void add_large(const std::string& name, const std::string& value, const std::function<void()>& choose) {
    app.add_flag_callback("--large", choose, format("The same as {} {}", name, value))->excludes(app.get_option(name));
  }
};

options::options(const std::string& program, const std::string& description)
    : parser_{new parser{CLI::App{description, program}}} {}

options::~options() = default;

template <class T>
void options::number(const std::string& name, T& into, range<std::type_identity_t<T>> allowed,
                     const std::string& what) {
  parser_->add_number(name, into, CLI::Range(allowed.least, allowed.most), what);
}

template <class T>
void options::number_of_kind(const std::string& name, T& into, range<std::type_identity_t<T>> allowed,
                             const std::string& kind, bool (*is_one)(std::type_identity_t<T>),
                             const std::string& what) {
  const auto check = [=](const std::string& text) -> std::string {
    T n{};
    if (CLI::detail::lexical_cast(text, n) && n >= allowed.least && n <= allowed.most && is_one(n)) return "";
    return format("Value {} is not a {} in {} to {}", text, kind, allowed.least, allowed.most);
  };
  parser_->add_number(name, into, CLI::Validator(check, kind), what);
}

template <class T>
void options::size(const std::string& name, T& into, range<std::type_identity_t<T>> allowed,
                   std::type_identity_t<T> large, const std::string& what) {
  number(name, into, allowed, what);
  parser_->add_large(name, format("{}", large), [&into, large] { into = large; });
}

void options::flag(const std::string& name, bool& into, const std::string& what) {
  parser_->app.add_flag(name, into, what);
}

void options::choice(const std::string& name, const std::string& preset, const std::vector<std::string>& words,
                     const std::function<void(const std::string&)>& choose, const std::string& what,
                     const std::string& large) {
  const auto chosen = std::make_shared<std::string>(preset);
  const auto note = [chosen, choose](const std::string& word) { choose(*chosen = word); };
  parser_->app.add_option_function<std::string>(name, note, what)->check(CLI::IsMember(words))->default_str(preset);
  parser_->values[name.substr(2)] = [chosen] { return value{*chosen}; };
  if (!large.empty()) parser_->add_large(name, large, [note, large] { note(large); });
}

void options::parse(int argc, char** argv) {
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) std::exit(parser_->app.exit(error));
    refuse(format("{} (see {} --help)", error.what(), parser_->app.get_name()));
  }
}

parameters options::values() const {
  parameters all;
  for (const auto& [name, read] : parser_->values) all[name] = read();
  return all;
}

bool options::has(const std::string& name) const { return parser_->app.count(name) > 0; }

void options::refuse(const std::string& message) const {
  std::fprintf(stderr, "%s: %s\n", parser_->app.get_name().c_str(), message.c_str());
  std::exit(2);
}

template void options::number(const std::string&, int&, range<int>, const std::string&);
template void options::number(const std::string&, unsigned&, range<unsigned>, const std::string&);
template void options::number(const std::string&, std::size_t&, range<std::size_t>, const std::string&);
template void options::number(const std::string&, double&, range<double>, const std::string&);
template void options::number_of_kind(const std::string&, int&, range<int>, const std::string&, bool (*)(int),
                                      const std::string&);
template void options::number_of_kind(const std::string&, std::int64_t&, range<std::int64_t>, const std::string&,
                                      bool (*)(std::int64_t), const std::string&);
template void options::number_of_kind(const std::string&, std::size_t&, range<std::size_t>, const std::string&,
                                      bool (*)(std::size_t), const std::string&);
template void options::size(const std::string&, int&, range<int>, int, const std::string&);
template void options::size(const std::string&, std::size_t&, range<std::size_t>, std::size_t, const std::string&);

}  // namespace bench
