// NVIDIA's compute-sanitizer: where it is, how a worker runs under it, and what it says.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kernels/system/stop.hpp"

namespace warpwright::conformance {

/// memcheck, racecheck, initcheck, synccheck
const std::vector<std::string>& sanitizer_tools();

/// The result of one run of a tool.
struct SanitizerReport {
  bool finished = false;  ///< the tool printed its summary, or reached its time limit
  bool timed_out = false;
  int errors = 0;
  std::string how;    ///< bounds, misaligned, race, uninitialised, barrier, hang, other; empty if nothing was found
  std::string first;  ///< the first finding with its location, on one line
};

/// Parses the output of compute-sanitizer.
SanitizerReport read_sanitizer_output(const std::string& output, bool timed_out);

/// The command that runs the worker on a file of requests under a tool.
std::vector<std::string> sanitizer_command(const std::string& sanitizer, const std::string& tool,
                                           const std::string& worker, const std::string& requests);

/// The path of compute-sanitizer: from PATH, $CUDA_HOME/bin or /usr/local/cuda/bin. Throws std::runtime_error with
/// advice if there is none, and Stopped if `stop` is set first.
std::string find_sanitizer(const Stop& stop = {});

}  // namespace warpwright::conformance
