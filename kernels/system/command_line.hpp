// What the main functions of all programs share: exit codes, Ctrl-C, and handling of errors.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <string>

#include "kernels/system/completion.hpp"

namespace warpwright::program {

// kOutOfTime: nothing is wrong, but the time of a nightly run ended before its work did. The next run continues with
// the rest.
enum Exit { kDone = 0, kWrong = 1, kUsage = 2, kEnvironment = 3, kOutOfTime = 4, kInterrupted = 130 };

// True from the first SIGINT or SIGTERM on. The program should then end soon, keep its results so far, and return
// kInterrupted. A second signal ends it at once.
const std::atomic<bool>& interrupted();

// The command line as a command that a shell takes apart into the same words.
std::string command_of(int argc, char** argv);

// Parses the command line, runs `body` and returns its exit code. std::invalid_argument means wrong usage. Any other
// exception means a problem of the environment or of a file. So does output that cannot be written, and a variable that
// names a place (WARPWRIGHT_DB, WARPWRIGHT_CACHE) but is empty or relative. Messages go to stderr, after the app's
// name, with control characters escaped. The app gets the options --completion and --version. If the first word is
// kCompleteWord, which the scripts of --completion pass, it prints completions.
int run(CLI::App& app, int argc, char** argv, const std::function<int()>& body, const OptionValues& values = {});

}  // namespace warpwright::program
