// Messages between a worker and its parent: CBOR in length-prefixed frames over a socket.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/runtime/stop.hpp"

namespace warpwright::worker {

/// Sends one message; false when the other side is gone.
bool send_message(int socket, const nlohmann::json& message);

enum class Received { message, closed, timed_out, stopped };

/// Receives one message into `message`; waits no longer than `limit` for all of it, or for ever without one, and not
/// beyond `stop`.
Received receive_message(int socket, nlohmann::json& message, std::optional<std::chrono::milliseconds> limit = {},
                         const Stop& stop = {});

}  // namespace warpwright::worker
