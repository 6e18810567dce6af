// When work ends before it is done: someone asks for it, or its time is over.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>

namespace warpwright {

/// What long work looks at, and what ends the calls that it waits for.
struct Stop {
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool>* asked = nullptr;  ///< becomes true when someone asks for it; may be null
  std::optional<Clock::time_point> deadline = std::nullopt;

  bool is_asked() const { return asked != nullptr && *asked; }
  bool is_late() const { return deadline && Clock::now() >= *deadline; }
  bool is_now() const { return is_asked() || is_late(); }
};

/// Thrown by work that was given up: it has no result, and nothing is wrong. Not a std::runtime_error, which is what
/// work says that goes wrong.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "ended before it was done"; }
};

}  // namespace warpwright
