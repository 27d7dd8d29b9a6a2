// Writes a page for each of the test's profiles into the folder that is its argument.
#include "profiles.hpp"
#include "report/page.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>

int main(int count, char** arguments) try {
  if (count != 2) throw std::runtime_error("usage: write_pages FOLDER");
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  for (const auto& [name, profile, places, sources] : tine::tests::profiles()) {
    tine::report::summary summary = tine::report::summarise(profile, places);
    summary.races = tine::report::find_races(profile, sources);
    if (!profile.timeline.empty()) {
      summary.timeline = tine::report::timeline_of(profile);
      summary.timeline->places = {{{"left", "sort.cpp", 12}, {}, ""}, {{"right", "sort.cpp", 13}, {}, ""}};
    }
    summary.simulation = tine::report::view_of_simulation(profile, {}, false);
    const auto problem = tine::report::write_page(profile, summary, folder / (name + ".html"));
    if (!problem.empty()) throw std::runtime_error(problem);
    std::printf("%s: %zu sites, %zu points, %zu nodes, %zu paths\n", name.c_str(), profile.sites.size(),
                profile.points.size(), profile.nodes.size(), profile.paths.size());
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "write_pages: %s\n", e.what());
  return 1;
}
