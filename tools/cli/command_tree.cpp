// Reads the subcommands and options from CLI11's objects.
#include "cli/command_tree.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace tine::cli {
namespace {

// Returns the words of CLI11's text for a list of values, "TEXT:{dot,perfetto}".
std::vector<std::string> choices_of(const std::string& type) {
  const auto begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

described_option describe(const CLI::Option& o) {
  described_option d;
  if (o.get_positional()) d.names.push_back(o.get_name(true, false));
  for (const std::string& name : o.get_snames()) d.names.push_back("-" + name);
  for (const std::string& name : o.get_lnames()) d.names.push_back("--" + name);
  const std::string type = o.get_type_name();
  if (o.get_items_expected_max() > 0) d.value = type.substr(0, type.find_first_of(": "));
  d.choices = choices_of(type);
  d.needs_value = o.get_items_expected_min() > 0;
  d.is_required = o.get_required();
  d.takes_many = o.get_items_expected_max() > 1 || o.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  d.about = o.get_description();
  d.usual = o.get_default_str();
  return d;
}

described_command describe_below(const CLI::App& app, const std::string& path) {
  described_command c;
  c.path = path;
  c.name = app.get_name();
  c.about = app.get_description();
  c.footer = app.get_footer();
  for (const CLI::Option* o : app.get_options()) {
    if (o->get_group().empty()) continue;
    (o->get_positional() ? c.arguments : c.options).push_back(describe(*o));
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_group().empty()) continue;
    c.verbs.push_back(describe_below(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name()));
  }
  return c;
}

}  // namespace

described_command describe_command_tree(const CLI::App& app) { return describe_below(app, ""); }

}  // namespace tine::cli
