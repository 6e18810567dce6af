// What orders the steps of a plan with streams, copies of host memory and host steps; and an order that this allows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// Which of the plan's buffers each name means.
using BufferNames = std::map<std::string, std::size_t>;

/// Part of a step, or what the caller does behind the plan.
enum class StepPart {
  whole,
  stage,          ///< of a copy from pageable memory: the host reads it before it goes on
  unstage,        ///< of the same copy: the stream writes what was read
  returned,       ///< the host goes on behind a copy that it waited for
  host_outputs,   ///< the caller reads the outputs that the host reaches
  device_outputs  ///< the caller reads the others, in stream 0
};

/// One execution of a step. The host is chain 0, a stream one of the others; a chain's steps are one behind the other.
struct OrderedStep {
  const Step* step = nullptr;  ///< null for what the caller does
  StepPart part = StepPart::whole;
  std::shared_ptr<const BufferNames> names = {};
  int iteration = 0;  ///< of the innermost repeat
  std::size_t chain = 0;
  std::uint32_t number = 0;               ///< in its chain, from 1
  std::vector<std::uint32_t> knows = {};  ///< by chain: the last one there that is over before it begins
  std::vector<std::size_t> behind = {};   ///< places in the list of what must be over
};

/// All executions of a plan's steps in the order in which the host takes them. The plan has no fault. Throws
/// std::invalid_argument for more than a million.
std::vector<OrderedStep> ordered_steps(const Plan& plan);

/// Whether one of two steps must be over before the other begins.
bool are_ordered(const OrderedStep& one, const OrderedStep& other);

/// A permutation of the list that puts nothing before what it is behind; for seed 0 the list's own order.
std::vector<std::size_t> drawn_order(const std::vector<OrderedStep>& steps, std::uint64_t seed);

/// "'copy 64 B from in to a in stream 1 as 'in 0'", for people.
std::string words_of(const OrderedStep& step);

}  // namespace warpwright::simulator
