// The order of a plan's steps with streams, copies of host memory and host steps; draws a random order among those
// allowed.
#include "kernels/runtime/simulator/step_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "kernels/core/random.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::size_t most_steps = 1'000'000;
constexpr std::size_t host_chain = 0;

bool is_on_host(Where where) {
  return where == Where::pageable || where == Where::pinned;
}

class Unrolling {
 public:
  explicit Unrolling(const Plan& plan) : plan_(plan), last_(kMostStreams + 1) {
    BufferNames names;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) names[plan.buffers[i].name] = i;
    names_ = std::make_shared<const BufferNames>(std::move(names));
  }

  std::vector<OrderedStep> run() {
    unroll(plan_.steps);
    add(nullptr, StepPart::host_outputs, host_chain, {});
    // The caller's own read is queued in stream 0 as soon as the host is done with the plan.
    const auto host = last_[host_chain];
    add(nullptr, StepPart::device_outputs, 1, host ? std::vector{*host} : std::vector<std::size_t>{});
    return std::move(steps_);
  }

 private:
  void unroll(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (const auto* repeat = std::get_if<Repeat>(&step.what))
        unroll_repeat(*repeat);
      else
        take(step);
    }
  }

  void unroll_repeat(const Repeat& repeat) {
    const auto outside = names_;
    const int outer = iteration_;
    for (std::int64_t i = 0; i < repeat.times; ++i) {
      iteration_ = static_cast<int>(i);
      unroll(repeat.steps);
      if (repeat.swaps.empty()) continue;
      BufferNames swapped = *names_;
      for (const auto& [first, second] : repeat.swaps) std::swap(swapped.at(first), swapped.at(second));
      names_ = std::make_shared<const BufferNames>(std::move(swapped));
    }
    names_ = outside;
    iteration_ = outer;
  }

  void take(const Step& step) {
    std::vector<std::size_t> behind;
    for (const std::string& label : step.waits) behind.push_back(labels_.at(label));
    const std::size_t stream = static_cast<std::size_t>(step.stream) + 1;
    std::size_t added = 0;
    if (is_host_step(step)) {
      if (std::holds_alternative<Synchronise>(step.what) && step.waits.empty())
        for (std::size_t chain = 1; chain < last_.size(); ++chain)
          if (last_[chain]) behind.push_back(*last_[chain]);
      added = add(&step, StepPart::whole, host_chain, std::move(behind));
    } else {
      if (last_[host_chain]) behind.push_back(*last_[host_chain]);
      const auto* copy = std::get_if<Copy>(&step.what);
      added = copy != nullptr ? take_copy(step, *copy, stream, std::move(behind))
                              : add(&step, StepPart::whole, stream, std::move(behind));
    }
    if (!step.label.empty()) labels_[step.label] = added;
  }

  std::size_t take_copy(const Step& step, const Copy& copy, std::size_t stream, std::vector<std::size_t> behind) {
    const Where from = where(copy.from);
    const Where to = where(copy.to);
    if (from == Where::pageable && !is_on_host(to)) {
      behind.push_back(add(&step, StepPart::stage, host_chain, {}));
      return add(&step, StepPart::unstage, stream, std::move(behind));
    }
    const std::size_t added = add(&step, StepPart::whole, stream, std::move(behind));
    if (to == Where::pageable || (is_on_host(from) && is_on_host(to)))
      add(&step, StepPart::returned, host_chain, {added});
    return added;
  }

  Where where(const std::string& name) const {
    const auto found = names_->find(name);
    if (found == names_->end()) throw std::invalid_argument("the plan has no buffer '" + name + "'");
    return plan_.buffers[found->second].where;
  }

  std::size_t add(const Step* step, StepPart part, std::size_t chain, std::vector<std::size_t> behind) {
    if (steps_.size() >= most_steps) throw std::invalid_argument("a plan of more than a million steps with streams");
    if (last_[chain]) behind.push_back(*last_[chain]);
    OrderedStep made{.step = step, .part = part, .names = names_, .iteration = iteration_, .chain = chain};
    made.number = last_[chain] ? steps_[*last_[chain]].number + 1 : 1;
    for (const std::size_t before : behind) {
      const OrderedStep& one = steps_[before];
      made.knows.resize(std::max({made.knows.size(), one.knows.size(), one.chain + 1}));
      for (std::size_t i = 0; i < one.knows.size(); ++i) made.knows[i] = std::max(made.knows[i], one.knows[i]);
      made.knows[one.chain] = std::max(made.knows[one.chain], one.number);
    }
    made.behind = std::move(behind);
    last_[chain] = steps_.size();
    steps_.push_back(std::move(made));
    return steps_.size() - 1;
  }

  const Plan& plan_;
  std::vector<OrderedStep> steps_;
  std::vector<std::optional<std::size_t>> last_;  ///< of each chain
  std::map<std::string, std::size_t> labels_;     ///< indices of their latest occurrences
  std::shared_ptr<const BufferNames> names_;
  int iteration_ = 0;
};

bool is_behind(const OrderedStep& later, const OrderedStep& earlier) {
  return earlier.chain < later.knows.size() && later.knows[earlier.chain] >= earlier.number;
}

}  // namespace

std::vector<OrderedStep> ordered_steps(const Plan& plan) {
  return Unrolling(plan).run();
}

bool are_ordered(const OrderedStep& one, const OrderedStep& other) {
  return is_behind(one, other) || is_behind(other, one);
}

std::vector<std::size_t> drawn_order(const std::vector<OrderedStep>& steps, std::uint64_t seed) {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (seed == 0) return order;

  std::vector<std::size_t> missing(steps.size());
  std::vector<std::vector<std::size_t>> followers(steps.size());
  std::vector<std::size_t> ready;
  std::size_t chains = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    missing[i] = steps[i].behind.size();
    for (const std::size_t before : steps[i].behind) followers[before].push_back(i);
    if (missing[i] == 0) ready.push_back(i);
    chains = std::max(chains, steps[i].chain + 1);
  }
  // Half of the orders run one chain as far as possible; the others choose among all steps that are ready.
  Random random(seed * 0x9e3779b97f4a7c15u + 1);
  std::vector<std::uint64_t> rank(chains, 0);
  const bool by_chain = random.below(2) == 0;
  if (by_chain)
    for (std::uint64_t& one : rank) one = random.below(std::numeric_limits<std::uint32_t>::max());
  for (std::size_t& next : order) {
    const auto first = [&](std::size_t one, std::size_t other) {
      return rank[steps[one].chain] < rank[steps[other].chain];
    };
    const auto chosen = by_chain ? std::ranges::min_element(ready, first)
                                 : ready.begin() + static_cast<std::ptrdiff_t>(random.below(ready.size()));
    next = *chosen;
    ready.erase(chosen);
    for (const std::size_t follower : followers[next])
      if (--missing[follower] == 0) ready.push_back(follower);
  }
  return order;
}

std::string describe(const OrderedStep& step) {
  if (step.part == StepPart::host_outputs) return "the caller's read behind the plan";
  if (step.part == StepPart::device_outputs) return "the caller's read in stream 0 behind the plan";
  return "'" + describe(*step.step) + "'" +
         (step.chain == host_chain ? "" : " in stream " + std::to_string(step.chain - 1));
}

}  // namespace warpwright::simulator
