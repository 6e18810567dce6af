// Drawing progress.
#include "tuner/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace warpwright::tuner {

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)), total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {
  if (terminal_) show("");
}

Progress::~Progress() {
  if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::tick(const std::string& note) {
  ++done_;
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  if (now - last_ < pause) return;
  last_ = now;
  show(note);
}

std::string Progress::left(double seconds) const {
  if (total_ == 0 || done_ == 0 || done_ >= total_) return {};
  const double rest = seconds / static_cast<double>(done_) * static_cast<double>(total_ - done_);
  return fmt::format(", {:.0f} s left", rest);
}

void Progress::show(const std::string& note) {
  shown_ = true;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  const std::string count = total_ > 0 ? fmt::format("{}/{}", done_, total_) : fmt::format("{}", done_);
  const std::string text =
      fmt::format("{} {} ({:.0f}/s{}) {}", label_, count, static_cast<double>(done_) / seconds, left(seconds), note);
  if (!terminal_) {
    fmt::print(stderr, "{}\n", text);
    return;
  }
  constexpr std::size_t kWidth = 24;
  const std::size_t filled = total_ > 0 ? std::min(kWidth, kWidth * done_ / total_) : 0;
  fmt::print(stderr, "\r\033[K[{}{}] {}", std::string(filled, '#'), std::string(kWidth - filled, '.'), text);
  std::fflush(stderr);
}

}  // namespace warpwright::tuner
