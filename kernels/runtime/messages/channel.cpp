// Sending and receiving messages within a time limit.
#include "kernels/runtime/messages/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace warpwright::worker {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kStoppedPoll{500};
constexpr milliseconds kStopPoll{50};  ///< the longest time until a stop is noticed

/// Waits for one socket, within the given limits.
class Wait {
 public:
  Wait(int socket, const WaitLimit& limit) : socket_(socket), limit_(limit) {
    if (limit.limit) deadline_ = Clock::now() + *limit.limit;
  }

  /// Waits until the socket can be read, or written to. Data that arrived in time counts, even if it is noticed late.
  ChannelStatus until(short events) const {
    const bool may_stop = limit_.stop.asked != nullptr || limit_.stop.deadline;
    Clock::time_point polled = Clock::now();
    while (true) {
      if (limit_.stop.is_now()) return ChannelStatus::given_up;
      milliseconds slice = may_stop ? kStopPoll : limit_.is_stopped ? kStoppedPoll : milliseconds(-1);
      if (deadline_) {
        const milliseconds left =
            std::max(std::chrono::ceil<milliseconds>(*deadline_ - Clock::now()), milliseconds::zero());
        slice = slice.count() < 0 ? left : std::min(left, slice);
      }
      pollfd waiting{.fd = socket_, .events = events, .revents = 0};
      const int ready = ::poll(&waiting, 1, static_cast<int>(slice.count()));
      if (ready > 0) return ChannelStatus::done;
      if (ready < 0 && errno != EINTR) return ChannelStatus::closed;
      const Clock::time_point now = Clock::now();
      const bool late = deadline_ && now >= *deadline_;
      if (limit_.is_stopped && (late || now - polled >= kStoppedPoll)) {
        if (limit_.is_stopped()) return ChannelStatus::stopped;
        polled = now;
      }
      if (late) return ChannelStatus::timed_out;
    }
  }

 private:
  int socket_;
  const WaitLimit& limit_;
  std::optional<Clock::time_point> deadline_;
};

ChannelStatus receive_bytes(int socket, void* to, std::size_t size, const Wait& wait) {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    if (const ChannelStatus ready = wait.until(POLLIN); ready != ChannelStatus::done) return ready;
    const ssize_t got = ::read(socket, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ChannelStatus::closed;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return ChannelStatus::done;
}

ChannelStatus send_bytes(int socket, const void* from, std::size_t size, const Wait& wait) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    if (const ChannelStatus ready = wait.until(POLLOUT); ready != ChannelStatus::done) return ready;
    const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent <= 0) return ChannelStatus::closed;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return ChannelStatus::done;
}

}  // namespace

ChannelStatus send_message(int socket, const Message& message, const WaitLimit& limit) {
  const std::uint64_t size = message.size();
  const Wait wait(socket, limit);
  const ChannelStatus sent = send_bytes(socket, &size, sizeof size, wait);
  return sent == ChannelStatus::done ? send_bytes(socket, message.data(), message.size(), wait) : sent;
}

ChannelStatus receive_message(int socket, Message& message, const WaitLimit& limit) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  constexpr std::uint64_t kFirstPart = std::uint64_t{16} << 20;
  const Wait wait(socket, limit);
  std::uint64_t size = 0;
  if (const ChannelStatus got = receive_bytes(socket, &size, sizeof size, wait); got != ChannelStatus::done) return got;
  if (size > kMost) return ChannelStatus::closed;
  message.clear();
  // Memory is allocated for received bytes only, not for the announced number.
  while (message.size() < size) {
    const std::uint64_t begin = message.size();
    message.resize(begin + std::min(size - begin, std::max(begin, kFirstPart)));
    const ChannelStatus got = receive_bytes(socket, message.data() + begin, message.size() - begin, wait);
    if (got != ChannelStatus::done) return got;
  }
  return ChannelStatus::done;
}

}  // namespace warpwright::worker
