// Watches for causes of false times on a GPU: other processes, and reduced clocks.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::tuner {

/// A warning for each reading that can falsify a time. A missing reading causes no warning.
std::vector<std::string> warnings_of(const gpu::Sensors& sensors);

class GpuWatch {
 public:
  using Clock = std::chrono::steady_clock;
  /// May throw std::runtime_error; then nothing is known about that moment.
  using Reader = std::function<gpu::Sensors()>;
  /// Called once for each warning, when it is first seen.
  using Teller = std::function<void(const std::string& warning)>;

  GpuWatch(Reader read, Teller tell) : read_(std::move(read)), tell_(std::move(tell)) {}

  /// Reads now and returns the warnings for this moment, joined by "; ".
  std::string warnings_now();
  /// The same, from the last reading if that is younger than `age`.
  std::string recent(Clock::duration age);
  /// All warnings so far.
  std::string seen() const;

 private:
  Reader read_;
  Teller tell_;
  std::optional<Clock::time_point> read_at_{};
  std::string now_;
  std::vector<std::string> seen_;
};

}  // namespace warpwright::tuner
