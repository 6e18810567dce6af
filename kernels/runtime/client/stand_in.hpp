// For tests: what a shell script says that stands in for a worker.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/runtime/messages/build_id.hpp"

namespace warpwright::worker {

/// A bash command that sends the message to the parent, whose socket is the script's $1.
inline std::string bash_to_send(const nlohmann::json& message) {
  const std::vector<std::uint8_t> body = nlohmann::json::to_cbor(message);
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8)
    bytes += fmt::format("\\{:03o}", (static_cast<std::uint64_t>(body.size()) >> shift) & 0xff);
  for (const std::uint8_t byte : body) bytes += fmt::format("\\{:03o}", byte);
  return "printf '" + bytes + "' >&\"$1\"";
}

/// Likewise: the greeting of a worker of this build.
inline std::string bash_to_greet() {
  return bash_to_send({{"build", build_id()}});
}

}  // namespace warpwright::worker
