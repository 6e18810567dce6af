// For tests: waits until a condition holds, not for a fixed time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "kernels/system/time_factor.hpp"

namespace warpwright {

/// Waits until the condition holds. False after a limit, so that no test hangs.
template <class Condition>
bool eventually(Condition holds, std::chrono::seconds limit = time_factor * std::chrono::minutes(2)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// Whether a process is running. A zombie is not.
inline bool is_running(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return stat >> number >> name >> state && state != "Z";
}

}  // namespace warpwright
