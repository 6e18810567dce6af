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

std::string progress_text(const SuiteProgress& progress) {
  const std::string kernels = counted(static_cast<std::int64_t>(progress.kernels), "kernel");
  const std::string failed = progress.failed > 0 ? fmt::format(", {} FAILED", progress.failed) : "";
  const std::string time = duration_text(progress.seconds);
  if (!progress.seconds_left) return fmt::format("{} of {} done{}; {}", progress.done, kernels, failed, time);
  return fmt::format("{}, {}{}; {}, {} left", kernels, counted(progress.cases, "case"), failed, time,
                     program::about(*progress.seconds_left));
}

StatusLine::StatusLine(std::function<std::string()> text) {
  const Screen screen = screen_of(STDERR_FILENO);
  // The first one is shown after a second: a short run needs none.
  if (screen.terminal)
    ticker_.emplace(std::chrono::seconds(1),
                    [screen, text = std::move(text)] { program::show_status(cut(text(), screen.width - 1)); });
}

StatusLine::~StatusLine() {
  if (!ticker_) return;
  ticker_.reset();
  program::show_status("");
}

}  // namespace warpwright::conformance
