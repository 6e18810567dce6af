// Messages between a worker and its parent: CBOR in length-prefixed frames over a socket.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "kernels/system/stop.hpp"

namespace warpwright::worker {

/// How a message went.
enum class ChannelStatus { done, closed, timed_out, stopped, given_up };

/// How long somebody waits for the other side: for ever, unless there is a limit, `is_stopped`, which is asked every
/// half second, says that the other side does not run, or the work is given up.
struct WaitLimit {
  std::optional<std::chrono::milliseconds> limit = {};
  std::function<bool()> is_stopped = {};
  Stop stop = {};
};

ChannelStatus send_message(int socket, const nlohmann::json& message, const WaitLimit& limit = {});

/// Receives one message into `message`.
ChannelStatus receive_message(int socket, nlohmann::json& message, const WaitLimit& limit = {});

}  // namespace warpwright::worker
