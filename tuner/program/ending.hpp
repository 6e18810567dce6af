// The end of a run of `tune`, as people read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/messages/gpu.hpp"
#include "tuner/program/tune_run.hpp"

namespace warpwright::tuner {

/// The same run over those patterns only, with that budget.
std::string go_on_command(const Options& options, const std::vector<std::string>& patterns, const std::string& budget);

/// The command that shows the settings which were stored.
std::string settings_command(const Options& options, const std::string& arch);

/// Prints the table, what was done, and where to look and how to go on; a board without its GPU was predicted for.
/// Writes the report, where one is wanted; false where the user named its folder and it could not be written.
bool print_end(Run& run, double seconds, const std::optional<Board>& predicted, const std::vector<gpu::GpuInfo>& gpus);

/// What could not be used, on standard error, for who reads only that.
void say_faults(const Options& options, const Totals& totals);

}  // namespace warpwright::tuner
