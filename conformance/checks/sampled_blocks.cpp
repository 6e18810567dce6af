// Checks problems that are too large to run: some blocks of each launch run over sparse memory.
#include "conformance/checks/sampled_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "conformance/checks/run_plan.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {
namespace {

constexpr int kBlocks = 9;
/// Of the run that estimates how much of an output all blocks store.
constexpr int kSpreadBlocks = 32;
constexpr std::uint64_t kMostAccesses = 8'000'000;
/// If a block makes fewer accesses, kBlocks of them are counted.
constexpr std::uint64_t kFewAccesses = 20'000;
constexpr std::uint64_t kMostCounted = 64'000'000;
/// Runs, each with the pages that the one before missed.
constexpr int kRuns = 16;
constexpr std::chrono::seconds kLimit = 60 * time_factor * std::chrono::seconds(1);

/// The contents of inputs, page by page.
class Pages {
 public:
  Pages(const Pattern& pattern, const Case& test, const Plan& plan)
      : plan_(plan), input_(test.input), fills_(fills_of(pattern, test.problem, test.input)) {
    const std::vector<Buffer> buffers = pattern.buffers(test.problem);
    for (std::size_t i = 0; i < buffers.size(); ++i)
      if (buffers[i].is_input()) seeds_.push_back(buffer_seed(input_, i));
    std::size_t next = 0;
    for (const Buffer& buffer : plan.buffers) fill_of_.push_back(buffer.is_input() ? next++ : fills_.size());
  }

  /// Why pages cannot be made one by one; empty if they can.
  std::string refusal() const {
    const bool has_function = std::ranges::any_of(fills_, [](const Fill& fill) { return fill.function.has_value(); });
    return has_function ? "a function fills whole buffers" : "";
  }

  simulator::Page of(simulator::Page page) const {
    const Buffer& buffer = plan_.buffers.at(page.buffer);
    const std::size_t fill = fill_of_.at(page.buffer);
    const auto elements = static_cast<std::int64_t>(simulator::Page::size / size_of(buffer.type));
    const auto begin = static_cast<std::int64_t>(page.number) * elements;
    page.bytes =
        fills_.at(fill).part_on_host(begin, std::min(begin + elements, buffer.count), buffer.count, seeds_.at(fill));
    return page;
  }

 private:
  const Plan& plan_;
  Input input_;
  std::vector<Fill> fills_;
  std::vector<std::uint64_t> seeds_;
  std::vector<std::size_t> fill_of_;  ///< by buffer of the plan
};

/// Whether a finding holds although other blocks did not run.
bool holds(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds:
    case FindingKind::misaligned:
    case FindingKind::input_written:
    case FindingKind::signed_overflow:
    case FindingKind::illegal_launch:
    case FindingKind::barrier_divergence:
    case FindingKind::uninitialised_read:  // of shared memory: for global memory the finding is another
      return true;
    default:
      return false;
  }
}

CaseResult not_sampled(CaseResult result, const std::string& why) {
  result.verdict = Verdict::not_modelled;
  result.found.reset();
  result.detail = "its blocks cannot be sampled: " + why;
  return result;
}

/// How blocks ran, and their counts if nothing is wrong.
struct BlocksRun {
  CaseResult result = {};
  std::optional<simulator::Execution> execution = std::nullopt;
};

/// Runs them again until no page is missing. `request` keeps the pages.
BlocksRun run_blocks(worker::Simulate& request, const Pages& contents, worker::Process& process) {
  BlocksRun done;
  CaseResult& result = done.result;
  if (const std::string reason = contents.refusal(); !reason.empty()) return {.result = not_sampled({}, reason)};
  for (int run = 0; run < kRuns; ++run) {
    auto answered = process.call(request, kLimit);
    if (!answered.ok()) return {.result = not_sampled(std::move(result), answered.detail)};
    simulator::Execution& execution = answered.reply.execution;
    result.steps += execution.thread_steps;
    result.threads = execution.threads;
    result.arithmetic = execution.arithmetic;
    if (execution.missing.empty()) {
      if (execution.clean()) {
        done.execution = std::move(execution);
        return done;
      }
      result.found = execution.findings.front();
      result.detail = describe(*result.found);
      if (result.found->kind == FindingKind::too_much_work)
        return {.result = {.steps = result.steps, .threads = result.threads, .arithmetic = result.arithmetic}};
      if (!holds(result.found->kind)) {
        const std::string why = result.detail;
        return {.result = not_sampled(std::move(result), why)};
      }
      result.finding = result.found->kind;
      result.verdict = verdict_of(result.found->kind);
      return done;
    }
    for (const simulator::Page& page : execution.missing) request.pages.push_back(contents.of(page));
  }
  return {.result = not_sampled(std::move(result), "their addresses depend on too long a chain of loads")};
}

constexpr double kPercent = 100;

