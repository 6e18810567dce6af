// For tests: commands of a shell script that acts as a worker.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "kernels/runtime/messages/messages.hpp"

namespace warpwright::worker {

/// A bash command that sends the message to the parent, whose socket is $1 of the script.
inline std::string bash_to_send(const Message& message) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8)
    bytes += fmt::format("\\{:03o}", (static_cast<std::uint64_t>(message.size()) >> shift) & 0xff);
  for (const std::uint8_t byte : message) bytes += fmt::format("\\{:03o}", byte);
  return "printf '" + bytes + "' >&\"$1\"";
}

/// The same for an answer.
inline std::string bash_to_answer(const Answer& answer) {
  return bash_to_send(encode(answer));
}

/// The same for the greeting of a worker of this build.
inline std::string bash_to_greet() {
  return bash_to_send(greeting());
}

}  // namespace warpwright::worker
