// The order of a plan's steps with streams, copies of host memory and host steps; draws a random order among those
// allowed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// The index of the plan's buffer for each name.
using BufferNames = std::map<std::string, std::size_t>;

/// Part of a step, or what the caller does after the plan.
enum class StepPart {
  whole,
  stage,          ///< of a copy from pageable memory: the host reads it before it continues
  unstage,        ///< of the same copy: the stream writes what was read
  returned,       ///< the host continues after a copy for which it waited
  host_outputs,   ///< the caller reads the outputs in the host's memory
  device_outputs  ///< the caller reads the other outputs, in stream 0
};

/// One execution of a step. The host is chain 0, each stream is another chain. The steps of a chain run in order.
struct OrderedStep {
  const Step* step = nullptr;  ///< null for an action of the caller
  StepPart part = StepPart::whole;
  std::shared_ptr<const BufferNames> names = {};
  int iteration = 0;  ///< of the innermost repeat
  std::size_t chain = 0;
  std::uint32_t number = 0;               ///< in its chain, from 1
  std::vector<std::uint32_t> knows = {};  ///< for each chain: the last step there that is done before this one begins
  std::vector<std::size_t> behind = {};   ///< indices in the list of steps that must be done before
};

/// All executions of a plan's steps in the order in which the host issues them. The plan must be valid. Throws
/// std::invalid_argument for more than a million.
std::vector<OrderedStep> ordered_steps(const Plan& plan);

/// Whether one of two steps must be done before the other begins.
bool are_ordered(const OrderedStep& one, const OrderedStep& other);

/// A permutation of the list in which each step comes after those in its `behind`; for seed 0 the list's own order.
std::vector<std::size_t> drawn_order(const std::vector<OrderedStep>& steps, std::uint64_t seed);

/// "'copy 64 B from in to a in stream 1 as 'in 0'", for people.
std::string describe(const OrderedStep& step);

}  // namespace warpwright::simulator
