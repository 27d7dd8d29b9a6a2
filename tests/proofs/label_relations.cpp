// Runs random computations in parallel, and prints each of them with the relation of all pairs of its strands, by each
// scheme of labels. The program that Coq has made of proofs/labels computes the same (bridge_test.py compares).
//
//     label_relations SEED COMPUTATIONS [MISTAKE]
//
// MISTAKE is a wrong comparison of labels, which the bridge must notice: `depths` orders strands in sequence by the
// forks around them, and `branches` does not distinguish left from right.
//
// A computation is printed as its forks in brackets, and a fork as its branches: "([()()][()(())])" without spaces. A
// relation is a letter: same, before, after, left, right.
#include <tine/augment.hpp>
#include <tine/augment/labels.hpp>
#include <tine/tine.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tine::labels;

/// A strand with its forks. `places` are the numbers of its strands in the order of a serial run: before its first
/// fork, and after each fork.
struct computation {
  struct fork {
    bool is_loop = false;
    std::vector<computation> branches;
  };
  std::vector<fork> forks;
  std::vector<std::size_t> places;
};

computation random_computation(std::mt19937& random, std::size_t& left, unsigned depth) {
  computation c;
  const auto forks = random() % (depth == 0 ? 5 : 3);
  for (unsigned i = 0; i < forks && left > 0 && depth < 6; ++i) {
    computation::fork f{.is_loop = random() % 2 == 0, .branches = {}};
    const auto branches = f.is_loop ? 2 + random() % 4 : 2;  // a loop of one iteration is no fork
    for (unsigned k = 0; k < branches; ++k) {
      left -= left > 0;
      f.branches.push_back(random_computation(random, left, depth + 1));
    }
    c.forks.push_back(std::move(f));
  }
  return c;
}

void number(computation& c, std::size_t& next) {
  c.places.push_back(next++);
  for (computation::fork& f : c.forks) {
    for (computation& branch : f.branches) number(branch, next);
    c.places.push_back(next++);
  }
}

std::string text_of(const computation& c) {
  std::string text = "(";
  for (const computation::fork& f : c.forks) {
    text += "[";
    for (const computation& branch : f.branches) text += text_of(branch);
    text += "]";
  }
  return text + ")";
}

template <class Label>
void run(const computation& c, std::vector<Label>& labels) {
  const auto note = [&](std::size_t i) { labels[c.places[i]] = tine::current_vertex<labelled<Label>>()->label(); };
  note(0);
  for (std::size_t i = 0; i < c.forks.size(); ++i) {
    const std::vector<computation>& branches = c.forks[i].branches;
    if (c.forks[i].is_loop) {
      tine::par_for(std::size_t{0}, branches.size(), [&](std::size_t k) { run(branches[k], labels); });
    } else {
      tine::par([&] { run(branches[0], labels); }, [&] { run(branches[1], labels); });
    }
    note(i + 1);
  }
}

template <class Label>
relation relation_of(const Label& a, const Label& b, const std::string& mistake) {
  const relation right = relate(a, b);
  if (mistake == "depths" && (right == relation::before || right == relation::after))
    return in_sequence(a.depth(), b.depth());
  if (mistake == "branches" && right == relation::right) return relation::left;
  return right;
}

template <class Label>
void print_relations(const char* scheme, const computation& c, std::size_t places, const std::string& mistake) {
  std::vector<Label> labels(places);
  tine::run([&] { tine::augment<labelled<Label>>([&] { run(c, labels); }); });
  std::printf("%s ", scheme);
  constexpr char letters[] = "sbalr";
  for (const Label& a : labels) {
    for (const Label& b : labels) std::putchar(letters[static_cast<int>(relation_of(a, b, mistake))]);
  }
  std::putchar('\n');
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: label_relations SEED COMPUTATIONS [MISTAKE]\n"), 2;
  const std::string mistake = argc > 3 ? argv[3] : "";
  std::mt19937 random{static_cast<unsigned>(std::atol(argv[1]))};
  for (long n = std::atol(argv[2]); n > 0; --n) {
    std::size_t left = 1 + random() % 24, places = 0;
    computation c = random_computation(random, left, 0);
    number(c, places);
    std::printf("computation %s\n", text_of(c).c_str());
    print_relations<offset_span>("offset_span", c, places, mistake);
    print_relations<english_hebrew>("english_hebrew", c, places, mistake);
    print_relations<depa>("depa", c, places, mistake);
    print_relations<pedigree>("pedigree", c, places, mistake);
  }
}
