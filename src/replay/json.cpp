// Schedules as JSON (docs/reference/schedule-format.md): plain functions of values.
#include <tine/replay/schedule.hpp>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace tine {
namespace {

using nlohmann::json;

constexpr const char* format_name = "tine schedule";
constexpr int format_version = 1;
constexpr std::size_t most_file_bytes = std::size_t{512} << 20;  // the limit of a file, because a device may never end

[[noreturn]] void refuse_text(const std::string& why) { throw std::runtime_error{"not a schedule: " + why}; }

// --- writing -----------------------------------------------------------------------------------------------------

// All values but the shape key are whole numbers, so nothing needs escapes.

std::string shape_text(std::uint64_t key) {
  if (key == 0) return "";
  char text[32];
  std::snprintf(text, sizeof text, ",\"shape\":\"%016" PRIx64 "\"", key);
  return text;
}

std::string numa_nodes_text(const std::vector<int>& nodes) {
  if (nodes.empty()) return "";
  std::string text = ",\"numa_nodes\":[";
  for (std::size_t i = 0; i < nodes.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(nodes[i]);
  return text + ']';
}

std::string text_of(const schedule::segment& s) {
  return "{\"owner\":" + std::to_string(s.owner) + ",\"stamp\":" + std::to_string(s.stamp) + ",\"ns\":[" +
         std::to_string(s.begin_ns) + ',' + std::to_string(s.end_ns) + "]}";
}

std::string text_of(const schedule::piece& p) {
  std::string text = "{\"begin\":" + std::to_string(p.begin);
  if (p.run.owner != schedule::no_worker) text += ",\"run\":" + text_of(p.run);
  if (p.node != schedule::nothing) text += ",\"node\":" + std::to_string(p.node);
  return text + '}';
}

std::string text_of(const schedule& s, const schedule::step& t) {
  std::string text = "{\"number\":" + std::to_string(t.number);
  if (t.what == schedule::kind::loop) text += ",\"iterations\":" + std::to_string(t.count);
  if (t.what != schedule::kind::run) {
    text += ",\"pieces\":[";
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p)
      text += (p == t.first_piece ? "" : ",") + text_of(s.pieces()[p]);
    text += ']';
  }
  if (t.after.owner != schedule::no_worker) text += ",\"after\":" + text_of(t.after);
  return text + '}';
}

/// Returns the text of a node with a line for each step.
std::string text_of(const schedule& s, const schedule::node& n) {
  std::string text = "[";
  for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i)
    text += (i == n.first_step ? "" : ",\n  ") + text_of(s, s.steps()[i]);
  return text + ']';
}

// --- reading -----------------------------------------------------------------------------------------------------

/// A value in a text, and the path to it, for messages.
class reader {
 public:
  reader(const json& value, std::string path) : value_{value}, path_{std::move(path)} {}

  [[noreturn]] void refuse(const std::string& why) const {
    refuse_text((path_.empty() ? "the text" : path_) + ' ' + why);
  }

  bool has(const char* key) const { return object().contains(key); }
  reader at(const char* key) const {
    const json& o = object();
    const auto found = o.find(key);
    if (found == o.end()) refuse(std::string{"has no \""} + key + '"');
    return {*found, inside(key)};
  }
  template <class F>
  void for_each(F f) const {
    if (!value_.is_array()) refuse("is no array");
    std::size_t i = 0;
    for (const json& v : value_) f(reader{v, inside(std::to_string(i++))});
  }
  std::size_t size() const {
    if (!value_.is_array()) refuse("is no array");
    return value_.size();
  }
  reader operator[](std::size_t i) const { return {value_.at(i), inside(std::to_string(i))}; }

  template <class T>
  T number(T most = std::numeric_limits<T>::max()) const {
    if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) {
      refuse("is no whole number from 0 to " + std::to_string(most));
    }
    return static_cast<T>(value_.get<std::uint64_t>());
  }
  std::string text() const {
    if (!value_.is_string()) refuse("is no text");
    return value_.get<std::string>();
  }

 private:
  std::string inside(const std::string& name) const { return path_.empty() ? name : path_ + '/' + name; }
  const json& object() const {
    if (!value_.is_object()) refuse("is no object");
    return value_;
  }
  const json& value_;
  std::string path_;
};

schedule::segment read_segment(const reader& r) {
  const reader ns = r.at("ns");
  if (ns.size() != 2) ns.refuse("is no pair of a begin and an end");
  return {r.at("owner").number<int>(), r.at("stamp").number<std::uint32_t>(), ns[0].number<std::uint64_t>(),
          ns[1].number<std::uint64_t>()};
}

