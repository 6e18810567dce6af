// Requests and answers as bytes: CBOR, with buffers as byte strings.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/messages/channel.hpp"
#include "kernels/runtime/messages/requests.hpp"

namespace warpwright::worker {

/// The first message of a worker: the id of its build.
Message greeting();

Message encode(const Request& request);
Message encode(const Answer& answer);
/// Several requests, for a file.
Message encode(const std::vector<Request>& requests);

/// The inverses. They throw std::exception for bytes that are no such message.
Request decode_request(const Message& message);
Answer decode_answer(const Message& message);
std::vector<Request> decode_requests(const Message& message);

}  // namespace warpwright::worker
