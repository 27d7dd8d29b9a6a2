// The series-parallel dag for Graphviz: strands are boxes, forks and loops are ellipses, joins are points, and the
// critical path is bold and red.
#include "cli/duration.hpp"
#include "cli/formats/formats.hpp"
#include "cli/refusal.hpp"

#include <fmt/format.h>

#include <vector>

namespace tine::cli {
namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Walks the nodes in their preorder. Every node becomes a piece of the graph with one way in and one way out. A node
// that is complete is linked to the node before it in a series, or to the fork around it.
class drawing {
 public:
  explicit drawing(const loaded& l) : l_{l}, nodes_{l.profile.nodes} {}

  std::string draw() {
    out_ = "digraph dag {\n  rankdir=TB;\n  node [fontname=\"sans-serif\"];\n";
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      begin(i);
      while (!open_.empty() && open_.back().missing == 0) end();
    }
    return out_ + "}\n";
  }

 private:
  struct piece {
    std::uint32_t node;
    std::string in, out;  // names of its first and last point; a series has those of its children
    std::uint32_t missing;
  };

  bool is_critical(std::uint32_t node) const { return l_.summary.critical->goes_through[node]; }

  void begin(std::uint32_t i) {
    const trace::node& n = nodes_[i];
    const bool is_strand = n.children == 0;
    piece p{i, {}, {}, n.children};
    if (is_strand) {
      p.in = p.out = fmt::format("s{}", i);
      point(p.in, i, "box");
    } else if (n.is != trace::node::shape::series) {
      p.in = fmt::format("f{}", i), p.out = fmt::format("j{}", i);
      point(p.in, i, "ellipse");
      out_ += fmt::format("  {} [shape=point];\n", p.out);
    }
    open_.push_back(std::move(p));
  }

  void point(const std::string& name, std::uint32_t i, const char* shape) {
    const trace::node& n = nodes_[i];
    std::string text = n.site == trace::nothing ? "" : label(l_.summary, n.site) + "\n";
    text += "work " + duration(static_cast<double>(n.work)) + ", span " + duration(static_cast<double>(n.span));
    std::string lines = in_quotes(text);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos;) lines.replace(at, 1, "\\n");
    out_ += fmt::format("  {} [shape={}, label={}{}];\n", name, shape, lines,
                        is_critical(i) ? ", color=red, penwidth=2" : "");
  }

  // Closes the innermost open piece, which has all its children.
  void end() {
    const piece done = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) return;
    piece& around = open_.back();
    --around.missing;
    if (nodes_[around.node].is == trace::node::shape::series) {
      if (around.in.empty()) {
        around.in = done.in;
      } else {
        edge(around.out, done.in, is_critical(done.node));
      }
      around.out = done.out;
    } else {
      edge(around.in, done.in, is_critical(done.node));
      edge(done.out, around.out, is_critical(done.node));
    }
  }

  void edge(const std::string& from, const std::string& to, bool is_critical) {
    out_ += fmt::format("  {} -> {}{};\n", from, to, is_critical ? " [color=red, penwidth=2]" : "");
  }

  const loaded& l_;
  const std::vector<trace::node>& nodes_;
  std::vector<piece> open_;
  std::string out_;
};

}  // namespace

std::string to_dot(const loaded& l) {
  if (l.profile.nodes.empty()) throw refusal{"the profile has no dag in it; profile with the analysis `trace`"};
  return drawing{l}.draw();
}

}  // namespace tine::cli
