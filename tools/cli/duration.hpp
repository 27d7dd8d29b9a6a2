// Numbers as people read them: three digits and a unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tine::cli {

/// Nanoseconds as "1.23 ms".
std::string duration(double nanoseconds);
/// Bytes as "1.50 MiB", with a sign if they are negative.
std::string bytes(double number);
/// A count with a comma between thousands.
std::string count(std::uint64_t number);
/// "1 race", "2 races".
std::string plural(std::uint64_t number, const std::string& one);
/// A large count as "1.23 M".
std::string rough(double number);
/// A share as "12.3 %".
std::string percent(double share);
/// A share, or "–" if there is none.
std::string percent(const std::optional<double>& share);
/// A factor with three digits.
std::string factor(double number);
/// "3.1–3.4", or one number if both look the same.
std::string range(double low, double high);

/// Parse "5ms", "1.5 s", "300ns", "2 min" into nanoseconds, "5%" or "0.05" into a share, "64MiB", "1.5e6" into bytes.
/// Return nothing if the text has another form.
std::optional<double> parse_duration(const std::string& text);
std::optional<double> parse_share(const std::string& text);
std::optional<double> parse_bytes(const std::string& text);

}  // namespace tine::cli
