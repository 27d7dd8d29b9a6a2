// The main function of every benchmark program.
#include "harness/as_text.hpp"
#include "harness/command_line.hpp"
#include "harness/session.hpp"

#include <exception>
#include <iostream>
#include <stdexcept>

namespace {

/// Returns the exit status: 0 all answers are right, 1 an answer is wrong, 2 a bad option, 3 the program could not run.
int run(const bench::program& program, int argc, char** argv) {
  const bench::request request = bench::parse_command_line(program, argc, argv);
  bench::move_to_rivals(request.chosen->runtime, argv);
  bench::session session{program, request};
  if (request.serve) {
    session.serve(std::cin, std::cout);
  } else {
    for (int i = 0; i < request.repeat; ++i) session.run();
  }

  const bench::result result = session.results();
  std::cout << (request.json || request.serve ? as_json(program, request, result) : as_text(program, request, result))
            << std::endl;
  if (result.verified()) return 0;
  std::cerr << program.name << ": wrong answer: " << result.mistake << "\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::program program = bench::describe_program();
  try {
    return run(program, argc, argv);
  } catch (const std::invalid_argument& error) {  // an option or environment variable that a runtime refuses
    std::cerr << program.name << ": " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << "\n";
    return 3;
  }
}
