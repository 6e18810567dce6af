// Turns sensor readings into warnings and reports each one once.
#include "tuner/measuring/gpu_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace warpwright::tuner {

std::vector<std::string> warnings_of(const gpu::Sensors& sensors) {
  std::vector<std::string> warnings;
  if (sensors.other_processes.value_or(0) > 0) warnings.emplace_back("another process uses the GPU");
  if (!sensors.throttle_reasons.empty()) warnings.push_back("clocks held back by " + sensors.throttle_reasons);
  return warnings;
}

std::string GpuWatch::warnings_now() {
  std::vector<std::string> warnings;
  try {
    warnings = warnings_of(read_());
  } catch (const std::runtime_error&) {
    warnings.clear();
  }
  for (const std::string& warning : warnings) {
    if (std::ranges::find(seen_, warning) != seen_.end()) continue;
    seen_.push_back(warning);
    tell_(warning);
  }
  read_at_ = Clock::now();
  now_ = fmt::format("{}", fmt::join(warnings, "; "));
  return now_;
}

std::string GpuWatch::recent(Clock::duration age) {
  return read_at_ && Clock::now() - *read_at_ < age ? now_ : warnings_now();
}

std::string GpuWatch::seen() const {
  return fmt::format("{}", fmt::join(seen_, "; "));
}

}  // namespace warpwright::tuner
