// Makes closed types out of types with variables.
#include "ml/lower/ground_types.hpp"

#include <algorithm>

namespace tine::ml::lower {

ground_ref ground_types::of(type* t, arguments_ref with) {
  t = resolve(t);
  const auto [known, is_new] = known_.try_emplace({t, with}, nullptr);
  if (!is_new) return known->second;
  const auto parts = [&] {
    std::vector<ground_ref> all;
    for (type* part : t->parts) all.push_back(of(part, with));
    return all;
  };
  ground_ref made = nullptr;
  switch (t->is) {
    case type::kind::variable:
    case type::kind::rigid: {
      const auto found = std::ranges::find(with->given, t, [](const auto& each) { return each.first; });
      made = found != with->given.end() ? found->second : unit();
      break;
    }
    case type::kind::record:
      made = record(parts());
      break;
    case type::kind::arrow:
      made = intern({ground::kind::arrow, nullptr, parts()});
      break;
    case type::kind::applied:
      made = applied(*t, with);
      break;
    case type::kind::broken:
      made = unit();
      break;
  }
  return known_[{t, with}] = made;
}

ground_ref ground_types::applied(const type& t, arguments_ref with) {
  std::vector<ground_ref> parts;
  for (type* part : t.parts) parts.push_back(of(part, with));
  if (t.head->hidden.body != nullptr) return of(t.head->hidden.body, bind(none(), t.head->hidden.parameters, parts));
  return intern({ground::kind::applied, t.head, std::move(parts)});
}

ground_ref ground_types::argument(const constructor& c, ground_ref of_datatype) {
  return of(c.argument, bind(none(), c.parameters, of_datatype->parts));
}

arguments_ref ground_types::extend(arguments_ref base, const std::vector<type*>& parameters,
                                   const std::vector<type*>& arguments, arguments_ref with) {
  std::vector<ground_ref> to;
  for (type* t : arguments) to.push_back(of(t, with));
  return bind(base, parameters, to);
}

arguments_ref ground_types::bind(arguments_ref base, const std::vector<type*>& parameters,
                                 const std::vector<ground_ref>& to) {
  type_arguments all;
  for (std::size_t i = 0; i < parameters.size() && i < to.size(); ++i)
    all.given.emplace_back(resolve(parameters[i]), to[i]);
  for (const auto& each : base->given) {
    if (std::ranges::find(all.given, each.first, [](const auto& one) { return one.first; }) == all.given.end())
      all.given.push_back(each);
  }
  std::ranges::sort(all.given);
  return &*arguments_.insert(std::move(all)).first;
}

}  // namespace tine::ml::lower
