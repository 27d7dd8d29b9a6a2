// What everybody who computes with a profile relies on. Nothing here recurses: a dag may be as deep as the program was.
#include "trace/check.hpp"

namespace tine::trace {
namespace {

class checker {
 public:
  checker(const profile& p, const table_places& places, const std::string& name)
      : p_{p}, places_{places}, name_{name} {}

  void modules() const {
    for (std::size_t i = 0; i < p_.modules.size(); ++i) {
      if (p_.modules[i].begin > p_.modules[i].end) fail("modu", i, "a module that ends before it begins");
    }
  }

  void paths() const {
    for (std::size_t i = 0; i < p_.paths.size(); ++i) {
      const path& row = p_.paths[i];
      index("path", i, "site", row.site, p_.sites.size());
      if (row.parent != nothing && row.parent >= i) fail("path", i, "its parent does not stand before it");
      if (row.parent != nothing && row.site == nothing) fail("path", i, "it has a parent, but no site");
    }
  }

  void points() const {
    for (std::size_t i = 0; i < p_.points.size(); ++i) {
      index("poin", i, "site", p_.points[i].site, p_.sites.size());
      index("poin", i, "phase", p_.points[i].phase, p_.phases.size());
    }
  }

  void space() const {
    if (p_.space.size() > 1) fail("spac", 1, "a second row, but a run has one");
  }

  // Preorder: `missing` has, for every node around the current one, how many of its children are still to come.
  void nodes() const {
    std::vector<std::uint32_t> missing;
    for (std::size_t i = 0; i < p_.nodes.size(); ++i) {
      const node& n = p_.nodes[i];
      index("node", i, "site", n.site, p_.sites.size());
      if (n.is == node::shape::leaf && n.children != 0) fail("node", i, "a leaf with children");
      if (n.children >= p_.nodes.size() - i) {
        fail("node", i,
             std::to_string(n.children) + " children, but only " + std::to_string(p_.nodes.size() - i - 1) +
                 " nodes follow");
      }
      if (!missing.empty()) --missing.back();
      missing.push_back(n.children);
      while (!missing.empty() && missing.back() == 0) missing.pop_back();
    }
    if (!missing.empty()) fail("node", p_.nodes.size() - 1, "the last node, but others still lack children");
  }

 private:
  void index(const char* tag, std::size_t row, const char* field, std::uint32_t value, std::size_t size) const {
    if (value == nothing || value < size) return;
    fail(tag, row, std::string{field} + " " + std::to_string(value) + ", but there are " + std::to_string(size));
  }

  [[noreturn]] void fail(const char* tag, std::size_t row, const std::string& problem) const {
    const auto table = places_.find(tag);
    const std::uint64_t offset = table == places_.end() ? 0 : table->second.row(row);
    throw bad_file{name_, offset, "row " + std::to_string(row) + " of '" + tag + "': " + problem};
  }

  const profile& p_;
  const table_places& places_;
  const std::string& name_;
};

}  // namespace

void check(const profile& p, const table_places& places, const std::string& name) {
  const checker c{p, places, name};
  c.modules();
  c.paths();
  c.points();
  c.space();
  c.nodes();
}

}  // namespace tine::trace
