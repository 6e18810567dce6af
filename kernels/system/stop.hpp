// A request to stop work early: somebody asks for it, or its time is over.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>

namespace warpwright {

/// Long work checks it regularly, and so do calls that wait.
struct Stop {
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool>* asked = nullptr;  ///< true as soon as somebody asks for a stop; may be null
  std::optional<Clock::time_point> deadline = std::nullopt;

  bool is_asked() const { return asked != nullptr && *asked; }
  bool is_late() const { return deadline && Clock::now() >= *deadline; }
  bool is_now() const { return is_asked() || is_late(); }
};

/// Thrown by work that was stopped: it has no result, but nothing is wrong. It is not a std::runtime_error, which means
/// that work has failed.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "ended before it was done"; }
};

}  // namespace warpwright
