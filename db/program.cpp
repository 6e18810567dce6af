// From a command line to an exit code.
#include "db/program.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "db/text.hpp"

namespace warpwright::program {
namespace {

std::atomic<bool> asked_to_end = false;

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    if (asked_to_end.exchange(true)) ::_exit(kInterrupted);
  };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // A file that must not grow is an error of the write then, which is said.
  ::signal(SIGXFSZ, SIG_IGN);
}

// Names and paths of the command line stand in messages.
std::string printable_lines(const std::string& text) {
  std::string shown;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    shown += db::printable(line);
    if (!lines.eof()) shown += '\n';
  }
  return shown;
}

}  // namespace

const std::atomic<bool>& interrupted() {
  return asked_to_end;
}

int run(CLI::App& app, int argc, char** argv, const std::function<int()>& body, const OptionValues& values) {
  const std::string name = app.get_name();
  app.add_option_function<std::string>(
         "--completion",
         [&name](const std::string& shell) {
           fmt::print("{}", completion_script(shell, name));
           throw CLI::Success();
         },
         "Print the completion script of a shell")
      ->check(CLI::IsMember(completion_shells()))
      ->trigger_on_parse();
  try {
    if (argc > 1 && argv[1] == kCompleteWord) {
      for (const std::string& word : completions(app, {argv + 2, argv + argc}, values)) fmt::print("{}\n", word);
      return kDone;
    }
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      std::ostringstream text;
      std::ostringstream complaint;
      const int code = app.exit(error, text, complaint);
      fmt::print("{}", text.str());
      fmt::print(stderr, "{}", printable_lines(complaint.str()));
      return code == 0 ? kDone : kUsage;
    }
    watch_signals();
    const int code = body();
    return asked_to_end ? kInterrupted : code;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}: {}\n", name, printable_lines(error.what()));
    return kUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, printable_lines(error.what()));
    return asked_to_end ? kInterrupted : kEnvironment;
  }
}

}  // namespace warpwright::program
