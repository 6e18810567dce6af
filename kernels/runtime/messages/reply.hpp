// What a worker answers to a call, or what became of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpwright::worker {

struct Reply {
  enum class Status {
    answered,
    refused,   ///< the worker lives and says in `detail` why it could not do it
    crashed,   ///< the worker died by its own doing; `detail` says how
    timed_out  ///< the worker was killed at its time limit
  };
  Status status = Status::answered;
  nlohmann::json body;
  std::string detail;

  bool ok() const { return status == Status::answered; }
};

}  // namespace warpwright::worker
