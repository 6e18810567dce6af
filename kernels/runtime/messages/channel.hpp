// Messages between a worker and its parent: bytes behind their number, over a socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/system/stop.hpp"

namespace warpwright::worker {

using Message = std::vector<std::uint8_t>;

/// How a message went.
enum class ChannelStatus { done, closed, timed_out, stopped, given_up };

/// How long somebody waits for the other side: for ever, unless there is a limit, `is_stopped`, which is asked every
/// half second, says that the other side does not run, or the work is given up.
struct WaitLimit {
  std::optional<std::chrono::milliseconds> limit = {};
  std::function<bool()> is_stopped = {};
  Stop stop = {};
};

ChannelStatus send_message(int socket, const Message& message, const WaitLimit& limit = {});

/// Receives one message into `message`. A number of bytes that no message has closes the channel.
ChannelStatus receive_message(int socket, Message& message, const WaitLimit& limit = {});

}  // namespace warpwright::worker
