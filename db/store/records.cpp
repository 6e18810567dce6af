// Makes texts of records.
#include "db/store/records.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <chrono>

namespace warpwright::db {

std::string now_utc() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (now - seconds).count());
}

}  // namespace warpwright::db
