// pprof's profile.proto, gzipped (https://github.com/google/pprof/blob/main/proto/profile.proto): two values a sample,
// the work and the forks of a fork path.
#include "cli/formats/formats.hpp"
#include "cli/formats/stacks.hpp"
#include "cli/refusal.hpp"

#include <zlib.h>
#include <protozero/pbf_writer.hpp>

#include <map>
#include <new>
#include <vector>

namespace tine::cli {
namespace {

// The numbers of fields in profile.proto.
enum profile_field {
  sample_type = 1,
  sample = 2,
  location = 4,
  function = 5,
  string_table = 6,
  duration_nanos = 10,
  default_sample_type = 14
};
enum value_type_field { value_type = 1, value_unit = 2 };
enum sample_field { sample_location_id = 1, sample_value = 2 };
enum location_field { location_id = 1, location_address = 3, location_line = 4 };
enum line_field { line_function_id = 1, line_line = 2 };
enum function_field { function_id = 1, function_name = 2, function_system_name = 3, function_filename = 4 };

// Strings are named by their number; the first one is empty, as the format demands.
class strings {
 public:
  std::int64_t number_of(const std::string& text) {
    const auto [at, is_new] = numbers_.try_emplace(text, static_cast<std::int64_t>(all_.size()));
    if (is_new) all_.push_back(text);
    return at->second;
  }
  void write(protozero::pbf_writer& out) const {
    for (const std::string& text : all_) out.add_string(string_table, text);
  }

 private:
  std::map<std::string, std::int64_t> numbers_{{"", 0}};
  std::vector<std::string> all_{""};
};

void write_type(protozero::pbf_writer& out, strings& names, const char* type, const char* measure) {
  protozero::pbf_writer message{out, sample_type};
  message.add_int64(value_type, names.number_of(type));
  message.add_int64(value_unit, names.number_of(measure));
}

// Location 1 is the root, and site i is location i + 2; functions have the same numbers. Behind them is a location for
// all that is outside of roots, and one for each function that was sampled there.
void write_location(protozero::pbf_writer& out, strings& names, std::uint64_t id, std::uint64_t address,
                    const std::string& name, const report::frame& at) {
  {
    protozero::pbf_writer message{out, location};
    message.add_uint64(location_id, id);
    message.add_uint64(location_address, address);
    protozero::pbf_writer line{message, location_line};
    line.add_uint64(line_function_id, id);
    line.add_int64(line_line, at.line);
  }
  protozero::pbf_writer message{out, function};
  message.add_uint64(function_id, id);
  message.add_int64(function_name, names.number_of(name));
  message.add_int64(function_system_name, names.number_of(name));
  message.add_int64(function_filename, names.number_of(at.file));
}

void write_samples(protozero::pbf_writer& out, const loaded& l) {
  const stack_totals totals = totals_of_stacks(l.profile.paths);
  for (std::uint32_t i = 0; i < l.profile.paths.size(); ++i) {
    if (totals.work[i] == 0 && totals.count[i] == 0) continue;
    std::vector<std::uint64_t> stack;  // the leaf comes first
    for (const std::uint32_t site : stack_of(l.profile.paths, i)) stack.insert(stack.begin(), std::uint64_t{site} + 2);
    stack.push_back(1);
    const std::int64_t values[] = {static_cast<std::int64_t>(totals.work[i]),
                                   static_cast<std::int64_t>(totals.count[i])};
    protozero::pbf_writer message{out, sample};
    message.add_packed_uint64(sample_location_id, stack.begin(), stack.end());
    message.add_packed_int64(sample_value, std::begin(values), std::end(values));
  }
}

void write_outside(protozero::pbf_writer& out, strings& names, const loaded& l) {
  const std::uint64_t outside = l.profile.sites.size() + 2;
  std::uint64_t next = outside;
  for (const report::sampled_function& f : l.summary.sampled.functions) {
    if (next == outside) write_location(out, names, next++, 0, "outside of roots", {});
    const std::uint64_t stack[] = {next, outside};
    const std::int64_t values[] = {static_cast<std::int64_t>(f.time), 0};
    {
      protozero::pbf_writer message{out, sample};
      message.add_packed_uint64(sample_location_id, std::begin(stack), std::end(stack));
      message.add_packed_int64(sample_value, std::begin(values), std::end(values));
    }
    write_location(out, names, next++, 0, f.where.name(), f.where.at);
  }
}

std::string gzipped(const std::string& text) {
  constexpr int with_gzip_header = 15 + 16;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, with_gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc{};
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw refusal{"the profile is too large for pprof's format, which ends at 4 GiB"};
  return out;
}

}  // namespace

std::string to_pprof(const loaded& l) {
  std::string bytes;
  protozero::pbf_writer out{bytes};
  strings names;
  write_type(out, names, "work", "nanoseconds");
  write_type(out, names, "forks", "count");
  write_samples(out, l);
  write_location(out, names, 1, 0, "root", {});
  for (std::uint32_t site = 0; site < l.profile.sites.size(); ++site) {
    const report::place& where = l.summary.place_of(site);
    write_location(out, names, std::uint64_t{site} + 2, l.profile.sites[site].address, where.name(), where.at);
  }
  write_outside(out, names, l);
  out.add_int64(duration_nanos, static_cast<std::int64_t>(l.profile.run.wall));
  out.add_int64(default_sample_type, names.number_of("work"));
  names.write(out);
  return gzipped(bytes);
}

}  // namespace tine::cli
