// Runs a plan under all schedules of its small launches, and with all older values that loads may return.
#include "kernels/runtime/simulator/simulate_all.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/explorer.hpp"

namespace warpwright::simulator {
namespace {

using Buffers = std::vector<std::vector<std::byte>>;

/// The engine of this system thread explores as long as this exists.
class Exploring {
 public:
  explicit Exploring(Explorer& explorer) { Engine::of_this_thread().explore_with(&explorer); }
  ~Exploring() { Engine::of_this_thread().explore_with(nullptr); }
  Exploring(const Exploring&) = delete;
  Exploring& operator=(const Exploring&) = delete;
};

bool have_same_outputs(const Plan& plan, std::span<const std::vector<std::byte>> one, const Buffers& other) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].is_output() && one[i] != other[i]) return false;
  return true;
}

/// Adds the counts and what was tolerated; the findings and hints are the newest.
void add(Execution& total, Execution more) {
  more.threads += total.threads;
  more.thread_steps += total.thread_steps;
  more.basic_blocks += total.basic_blocks;
  more.explored = total.explored + 1;
  more.other_buffers = std::move(total.other_buffers);
  for (auto kept : {&Execution::arithmetic, &Execution::exchanged})
    if (!(total.*kept).empty()) more.*kept = std::move(total.*kept);
  if (!total.tolerated.empty()) more.tolerated = std::move(total.tolerated);
  total = std::move(more);
}

}  // namespace

Execution simulate_all(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                       const SimulationOptions& given, const HostFunctions* host_functions) {
  constexpr std::size_t most_others = 7;
  constexpr std::uint64_t most_accesses = 2'000'000;  // of all executions, which takes about 0.1 s
  SimulationOptions options = given;
  options.schedule = {.resident_blocks = static_cast<int>(most_explored_threads),
                      .stale_loads = std::numeric_limits<std::uint32_t>::max(),
                      .stale_end = std::numeric_limits<std::uint32_t>::max()};
  Explorer explorer;
  const Exploring exploring(explorer);
  const Buffers before(buffers.begin(), buffers.end());
  Execution total;
  const auto note = [&](const Buffers& after) {
    if (total.explored == 1)
      std::ranges::copy(after, buffers.begin());
    else if (total.other_buffers.size() < most_others && !have_same_outputs(plan, buffers, after) &&
             std::ranges::none_of(total.other_buffers,
                                  [&](const Buffers& one) { return have_same_outputs(plan, one, after); }))
      total.other_buffers.push_back(after);
  };
  const bool is_plain = plan.is_plain();
  const auto is_enough = [&](std::uint64_t executions) {
    return total.explored >= executions || !total.clean() || (total.explored > 0 && !is_plain);
  };
  const auto run = [&] {
    Buffers after = before;
    Execution one = simulate(plan, module, after, options, host_functions);
    explorer.end_execution();
    if (explorer.is_redundant() && one.clean()) return;
    Buffers second = std::move(one.second_buffers);
    one.second_buffers.clear();
    add(total, std::move(one));
    note(after);
    if (!second.empty()) note(second);
  };
  // Those that turn out to be equivalent to others end early.
  const std::uint64_t most_begun = 4 * options.explored;
  for (std::uint64_t begun = 0; begun < most_begun && !is_enough(options.explored); ++begun) {
    if (total.thread_steps > most_accesses || !explorer.next()) break;
    run();
  }
  // Neighbours in the order of exploring are alike. If they are too many, as many random ones follow.
  const std::uint64_t systematic = total.explored, accesses = total.thread_steps;
  for (std::uint64_t seed = 1; !is_enough(systematic + options.explored); ++seed) {
    if (total.thread_steps > accesses + most_accesses || !explorer.next_random(seed)) break;
    run();
  }
  // What is tolerated may depend on the order of weak accesses too.
  total.is_exhausted = total.clean() && is_plain && total.tolerated.empty() && explorer.is_exhausted();
  return total;
}

}  // namespace warpwright::simulator