/// Which output not all elements of which can be stored, as blocks that are spread over the grid show; empty if there
/// is none.
std::string lacking_stores(const Buffer& buffer, const simulator::SampledAccesses& sampled) {
  const auto grid = static_cast<double>(sampled.grid.count());
  double count = 0, idle = 0, sum = 0, squares = 0, most = 0;
  // The others are at edges of the grid.
  for (const simulator::BlockAccesses& block :
       std::span(sampled.blocks).first(std::min<std::size_t>(sampled.blocks.size(), kSpreadBlocks))) {
    const auto value = static_cast<double>(block.stored);
    ++count;
    idle += value == 0 ? 1 : 0;
    sum += value;
    squares += value * value;
    most = std::max(most, value);
  }
  const double mean = sum / count, deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0) / (count - 1));
  const auto bytes = static_cast<double>(buffer.bytes());
  // Blocks that store more than those that ran could store the rest, unless those that ran most store enough.
  if (2 * count < kSpreadBlocks || most * grid < bytes || (mean + 4 * deviation) * grid >= bytes) return {};
  return fmt::format(
      "output '{}' is incomplete: {} of {} sampled blocks, spread over a grid of {}, store nothing to it; all blocks "
      "together store about {:.0f} % of it",
      buffer.name, idle, count, grid, kPercent * mean * grid / bytes);
}

/// Where a block would make its first access to a buffer if the bytes of the first block and its neighbours went on
/// evenly over the whole grid.
class EvenSteps {
 public:
  using Byte = std::uint64_t simulator::BlockAccesses::*;

  EvenSteps(const simulator::SampledAccesses& sampled, Byte byte) : sampled_(sampled), byte_(byte) {
    constexpr Dim3 neighbours[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    is_known_ = at({0, 0, 0}, begin_);
    const unsigned extents[] = {sampled.grid.x, sampled.grid.y, sampled.grid.z};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (extents[i] == 1) continue;
      is_known_ = is_known_ && at(neighbours[i], steps_[i]);
      steps_[i] -= begin_;
    }
  }

  /// By how many bytes the access is before that place; empty if the block makes none, or the place is not known.
  std::optional<std::int64_t> before(const simulator::BlockAccesses& block) const {
    if (!is_known_ || block.*byte_ == simulator::BlockAccesses::none) return std::nullopt;
    return place_of(block.block) - static_cast<std::int64_t>(block.*byte_);
  }
  std::int64_t place_of(const Dim3& block) const {
    return begin_ + block.x * steps_[0] + block.y * steps_[1] + block.z * steps_[2];
  }

 private:
  bool at(const Dim3& index, std::int64_t& place) const {
    const auto found = std::ranges::find(sampled_.blocks, index, &simulator::BlockAccesses::block);
    if (found == sampled_.blocks.end() || (*found).*byte_ == simulator::BlockAccesses::none) return false;
    place = static_cast<std::int64_t>((*found).*byte_);
    return true;
  }

  const simulator::SampledAccesses& sampled_;
  Byte byte_;
  bool is_known_ = false;
  std::int64_t begin_ = 0;
  std::array<std::int64_t, 3> steps_ = {};  ///< from a block to the next one along each dimension
};

/// Which output is larger than all blocks together can store: their places follow from their numbers, so no block
/// differs from those that ran; empty if there is none.
std::string too_few_stores(const Buffer& buffer, const simulator::SampledAccesses& sampled) {
  const EvenSteps steps(sampled, &simulator::BlockAccesses::first_store);
  std::uint64_t most = 0;
  for (const simulator::BlockAccesses& block : sampled.blocks) {
    if (steps.before(block) != 0) return {};
    most = std::max(most, block.stored);
  }
  const auto bytes = static_cast<double>(buffer.bytes());
  const double all = static_cast<double>(most) * static_cast<double>(sampled.grid.count());
  if (all >= bytes) return {};
  return fmt::format(
      "output '{}' is incomplete: a block stores {} bytes of it at most, and the grid has {} blocks; all of them "
      "together store {:.0f} % of it",
      buffer.name, most, sampled.grid.count(), std::floor(kPercent * all / bytes));
}

/// An index that wraps: some blocks make their first access at a place that is 2^32 bytes, or a multiple of that,
/// from where those of the others go on, and all others exactly there; empty if there is none.
std::string wrapped_index(const Buffer& buffer, const simulator::SampledAccesses& sampled, EvenSteps::Byte byte,
                          const char* verb) {
  constexpr std::int64_t wrap = std::int64_t{1} << 32;
  const EvenSteps steps(sampled, byte);
  const simulator::BlockAccesses* wrapped = nullptr;
  for (const simulator::BlockAccesses& block : sampled.blocks) {
    if (block.*byte == simulator::BlockAccesses::none) continue;
    const auto before = steps.before(block);
    const bool is_inside = steps.place_of(block.block) >= 0 && steps.place_of(block.block) < buffer.bytes();
    if (!before || *before % wrap != 0 || !is_inside) return {};
    if (*before != 0) wrapped = &block;
  }
  if (wrapped == nullptr) return {};
  const auto size = static_cast<std::int64_t>(size_of(buffer.type));
  return fmt::format(
      "an index of 32 bits wraps: block ({}, {}, {}) {} '{}' from element {} on, where the first blocks go on evenly "
      "to "
      "element {}",
      wrapped->block.x, wrapped->block.y, wrapped->block.z, verb, buffer.name,
      static_cast<std::int64_t>(wrapped->*byte) / size, steps.place_of(wrapped->block) / size);
}

