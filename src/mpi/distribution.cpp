// Distributions of iterations over ranks: checks, text and back.
#include <tine/mpi/distribution.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace tine::mpi {

distribution::distribution(std::vector<std::vector<range>> by_rank) : by_rank_{std::move(by_rank)} {
  std::vector<range> all;
  for (std::vector<range>& ranges : by_rank_) {
    std::erase_if(ranges, [](const range& r) { return r.end <= r.begin; });
    std::ranges::sort(ranges, {}, &range::begin);
    all.insert(all.end(), ranges.begin(), ranges.end());
  }
  std::ranges::sort(all, {}, &range::begin);
  for (const range& r : all) {
    if (r.begin != size_) {
      throw std::invalid_argument{"tine::mpi::distribution: iteration " + std::to_string(std::min(r.begin, size_)) +
                                  (r.begin < size_ ? " belongs to two ranges" : " belongs to no rank") +
                                  "; each iteration from 0 on must belong to one"};
    }
    size_ = r.end;
  }
}

distribution distribution::block(std::uint64_t n, int ranks) {
  if (ranks < 1)
    throw std::invalid_argument{"tine::mpi::distribution::block: there must be a rank, not " + std::to_string(ranks)};
  const auto parts = static_cast<std::uint64_t>(ranks);
  const auto begin_of = [&](std::uint64_t i) { return i * (n / parts) + std::min(i, n % parts); };
  std::vector<std::vector<range>> by_rank(parts);
  for (std::uint64_t i = 0; i < parts; ++i) by_rank[i].push_back({begin_of(i), begin_of(i + 1)});
  return distribution{std::move(by_rank)};
}

int distribution::rank_of(std::uint64_t iteration) const {
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) {
    for (const range& r : by_rank_[rank]) {
      if (r.begin <= iteration && iteration < r.end) return static_cast<int>(rank);
    }
  }
  throw std::out_of_range{"tine::mpi::distribution::rank_of: there are " + std::to_string(size_) +
                          " iterations, and none has number " + std::to_string(iteration)};
}

void distribution::check_ranks(int ranks) const {
  if (this->ranks() == ranks) return;
  throw std::invalid_argument{"tine::mpi::distribution: it is for " + std::to_string(this->ranks()) +
                              " ranks, but the team has " + std::to_string(ranks)};
}

std::string distribution::text() const {
  std::string lines = "ranks " + std::to_string(by_rank_.size()) + "\n";
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) {
    for (const range& r : by_rank_[rank]) {
      lines += std::to_string(rank) + " " + std::to_string(r.begin) + " " + std::to_string(r.end) + "\n";
    }
  }
  return lines;
}

namespace {

/// Reads a number at the begin of `text`, which must end there or with a space, and removes it. Returns false if there
/// is none.
bool read_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || (length < text.size() && text[length] != ' ')) return false;
  text.remove_prefix(std::min(text.size(), length + 1));
  return true;
}

}  // namespace

distribution distribution::parse(std::string_view text) {
  std::vector<std::vector<range>> by_rank;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    const auto refuse = [&, shown = std::string{line}] {
      throw std::invalid_argument{"tine::mpi::distribution::parse: line " + std::to_string(number) + ": '" + shown +
                                  "' is not " +
                                  (number == 1 ? "'ranks N' with N from 1 to 1000000"
                                               : "'rank begin end' with a rank below the number of ranks")};
    };
    std::uint64_t rank = 0;
    range r;
    if (number == 1) {
      if (!line.starts_with("ranks ")) refuse();
      line.remove_prefix(6);
      if (!read_number(line, rank) || !line.empty() || rank < 1 || rank > 1'000'000) refuse();
      by_rank.resize(rank);
    } else {
      if (!read_number(line, rank) || !read_number(line, r.begin) || !read_number(line, r.end) || !line.empty())
        refuse();
      if (rank >= by_rank.size() || r.end <= r.begin) refuse();
      by_rank[rank].push_back(r);
    }
  }
  if (by_rank.empty())
    throw std::invalid_argument{"tine::mpi::distribution::parse: the text is empty; it must begin with 'ranks N'"};
  return distribution{std::move(by_rank)};
}

bool operator==(const distribution& a, const distribution& b) noexcept {
  const auto same = [](const distribution::range& x, const distribution::range& y) {
    return x.begin == y.begin && x.end == y.end;
  };
  return std::ranges::equal(a.by_rank_, b.by_rank_,
                            [&](const auto& x, const auto& y) { return std::ranges::equal(x, y, same); });
}

}  // namespace tine::mpi
