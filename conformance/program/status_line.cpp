// Redraws the status line of a run.
#include "conformance/program/status_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "kernels/core/text.hpp"
#include "kernels/system/say.hpp"
#include "kernels/system/screen.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {
namespace {

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kLong = 100;
  return seconds < kLong ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / kMinute);
}

}  // namespace

std::string progress_text(std::size_t done, std::size_t failed, std::size_t of, double seconds,
                          std::optional<double> left) {
  return fmt::format("{} of {} done{}; {}{}", done, counted(static_cast<std::int64_t>(of), "kernel"),
                     failed > 0 ? fmt::format(", {} FAILED", failed) : "", duration_text(seconds),
                     left ? fmt::format(", {} left", duration_text(*left)) : "");
}

StatusLine::StatusLine(std::function<std::string()> text) {
  const Screen screen = screen_of(STDERR_FILENO);
  if (!screen.terminal) return;
  ticker_ = std::jthread([this, screen, text = std::move(text)](const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    // The first one is shown after a second: a short run needs none.
    while (!stop.stop_requested()) {
      never_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
      if (!stop.stop_requested()) program::show_status(cut(text(), screen.width - 1));
    }
    program::show_status("");
  });
}

StatusLine::~StatusLine() = default;

}  // namespace warpwright::conformance
