// The subcommands and options of the command as plain values, for completion scripts and man pages. The source is the
// one of `--help`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tine::cli {

/// An option, or an argument without a name on the command line.
struct described_option {
  std::vector<std::string> names;    ///< "-o" and "--output"; the one name of an argument, as PROFILE
  std::string value;                 ///< the kind of its value: FILE, COMMAND, TEXT, UINT; empty for a flag
  std::vector<std::string> choices;  ///< the values that it takes, if these are a list
  bool needs_value = false;          ///< false for a flag, and for an option whose value may be left out
  bool is_required = false;
  bool takes_many = false;  ///< the option may be repeated, or the argument is a list
  std::string about;
  std::string usual;  ///< the default value; empty if the help names none
};

struct described_command {
  std::string path;  ///< "ir run"; empty for tine itself
  std::string name;  ///< "run"
  std::string about, footer;
  std::vector<described_option> options, arguments;
  std::vector<described_command> verbs;
};

/// Returns the commands below `app`, without what the help hides.
described_command describe_command_tree(const CLI::App& app);

/// Calls `f` with the command and each one below it.
template <class F>
void for_each_command(const described_command& c, const F& f) {
  f(c);
  for (const described_command& verb : c.verbs) for_each_command(verb, f);
}

}  // namespace tine::cli
