// Runs a program: parses its command line and turns exceptions into messages and exit codes.
#include "kernels/system/command_line.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "kernels/core/text.hpp"
#include "kernels/system/help.hpp"
#include "kernels/system/say.hpp"

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
  // If a file exceeds a size limit, the write then fails with an error, which is reported.
  ::signal(SIGXFSZ, SIG_IGN);
}

// Names and paths from the command line appear in messages.
std::string printable_lines(const std::string& text) {
  std::string shown;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    shown += printable(line);
    if (!lines.eof()) shown += '\n';
  }
  return shown;
}

// A path relative to the current folder would mean another place to a later command.
void require_absolute(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || std::filesystem::path(value).is_absolute()) return;
  throw std::runtime_error(
      fmt::format("{0} is {1}. Unset it, or set it to an absolute path: {0}=/home/me/...", variable,
                  *value == '\0' ? "empty" : fmt::format("'{}', a relative path", printable(value))));
}

// Whether standard output accepted everything that was printed.
bool is_printed() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

// Runs `body` and returns its exit code, or that of an error if its output was lost.
int run_and_print(const std::function<int()>& body) {
  const int code = body();
  if (!is_printed())
    throw std::runtime_error("standard output cannot be written, so not all of it was: is the disk full?");
  return code;
}

}  // namespace

const std::atomic<bool>& interrupted() {
  return asked_to_end;
}

std::string command_of(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i > 0 ? " " : "") + shell_word(argv[i]);
  return command;
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
      ->type_name("SHELL")
      ->trigger_on_parse()
      ->group(group::kAbout);
  app.set_version_flag("--version", name + " " WARPWRIGHT_VERSION, "Print the version")->group(group::kAbout);
  format_help(app);
  app.failure_message([&app](const CLI::App*, const CLI::Error& error) {
    return complaint(app, dynamic_cast<const CLI::ParseError&>(error));
  });
  try {
    return run_and_print([&]() -> int {
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
        if (!complaint.str().empty()) say(printable_lines(complaint.str()));
        return code == 0 ? kDone : kUsage;
      }
      for (const char* variable : {"WARPWRIGHT_DB", "WARPWRIGHT_CACHE"}) require_absolute(variable);
      watch_signals();
      const int code = body();
      return asked_to_end ? kInterrupted : code;
    });
  } catch (const std::invalid_argument& error) {
    say(fmt::format("{}: {}", name, printable_lines(error.what())));
    return kUsage;
  } catch (const std::exception& error) {
    say(fmt::format("{}: {}", name, printable_lines(error.what())));
    return asked_to_end ? kInterrupted : kEnvironment;
  }
}

}  // namespace warpwright::program
