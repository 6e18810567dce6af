// Messages between a worker and its parent over a socket: the number of bytes, then the bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/system/stop.hpp"

namespace warpwright::worker {

using Message = std::vector<std::uint8_t>;

/// How sending or receiving a message ended.
enum class ChannelStatus { done, closed, timed_out, stopped, given_up };

/// How long to wait for the other side: for ever, unless there is a limit, `is_stopped` (called every half second) says
/// that the other side is stopped, or the work is given up.
struct WaitLimit {
  std::optional<std::chrono::milliseconds> limit = {};
  std::function<bool()> is_stopped = {};
  Stop stop = {};
};

ChannelStatus send_message(int socket, const Message& message, const WaitLimit& limit = {});

/// Receives one message into `message`. An impossible number of bytes closes the channel.
ChannelStatus receive_message(int socket, Message& message, const WaitLimit& limit = {});

}  // namespace warpwright::worker
