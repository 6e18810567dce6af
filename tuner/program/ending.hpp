// Prints the end of a run of `tune`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/messages/gpu.hpp"
#include "tuner/program/tune_run.hpp"

namespace warpwright::tuner {

/// The patterns for a command that continues: those that were hardly searched. Empty if no pattern was requested and
/// most were hardly searched: then the command continues with all.
std::vector<std::string> patterns_to_go_on(const Options& options, const std::vector<SearchedProblem>& problems);

/// The command for the same run, restricted to these patterns, with this budget.
std::string go_on_command(const Options& options, const std::vector<std::string>& patterns, const std::string& budget);

/// The command that shows the stored configurations.
std::string settings_command(const Options& options, const std::string& arch);

/// Prints the table of best configurations, what was done, and the commands to see more and to continue. `predicted` is
/// the board if times were predicted. Writes the report, if requested; returns false if the user named its folder and
/// it could not be written.
bool print_end(Run& run, double seconds, const std::optional<Board>& predicted, const std::vector<gpu::GpuInfo>& gpus);

/// Prints what cannot be used to standard error, for readers of that stream only.
void say_faults(const Options& options, const Totals& totals);

}  // namespace warpwright::tuner
