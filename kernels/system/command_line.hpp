// What the mains of all programs share: exit codes, Ctrl-C, and the way from a command line to an exit code. It stands
// here because every program may include db.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>

#include "kernels/system/completion.hpp"

namespace warpwright::program {

// kOutOfTime: nothing is wrong, but the time of a night was over before all that it was to do, and the next one begins
// with the rest.
enum Exit { kDone = 0, kWrong = 1, kUsage = 2, kEnvironment = 3, kOutOfTime = 4, kInterrupted = 130 };

// True from the first SIGINT or SIGTERM on: the program is to end cleanly and soon, with what it has; its exit code is
// kInterrupted then. A second one ends it at once.
const std::atomic<bool>& interrupted();

// Parses the command line and runs `body`, which gives the exit code. std::invalid_argument is a wrong usage, any other
// exception a matter of the machine or of a file, as are output that cannot be written and variables that name a place
// (WARPWRIGHT_DB, WARPWRIGHT_CACHE) but are empty or relative; all are said on stderr in the name of the app, with
// control characters spelt out. The app gets the options --completion and --version, and kCompleteWord as its first
// word (what the scripts of --completion call) gives completions.
int run(CLI::App& app, int argc, char** argv, const std::function<int()>& body, const OptionValues& values = {});

}  // namespace warpwright::program
