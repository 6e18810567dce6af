// The command line of `tune`: its options, in groups, and its sub-commands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tuner/program/tune_run.hpp"

namespace warpwright::tuner {

void add_options(CLI::App& app, Options& options);

/// The values of an option that the app itself does not list.
std::vector<std::string> option_values(const std::string& option);

}  // namespace warpwright::tuner
