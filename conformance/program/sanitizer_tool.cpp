// NVIDIA's compute-sanitizer: where it is, how a worker runs under it, and what it says.
#include "conformance/program/sanitizer_tool.hpp"

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "kernels/core/verdict.hpp"
#include "kernels/system/child_process.hpp"

namespace warpwright::conformance {
namespace {

constexpr std::string_view kMark = "========= ";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Maps a tool's finding to one of our words.
std::string_view how_of(const std::string& first) {
  if (has(first, "misaligned")) return word_of(FindingKind::misaligned);
  if (has(first, "hazard") || has(first, "Race reported")) return word_of(FindingKind::race);
  if (has(first, "Uninitialized") || has(first, "uninitialized")) return word_of(FindingKind::uninitialised_read);
  if (has(first, "Barrier error") || has(first, "Divergent thread")) return word_of(FindingKind::barrier_divergence);
  if (has(first, "Invalid __") || has(first, "out of bounds")) return word_of(FindingKind::out_of_bounds);
  return "other";
}

}  // namespace

const std::vector<std::string>& sanitizer_tools() {
  static const std::vector<std::string> tools{"memcheck", "racecheck", "initcheck", "synccheck"};
  return tools;
}

SanitizerReport read_sanitizer_output(const std::string& output, bool timed_out) {
  SanitizerReport report;
  std::istringstream text(output);
  bool in_first = false;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(kMark)) continue;
    const std::string said = line.substr(kMark.size());
    if (has(said, " SUMMARY: ")) {
      report.finished = true;
      const std::string rest = said.substr(said.find(" SUMMARY: ") + 10);
      report.errors += std::atoi(rest.c_str());
      in_first = false;
    } else if (said.starts_with("COMPUTE-SANITIZER") || said.starts_with("Target application returned") ||
               said.starts_with("Program hit")) {
      in_first = false;
    } else if (!said.empty() && said.front() != ' ' && report.first.empty()) {
      report.first = said;
      in_first = true;
    } else if (in_first && !said.empty() && said.front() == ' ' && !has(said, "Saved host backtrace")) {
      const std::size_t begin = said.find_first_not_of(' ');
      if (begin != std::string::npos) report.first += "; " + said.substr(begin);
    } else {
      in_first = false;
    }
  }
  report.timed_out = timed_out;
  if (timed_out) {
    report.finished = true;
    report.how = word_of(FindingKind::hang);
  }
  if (report.errors > 0) report.how = how_of(report.first);
  if (report.errors == 0) report.first.clear();
  return report;
}

std::vector<std::string> sanitizer_command(const std::string& sanitizer, const std::string& tool,
                                           const std::string& worker, const std::string& requests) {
  std::vector<std::string> command{sanitizer, "--tool", tool, "--print-limit", "3", "--show-backtrace", "no"};
  if (tool == "memcheck") command.insert(command.end(), {"--padding", "256"});
  command.insert(command.end(), {worker, "--answer", requests});
  return command;
}

std::string find_sanitizer(const Stop& stop) {
  std::vector<std::string> candidates{"compute-sanitizer"};
  if (const char* home = std::getenv("CUDA_HOME")) candidates.push_back(std::string(home) + "/bin/compute-sanitizer");
  candidates.emplace_back("/usr/local/cuda/bin/compute-sanitizer");
  for (const std::string& candidate : candidates)
    if (simulator::run_process({candidate, "--version"}, "/", std::chrono::seconds(30), stop).ok()) return candidate;
  throw std::runtime_error(
      "compute-sanitizer was not found: install the CUDA toolkit's cuda-sanitizer part, and put its folder on the "
      "PATH");
}

}  // namespace warpwright::conformance
