// The command line of `tune`: its options, in groups, and its subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tuner/program/tune_run.hpp"

namespace warpwright::tuner {

void add_options(CLI::App& app, Options& options);

/// Shell completions for an option whose values the parser does not know.
std::vector<std::string> option_values(const std::string& option);

}  // namespace warpwright::tuner
