// A schedule as a picture: a row for each worker, a bar for each strand, arrows for branches that were forked and for
// joins. The picture needs no other file, and follows the reader's choice of light or dark.
#include "cli/duration.hpp"
#include "cli/printable.hpp"
#include "cli/schedule/paths.hpp"
#include "cli/schedule/schedule_text.hpp"
#include "cli/schedule/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

namespace tine::cli {
namespace {

constexpr std::size_t most_bars = 5'000, most_rows = 256;
constexpr double left = 90, plot = 1'080, width = left + plot + 40, top = 74, row_height = 34, bar_height = 18;

constexpr const char* style =
    "svg{--paper:#fff;--ink:#1f2328;--faint:#d8dee4;--region:#8c959f;--branch:#3f7fd0;--join:#3a9d5d;--forked:#b35900;"
    "--joined:#2c7a46;font:12px system-ui,sans-serif;background:var(--paper)}\n"
    "@media(prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--faint:#30363d;--region:#6e7681;--branch:#"
    "5ea0f2;"
    "--join:#56c57d;--forked:#f0a050;--joined:#7ee2a0}}\n"
    "text{fill:var(--ink)}.grid{stroke:var(--faint)}rect{stroke:var(--paper);stroke-width:.5}rect.region{fill:var(--"
    "region)}"
    "rect.branch{fill:var(--branch)}rect.join{fill:var(--join)}rect:hover{fill-opacity:.7}\n"
    "path{fill:none;stroke-width:1.2}path.forked{stroke:var(--forked);marker-end:url(#forked-tip)}"
    "path.joined,path.awaited{stroke:var(--joined);marker-end:url(#joined-tip)}path.joined{stroke-dasharray:5 2}"
    "path.awaited{stroke-dasharray:1 3}#forked-tip path{fill:var(--forked)}#joined-tip path{fill:var(--joined)}\n";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string ns(std::uint64_t n) { return duration(static_cast<double>(n)); }

const char* class_of(timeline::origin o) {
  return o == timeline::origin::region ? "region" : o == timeline::origin::branch ? "branch" : "join";
}

const char* class_of(timeline::reason r) {
  return r == timeline::reason::forked ? "forked" : r == timeline::reason::joined ? "joined" : "awaited";
}

class picture {
 public:
  picture(const schedule& s, const std::string& name)
      : name_{escaped(name)},
        summary_{in_one_line(s)},
        when_{s},
        where_{s},
        row_(s.workers(), -1),
        is_shown_(when_.strands().size()),
        whole_{std::max(1.0, static_cast<double>(s.duration_ns()))} {
    give_rows(s);
    choose_strands();
  }

  std::string draw() {
    const double height = top + row_height * static_cast<double>(workers_.size()) + 46;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
        "<title>{2}</title>\n<style>\n{3}</style>\n"
        "<defs>{4}{5}</defs>\n"
        "<text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"600\">{2}</text>\n<text x=\"12\" y=\"42\">{6}</text>\n",
        width, height, name_, style, tip("forked"), tip("joined"), summary_);
    add_legend();
    add_axis();
    for (std::size_t r = 0; r < workers_.size(); ++r) {
      add("<text x=\"12\" y=\"{:.1f}\">worker {}</text>\n", y_of(static_cast<int>(r)) + 13, workers_[r]);
    }
    for (std::uint32_t i = 0; i < when_.strands().size(); ++i) {
      if (is_shown_[i]) add_bar(when_.strands()[i]);
    }
    for (const timeline::arrow& a : when_.arrows()) add_arrow(a);
    if (!left_out_.empty()) add("<text x=\"12\" y=\"{:.1f}\">{}</text>\n", height - 10, left_out_);
    return out_ + "</svg>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Values>(values)...);
  }
  static std::string tip(const char* name) {
    return fmt::format(
        "<marker id=\"{}-tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" "
        "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>",
        name);
  }
  double x_of(std::uint64_t t) const { return left + plot * static_cast<double>(t) / whole_; }
  static double y_of(int row) { return top + row_height * row; }

  void give_rows(const schedule& s) {
    for (const worker_row& w : worker_rows(s)) {
      if (workers_.size() == most_rows) break;
      row_[static_cast<std::size_t>(w.worker)] = static_cast<int>(workers_.size());
      workers_.push_back(w.worker);
    }
  }
  int row_of(const timeline::strand& s) const { return row_[static_cast<std::size_t>(s.run.owner)]; }

