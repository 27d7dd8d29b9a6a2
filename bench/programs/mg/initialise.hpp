// mg in phases over the planes of one level.
#pragma once

#include "programs/mg/find_residual.hpp"
#include "programs/mg/problem.hpp"

#include <cmath>
#include <cstddef>

namespace bench::mg {

/// The phases of a cycle. The phases at a level write only planes of the grids of that level.
template <class Over>
class phases {
 public:
  phases(problem& p, const Over& over) : p_{p}, over_{over} {}

  void start(int level) const {
    at(level, [&p = p_, level](int b, int e) {
      clear(u(p, level), b, e);
      clear(r(p, level), b, e);
      if (level == p.top()) start_right_side(p, b, e);
    });
  }

  void find_residual(int level) const {
    const grid& wanted = level == p_.top() ? p_.v : r(p_, level);
    at(level, [&p = p_, &wanted, level](int b, int e) { mg::find_residual(u(p, level), wanted, r(p, level), b, e); });
  }

  void project_to(int level) const {
    at(level, [&p = p_, level](int b, int e) { project(r(p, level + 1), r(p, level), b, e); });
  }

  void interpolate_to(int level) const {
    at(level, [&p = p_, level](int b, int e) {
      if (level == p.top()) {
        interpolate<true>(u(p, level - 1), u(p, level), b, e);
      } else {
        interpolate<false>(u(p, level - 1), u(p, level), b, e);
      }
    });
  }

  void smooth(int level) const {
    at(level, [&p = p_, level](int b, int e) {
      if (level == 1) clear(u(p, level), b, e);
      mg::smooth(r(p, level), u(p, level), b, e);
    });
  }

  /// Returns the L2 norm of the residual. The parts are added in the order of the planes, so the norm is the same in all variants.
  double norm() const {
    at(p_.top(), [&p = p_](int b, int e) {
      for (; b < e; ++b) p.part[static_cast<std::size_t>(b)] = squares(r(p, p.top()), b);
    });
    double sum = 0;
    for (double part : p_.part) sum += part;
    return std::sqrt(sum / std::pow(p_.planes(p_.top()), 3));
  }

 private:
  template <class Work>
  void at(int level, const Work& work) const {
    over_(level, p_.planes(level), work);
  }

  static grid& u(problem& p, int level) { return p.u[static_cast<std::size_t>(level)]; }
  static grid& r(problem& p, int level) { return p.r[static_cast<std::size_t>(level)]; }

  static void start_right_side(problem& p, int first, int last) {
    clear(p.v, first, last);
    for (const charge& c : p.charges) {
      if (c.plane < first || c.plane >= last) continue;
      double* row = p.v.row(c.plane, c.row);
      row[c.point + 1] = c.value;
      p.v.close(row);
    }
  }

  problem& p_;
  const Over& over_;
};

template <class Over>
void initialise(problem& p, const Over& over) {
  for (int level = 1; level <= p.top(); ++level) phases{p, over}.start(level);
}

template <class Over>
void rehearse(problem& p, const Over& over) {
  for (int level = 1; level <= p.top(); ++level) phases{p, over}.find_residual(level);
}

/// One V-cycle (mg3P): down to the smallest grid and up again.
template <class Over>
void cycle(problem& p, const Over& over) {
  const phases run{p, over};
  for (int level = p.top() - 1; level >= 1; --level) run.project_to(level);
  run.smooth(1);
  for (int level = 2; level <= p.top(); ++level) {
    run.interpolate_to(level);
    run.find_residual(level);
    run.smooth(level);
  }
}

template <class Over>
void solve(problem& p, const Over& over) {
  const phases run{p, over};
  run.find_residual(p.top());
  for (int i = 0; i < p.chosen->cycles; ++i) {
    cycle(p, over);
    run.find_residual(p.top());
  }
  p.norm = run.norm();
}

}  // namespace bench::mg
