// grep without forks: one search through the whole text.
#include "programs/grep/search.hpp"

namespace bench::grep {

void serial(problem& p) {
  search(p.text, 0, p.text.size(), [&p](place line) { p.found.push_back(line); });
}

}  // namespace bench::grep