  // Chooses the longest strands; a picture of more than `most_bars` can neither be read nor scrolled.
  void choose_strands() {
    const auto length = [&](std::uint32_t i) {
      const schedule::segment& r = when_.strands()[i].run;
      return r.end_ns - r.begin_ns;
    };
    std::vector<std::uint32_t> order(when_.strands().size());
    std::iota(order.begin(), order.end(), 0U);
    std::erase_if(order, [&](std::uint32_t i) { return row_of(when_.strands()[i]) < 0; });
    if (order.size() > most_bars) {
      std::ranges::sort(order, std::greater<>{}, [&](std::uint32_t i) { return std::pair{length(i), ~i}; });
      order.resize(most_bars);
    }
    double all = 0, shown = 0;
    for (const std::uint32_t i : order) is_shown_[i] = true, shown += static_cast<double>(length(i));
    for (std::uint32_t i = 0; i < is_shown_.size(); ++i) all += static_cast<double>(length(i));
    if (order.size() == is_shown_.size()) return;
    left_out_ = fmt::format(
        "{} of {} strands are left out, {} of the busy time: shown are the {} longest of at most {} workers",
        count(is_shown_.size() - order.size()), count(is_shown_.size()), percent(all > 0 ? 1 - shown / all : 0),
        count(order.size()), most_rows);
  }

  void add_legend() {
    double x = left;
    const auto entry = [&](const std::string& mark, const char* text, double width_of_entry) {
      add("<g transform=\"translate({},52)\">{}<text x=\"30\" y=\"10\">{}</text></g>\n", x, mark, text);
      x += width_of_entry;
    };
    const auto box = [](const char* of) { return fmt::format("<rect class=\"{}\" width=\"24\" height=\"12\"/>", of); };
    const auto line = [](const char* of) { return fmt::format("<path class=\"{}\" d=\"M0 6L24 6\"/>", of); };
    entry(box("region"), "the region’s begin", 150);
    entry(box("branch"), "a branch or iterations, stolen or donated", 290);
    entry(box("join"), "what follows a join", 150);
    entry(line("forked"), "steal or donation", 150);
    entry(line("joined"), "last at a join", 120);
    entry(line("awaited"), "earlier at a join", 120);
  }

  void add_axis() {
    double step = 1;
    while (whole_ / step > 10) step *= whole_ / step > 50 ? 10 : whole_ / step > 20 ? 5 : 2;
    const double bottom = y_of(static_cast<int>(workers_.size()));
    for (double t = 0; t <= whole_; t += step) {
      const double x = left + plot * t / whole_;
      add("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
          "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
          x, top - 4, bottom, bottom + 14, duration(t));
    }
  }

  void add_bar(const timeline::strand& s) {
    const double x = x_of(s.run.begin_ns), length = std::max(0.5, x_of(s.run.end_ns) - x);
    add("<rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" rx=\"1\"><title>{} on worker {}: {}, "
        "from {} to {}, "
        "stamp {}</title></rect>\n",
        class_of(s.began_as), x, y_of(row_of(s)), length, bar_height, describe(where_, s), s.run.owner,
        ns(s.run.end_ns - s.run.begin_ns), ns(s.run.begin_ns), ns(s.run.end_ns), s.run.stamp);
  }

  // Draws an arrow from the lower or upper edge of one bar to the nearer edge of the other bar. Bars of one row need no
  // arrow.
  void add_arrow(const timeline::arrow& a) {
    if (!is_shown_[a.from] || !is_shown_[a.to]) return;
    const timeline::strand &from = when_.strands()[a.from], &to = when_.strands()[a.to];
    if (row_of(from) == row_of(to)) return;
    const bool is_down = row_of(from) < row_of(to);
    add("<path class=\"{}\" d=\"M{:.2f} {}L{:.2f} {}\"/>\n", class_of(a.why), x_of(leaves_at(when_, a)),
        y_of(row_of(from)) + (is_down ? bar_height : 0), x_of(to.run.begin_ns),
        y_of(row_of(to)) + (is_down ? 0 : bar_height));
  }

  const std::string name_, summary_;
  const timeline when_;
  const paths where_;
  std::vector<int> row_;      ///< of each worker; -1 if it has none
  std::vector<int> workers_;  ///< of each row
  std::vector<bool> is_shown_;
  const double whole_;
  std::string left_out_, out_;
};

}  // namespace

std::string schedule_svg(const schedule& s, const std::string& name) { return picture{s, name}.draw(); }

std::string schedule_html(const schedule& s, const std::string& name) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>{}</title>\n"
      "<style>body{{margin:0;overflow-x:auto;background:#fff}}"
      "@media(prefers-color-scheme:dark){{body{{background:#0d1117}}}}</style></head>\n<body>\n{}</body></html>\n",
      escaped(name), schedule_svg(s, name));
}

}  // namespace tine::cli
