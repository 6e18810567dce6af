// Calls a function again and again, on a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace warpwright {

class Ticker {
 public:
  // Calls `tick` after each pause. The destructor waits for a call that has begun.
  Ticker(std::chrono::milliseconds pause, std::function<void()> tick);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable_any never_;
  std::jthread thread_;  // ends before all else
};

}  // namespace warpwright