schedule::piece read_piece(const reader& r) {
  schedule::piece p;
  p.begin = r.at("begin").number<std::uint64_t>();
  if (r.has("run")) p.run = read_segment(r.at("run"));
  if (r.has("node")) p.node = r.at("node").number<std::uint32_t>(schedule::nothing - 1);
  return p;
}

struct parts {
  std::vector<schedule::node> nodes;
  std::vector<schedule::step> steps;
  std::vector<schedule::piece> pieces;

  void read_step(const reader& r) {
    schedule::step t;
    t.number = r.at("number").number<std::uint32_t>();
    if (r.has("iterations")) {
      t.what = schedule::kind::loop;
      t.count = r.at("iterations").number<std::uint64_t>();
    }
    if (r.has("after")) t.after = read_segment(r.at("after"));
    t.first_piece = static_cast<std::uint32_t>(pieces.size());
    if (r.has("pieces")) {
      r.at("pieces").for_each([&](const reader& p) { pieces.push_back(read_piece(p)); });
    } else {
      t.what = schedule::kind::run;
      t.count = 0;
    }
    t.pieces = static_cast<std::uint32_t>(pieces.size()) - t.first_piece;
    steps.push_back(t);
  }
  void read_node(const reader& r) {
    const auto first = static_cast<std::uint32_t>(steps.size());
    r.for_each([&](const reader& s) { read_step(s); });
    nodes.push_back({first, static_cast<std::uint32_t>(steps.size()) - first});
  }
};

std::uint64_t read_shape(const reader& r) {
  const std::string text = r.text();
  std::uint64_t key = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key, 16);
  if (error != std::errc{} || end != text.data() + text.size()) r.refuse("is no hexadecimal number of 16 digits");
  return key;
}

std::vector<int> read_numa_nodes(const reader& r) {
  std::vector<int> nodes;
  r.for_each([&](const reader& n) { nodes.push_back(n.number<int>()); });
  return nodes;
}

json parsed(const std::string& text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& e) {
    refuse_text("the text is no JSON at byte " + std::to_string(e.byte));
  } catch (const json::out_of_range&) {
    refuse_text("the text is no JSON that can be read: a number in it is larger than any");
  }
}

[[noreturn]] void fail_on_file(const std::string& path, const char* what) {
  throw std::runtime_error{path + ": cannot be " + what + ": " + std::strerror(errno)};
}

std::string content_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) fail_on_file(path, "read");
  std::string text, block(std::size_t{1} << 16, '\0');
  do {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_file_bytes) {
      throw std::runtime_error{path + ": larger than " + std::to_string(most_file_bytes >> 20) +
                               " MiB, which no schedule is"};
    }
  } while (file);
  if (file.bad()) fail_on_file(path, "read");
  return text;
}

}  // namespace

std::string schedule::to_json() const {
  std::string text = std::string{"{\"format\":\""} + format_name + "\",\"version\":" + std::to_string(format_version) +
                     ",\"workers\":" + std::to_string(workers_) + shape_text(shape_) + numa_nodes_text(numa_nodes_) +
                     ",\"root\":" + text_of(root_) + ",\n\"nodes\":[";
  for (std::size_t i = 0; i < nodes_.size(); ++i) text += (i == 0 ? "\n " : ",\n ") + text_of(*this, nodes_[i]);
  return text + "\n]}\n";
}

schedule schedule::from_json(const std::string& text) {
  const json all = parsed(text);
  const reader r{all, ""};
  if (!r.has("format") || r.at("format").text() != format_name) {
    r.refuse(std::string{"is of another format; the `format` of a schedule is \""} + format_name + '"');
  }
  if (const auto v = r.at("version").number<unsigned>(); v != format_version) {
    r.at("version").refuse("is " + std::to_string(v) + "; this tine reads version " + std::to_string(format_version));
  }
  parts p;
  r.at("nodes").for_each([&](const reader& n) { p.read_node(n); });
  try {
    schedule read{r.at("workers").number<unsigned>(), read_segment(r.at("root")), std::move(p.nodes),
                  std::move(p.steps), std::move(p.pieces)};
    if (r.has("shape")) read.set_shape(read_shape(r.at("shape")));
    if (r.has("numa_nodes")) read.set_numa_nodes(read_numa_nodes(r.at("numa_nodes")));
    return read;
  } catch (const std::invalid_argument& e) {
    throw std::runtime_error{e.what()};
  }
}

void schedule::save(const std::string& path) const {
  std::ofstream file{path, std::ios::binary};
  file << to_json();
  file.close();
  if (!file) fail_on_file(path, "written");
}

schedule schedule::load(const std::string& path) {
  const std::string text = content_of(path);
  try {
    return from_json(text);
  } catch (const std::runtime_error& e) {
    throw std::runtime_error{path + ": " + e.what()};
  }
}

}  // namespace tine
