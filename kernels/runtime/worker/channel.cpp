// Framed CBOR messages.
#include "kernels/runtime/worker/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

namespace warpwright::worker {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a stop may go unnoticed.
constexpr std::chrono::milliseconds kLook{50};
constexpr std::chrono::milliseconds kForEver{-1};

Received receive_bytes(int socket, void* to, std::size_t size, std::optional<Clock::time_point> deadline,
                       const Stop& stop) {
  auto* at = static_cast<char*>(to);
  const bool may_stop = stop.asked != nullptr || stop.deadline;
  while (size > 0) {
    if (stop.is_now()) return Received::stopped;
    auto wait = may_stop ? kLook : kForEver;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
      if (left.count() <= 0) return Received::timed_out;
      wait = may_stop ? std::min(left, kLook) : left;
    }
    pollfd waiting{.fd = socket, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(wait.count()));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(socket, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Received::closed;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return Received::message;
}

bool send_bytes(int socket, const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

bool send_message(int socket, const nlohmann::json& message) {
  const std::vector<std::uint8_t> body = nlohmann::json::to_cbor(message);
  const std::uint64_t size = body.size();
  return send_bytes(socket, &size, sizeof size) && send_bytes(socket, body.data(), body.size());
}

Received receive_message(int socket, nlohmann::json& message, std::optional<std::chrono::milliseconds> limit,
                         const Stop& stop) {
  std::optional<Clock::time_point> deadline;
  if (limit) deadline = Clock::now() + *limit;
  std::uint64_t size = 0;
  if (const Received got = receive_bytes(socket, &size, sizeof size, deadline, stop); got != Received::message)
    return got;
  std::vector<std::uint8_t> body(size);
  if (const Received got = receive_bytes(socket, body.data(), size, deadline, stop); got != Received::message)
    return got;
  message = nlohmann::json::from_cbor(body);
  return Received::message;
}

}  // namespace warpwright::worker
