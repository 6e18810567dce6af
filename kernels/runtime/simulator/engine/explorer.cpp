// Explores all schedules of small launches, and all older values that their loads may return.
#include "kernels/runtime/simulator/engine/explorer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpwright::simulator {
namespace {

std::uint64_t value_at(const Explorer::Step& step) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(step.address), std::min<std::size_t>(step.bytes, sizeof(value)));
  return value;
}

constexpr std::uint64_t bit(std::size_t thread) {
  return std::uint64_t{1} << thread;
}

}  // namespace

bool Explorer::next() {
  at_ = steps_ = 0;
  is_redundant_ = false;
  if (!is_complete_) return false;
  if (!has_begun_) return has_begun_ = true;
  while (!nodes_.empty()) {
    Node& last = nodes_.back();
    if (last.outcomes != 0) {
      if (++last.chosen < last.outcomes) return true;
    } else {
      last.done |= bit(last.chosen);
      if (const Threads left = last.to_try & ~last.done & ~last.asleep; left != 0) {
        last.chosen = static_cast<std::size_t>(std::countr_zero(left));
        return true;
      }
    }
    nodes_.pop_back();
  }
  return false;
}

bool Explorer::next_random(std::uint64_t seed) {
  if (!has_choices_ || is_exhausted()) return false;
  constexpr std::uint64_t paces[] = {1, 2, 4, 16};
  random_ = Random(seed);
  switches_ = paces[random_.below(std::size(paces))];
  is_random_ = true;
  is_redundant_ = false;
  return true;
}

void Explorer::begin_launch(std::size_t threads, std::size_t threads_per_block) {
  end_execution();
  is_followed_ = (is_complete_ || is_random_) && threads <= most_threads;
  if (!is_followed_) give_up();
  last_ = most_threads;
  threads_per_block_ = threads_per_block;
  events_.clear();
  threads_.assign(is_followed_ ? threads : 0, State{});
}

void Explorer::end_execution() {
  if (!is_exploring() || is_redundant_) return;
  for (unsigned i = 0; i < threads_.size(); ++i)
    if (threads_[i].pending.is_announced) add_alternatives(i, threads_[i].pending);
  is_followed_ = false;
}

unsigned Explorer::number_of(const Thread& thread) const {
  return static_cast<unsigned>(thread.block->number * threads_per_block_ + thread.number);
}

bool Explorer::depend(const Pending& one, const Pending& other) {
  const Step &a = one.step, &b = other.step;
  // All fences have one order. What a fence orders are accesses of its warp.
  if (a.bytes == 0 || b.bytes == 0) return (a.bytes == 0 && b.bytes == 0) || one.warp == other.warp;
  return (a.writes || b.writes) && a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

bool Explorer::waits(const State& state) {
  const Step& step = state.pending.step;
  return state.repeats && !state.saw_older && step.bytes != 0 && step.bytes <= sizeof(state.value) &&
         step.site == state.site && step.address == state.address && value_at(step) == state.value;
}

void Explorer::announce(const Thread& thread, const Step& step) {
  if (!is_followed_) return;
  State& state = threads_[number_of(thread)];
  if (step.site != state.site || step.address != state.address) {
    // A loop that is left although nothing has changed is none that waits.
    if (state.is_held) give_up();
    state.is_held = state.is_shown = false;
  }
  state.pending = {.step = step,
                   .warp = static_cast<std::uint32_t>(number_of(thread) / threads_per_block_ * 32 + thread.number / 32),
                   .is_announced = true};
}

Explorer::Clock Explorer::add_alternatives(unsigned thread, const Pending& what) {
  Clock clock = threads_[thread].clock;
  for (std::size_t i = events_.size(); i-- > 0;) {
    const Event& event = events_[i];
    if (!depend(event.what, what)) continue;
    if (event.thread != thread && clock[event.thread] <= i) {
      Node& node = nodes_[event.node];
      node.to_try |= (node.enabled & bit(thread)) != 0 ? bit(thread) : node.enabled;
    }
    for (std::size_t k = 0; k < clock.size(); ++k) clock[k] = std::max(clock[k], event.before[k]);
  }
  return clock;
}

void Explorer::add_event(unsigned thread) {
  State& state = threads_[thread];
  state.clock = add_alternatives(thread, state.pending);
  state.clock[thread] = static_cast<std::uint16_t>(events_.size() + 1);
  events_.push_back({.thread = thread, .node = at_ - 1, .what = state.pending, .before = state.clock});
}

void Explorer::make(const Thread& thread) {
  if (!is_followed_) return;
  last_ = number_of(thread);
  State& state = threads_[last_];
  if (is_exploring()) {
    if (++steps_ > most_steps) return give_up();
    add_event(last_);
  }
  const Step& step = state.pending.step;
  const std::uint64_t value = step.bytes == 0 ? 0 : value_at(step);
  const bool is_same = step.bytes != 0 && step.site == state.site && step.address == state.address;
  // It could have seen the older value again: that makes a difference unless it waited for the newest one.
  if (is_same && state.is_shown) give_up();
  state.repeats = is_same && value == state.value;
  if (!state.repeats || state.saw_older) state.is_held = false;
  state.is_shown = state.repeats && state.saw_older;
  state.site = step.site;
  state.address = step.address;
  state.value = value;
  state.saw_older = false;
  state.pending.is_announced = false;
}

void Explorer::meet(std::span<Thread* const> threads) {
  if (!is_followed_) return;
  Clock all{};
  for (const Thread* thread : threads)
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::max(all[k], threads_[number_of(*thread)].clock[k]);
  for (const Thread* thread : threads) threads_[number_of(*thread)].clock = all;
}

std::size_t Explorer::first_of(std::span<Thread* const> ready, unsigned number) const {
  return static_cast<std::size_t>(
      std::ranges::find_if(ready, [&](const Thread* thread) { return number_of(*thread) == number; }) - ready.begin());
}

void Explorer::add_node(Threads enabled) {
  Node node{.enabled = enabled};
  for (const State& state : threads_) node.pending.push_back(state.pending);
  // What was tried before, and commutes with what was chosen there, need not be tried here.
  const auto before = std::find_if(nodes_.rbegin(), nodes_.rend(), [](const Node& one) { return one.outcomes == 0; });
  if (before != nodes_.rend() && !events_.empty()) {
    const Pending& chosen = before->pending[before->chosen];
    for (Threads rest = before->asleep | before->done; rest != 0; rest &= rest - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(rest));
      if (!depend(before->pending[other], chosen)) node.asleep |= bit(other);
    }
  }
  const Threads awake = enabled & ~node.asleep;
  const Threads last = events_.empty() ? 0 : bit(events_.back().thread);
  node.chosen = static_cast<std::size_t>(std::countr_zero((awake & last) != 0 ? last : awake));
  node.to_try = awake == 0 ? 0 : bit(node.chosen);
  is_redundant_ = awake == 0;
  if (!is_redundant_) nodes_.push_back(std::move(node));
}