/// What is wrong with the accesses of blocks that are spread over the grid; empty for nothing.
std::string wrong_accesses(const Plan& plan, const simulator::Execution& execution) {
  using simulator::BlockAccesses;
  for (const simulator::SampledAccesses& sampled : execution.sampled) {
    const Buffer& buffer = plan.buffers.at(sampled.buffer);
    std::string words = wrapped_index(buffer, sampled, &BlockAccesses::first_store, "stores to");
    if (words.empty()) words = wrapped_index(buffer, sampled, &BlockAccesses::first_load, "loads from");
    if (words.empty() && sampled.is_only_store) words = too_few_stores(buffer, sampled);
    if (words.empty() && sampled.is_only_store) words = lacking_stores(buffer, sampled);
    if (!words.empty()) return words;
  }
  return {};
}

/// What all blocks do, if those that ran are typical.
CountedAccess of_all_blocks(const Plan& plan, const simulator::Execution& execution) {
  CountedAccess access;
  access.launch_threads = execution.launch_threads;
  access.launch_atomics = execution.launch_atomics;
  double of_all = 1;
  const std::vector<PlannedLaunch> launches = launches_of(plan);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Launch& launch = launches[i].launch;
    const std::uint64_t threads = launch.grid.count() * launch.block.count();
    of_all = static_cast<double>(threads) / static_cast<double>(execution.launch_threads[i]);
    access.launches.push_back(execution.launches[i].times(of_all));
    access.launch_threads[i] = threads;
    access.threads += threads;
    access.counts += access.launches.back();
  }
  access.lines = execution.lines;
  // Lines of different launches are told apart by nothing but their text, so those of several stay as they ran.
  if (launches.size() == 1)
    for (simulator::LineAccess& line : access.lines) line.counts = line.counts.times(of_all);
  return access;
}

}  // namespace

CaseResult check_blocks(const Pattern& pattern, const Case& test, const worker::CompiledPlan& compiled,
                        const Device& device, worker::Process& process, std::vector<StrictRule> lenient) {
  worker::Simulate request = simulation_of(compiled.plan, compiled.program, {}, device);
  request.options.limits = {.steps = kMostAccesses, .blocks = 16 * kMostAccesses};
  request.options.sampled_blocks = kBlocks;
  request.options.lenient = std::move(lenient);
  const Pages contents(pattern, test, compiled.plan);
  const BlocksRun edges = run_blocks(request, contents, process);
  // Where only a part of an output is compared, it need not be stored.
  const bool is_affordable = edges.execution && edges.execution->thread_steps * kSpreadBlocks / kBlocks < kMostAccesses;
  if (!is_affordable || !pattern.observations.empty()) return edges.result;
  request.options.sampled_blocks = kSpreadBlocks;
  request.options.spread_blocks = request.options.first_blocks = true;
  BlocksRun spread = run_blocks(request, contents, process);
  if (!spread.execution) return spread.result.is_right() ? edges.result : spread.result;
  if (std::string wrong = wrong_accesses(compiled.plan, *spread.execution); !wrong.empty()) {
    spread.result.verdict = Verdict::failed;
    spread.result.detail = std::move(wrong);
  }
  return spread.result;
}

CaseResult count_blocks(const Pattern& pattern, const Case& test, const worker::CompiledPlan& compiled,
                        const Device& device, worker::Process& process, PageCache& known,
                        std::optional<CountedAccess>& access) {
  const Pages contents(pattern, test, compiled.plan);
  std::string key = problem_text(test.problem) + " " + input_text(test.input);
  for (const Buffer& buffer : compiled.plan.buffers) key += " " + buffer.name;
  worker::Simulate request = simulation_of(compiled.plan, compiled.program, {}, device);
  request.options.limits = {.steps = kMostCounted, .blocks = 16 * kMostCounted};
  request.options.count_accesses = request.options.spread_blocks = true;
  request.options.check_initialised = false;
  request.options.sampled_blocks = 1;
  request.pages = known.pages(key);
  const auto begin = std::chrono::steady_clock::now();
  BlocksRun done = run_blocks(request, contents, process);
  if (done.execution && done.execution->thread_steps < kFewAccesses) {
    request.options.sampled_blocks = kBlocks;
    done = run_blocks(request, contents, process);
  }
  CaseResult& result = done.result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!done.execution) return result;
  known.keep(key, request.pages);
  for (const auto& atomics : done.execution->launch_atomics)
    if (!atomics.empty()) return not_sampled(std::move(result), "they update the same memory");
  access = of_all_blocks(compiled.plan, *done.execution);
  return result;
}

}  // namespace warpwright::conformance
