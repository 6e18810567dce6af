// The words and texts that records are made of.
#include "db/records.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <chrono>

namespace warpwright::db {

const std::vector<std::string>& verdicts() {
  static const std::vector<std::string> words = {"passed",    "failed",       "mistrusted",     "unchecked",
                                                 "rejected",  "not compiled", "not launchable", "crashed",
                                                 "timed out", "skipped",      "not judged"};
  return words;
}

std::string now_utc() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (now - seconds).count());
}

}  // namespace warpwright::db