std::size_t Explorer::pick_random(std::span<Thread* const> ready) {
  const bool goes_on = random_.below(switches_) != 0;
  // A thread that waits may look again, too, but seldom.
  const bool may_wait = random_.below(8) == 0;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const unsigned number = number_of(*ready[i]);
    const State& state = threads_[number];
    if (!state.pending.is_announced) return i;
    if (waits(state) && !may_wait) continue;
    if (goes_on && number == last_) return i;
    all.push_back(i);
  }
  return all.empty() ? random_.below(ready.size()) : all[random_.below(all.size())];
}

std::size_t Explorer::pick(std::span<Thread* const> ready) {
  if (is_redundant_) return ready.size();
  if (is_followed_ && is_random_) return pick_random(ready);
  if (!is_exploring()) return 0;
  Threads enabled = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const unsigned number = number_of(*ready[i]);
    if (!threads_[number].pending.is_announced) return i;
    if (!waits(threads_[number]))
      enabled |= bit(number);
    else
      threads_[number].is_held = true;
  }
  // All wait for what nobody does: the engine finds out, unless they stop waiting, which is not explored.
  if (enabled == 0) {
    give_up();
    return 0;
  }
  has_choices_ = has_choices_ || (enabled & (enabled - 1)) != 0;
  if (at_ == nodes_.size()) add_node(enabled);
  if (is_redundant_) return ready.size();
  return first_of(ready, static_cast<unsigned>(nodes_[at_++].chosen));
}

std::size_t Explorer::choose(std::size_t outcomes) {
  if (!is_followed_ || outcomes < 2) return 0;
  if (is_random_) {
    // Half of them the newest; else the oldest, as if the load had been made long before, or any.
    const std::uint64_t drawn = random_.below(4);
    return drawn < 2 ? 0 : drawn == 2 ? 1 : 1 + random_.below(outcomes - 1);
  }
  if (!is_exploring()) return 0;
  State& state = threads_[last_];
  // In a loop that waits, an older value only makes it wait longer.
  if (state.repeats) {
    state.is_held = !state.is_shown;
    return 0;
  }
  if (at_ == nodes_.size()) nodes_.push_back({.outcomes = outcomes});
  const std::size_t chosen = nodes_[at_++].chosen;
  state.saw_older = chosen != 0;
  return chosen;
}

}  // namespace warpwright::simulator
