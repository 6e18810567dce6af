// Checks problems that are too large to run: some blocks of each launch run over sparse memory.
#include "conformance/checks/sampled_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "conformance/checks/run_plan.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {
namespace {

constexpr int kBlocks = 9;
constexpr std::uint64_t kMostAccesses = 8'000'000;
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

}  // namespace

CaseResult check_blocks(const Pattern& pattern, const Case& test, const worker::CompiledPlan& compiled,
                        const Device& device, worker::Process& process) {
  const Pages contents(pattern, test, compiled.plan);
  if (const std::string reason = contents.refusal(); !reason.empty()) return not_sampled({}, reason);
  worker::Simulate request = simulation_of(compiled.plan, compiled.program, {}, device);
  request.options.limits = {.steps = kMostAccesses, .blocks = 16 * kMostAccesses};
  request.options.sampled_blocks = kBlocks;
  CaseResult result;
  for (int run = 0; run < kRuns; ++run) {
    auto answered = process.call(request, kLimit);
    if (!answered.ok()) return not_sampled(std::move(result), answered.detail);
    const simulator::Execution& execution = answered.reply.execution;
    result.steps += execution.thread_steps;
    result.threads = execution.threads;
    result.arithmetic = execution.arithmetic;
    if (execution.missing.empty()) {
      if (execution.clean()) return result;
      result.found = execution.findings.front();
      result.detail = describe(*result.found);
      if (result.found->kind == FindingKind::too_much_work)
        return {.steps = result.steps, .threads = result.threads, .arithmetic = result.arithmetic};
      if (!holds(result.found->kind)) return not_sampled(std::move(result), describe(execution.findings.front()));
      result.finding = result.found->kind;
      result.verdict = verdict_of(result.found->kind);
      return result;
    }
    for (const simulator::Page& page : execution.missing) request.pages.push_back(contents.of(page));
  }
  return not_sampled(std::move(result), "their addresses depend on too long a chain of loads");
}

}  // namespace warpwright::conformance
