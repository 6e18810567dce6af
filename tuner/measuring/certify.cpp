// The cases of a certificate, and their shapes.
#include "tuner/measuring/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <set>

#include "conformance/checks/case_plan.hpp"
#include "kernels/core/target.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kDeviceCases = 200;
constexpr int kHostCases = 60, kHostParts = 4;  ///< parts at the same time
constexpr int kCasesAnInstance = 8;
constexpr std::chrono::seconds kLeastTime{1};

std::set<std::string> entries_of(const Plan& plan) {
  std::set<std::string> entries;
  for (const auto& [launch, times] : launches_of(plan)) entries.insert(launch.entry);
  return entries;
}

constexpr int kSchedules = 50, kLaunches = 100;
constexpr double kMostBytes = 64 << 20;  ///< of a problem that is run so often

/// Blocks of the largest launch.
std::int64_t blocks_of(const CompiledConfiguration& winner, const Problem& problem, const Device& device) {
  std::int64_t most = 0;
  for (const auto& [launch, times] : launches_of(winner.kernel->plan(winner.params, problem, device)))
    most = std::max(most, static_cast<std::int64_t>(launch.grid.count()));
  return most;
}

double bytes_of(const Pattern& pattern, const Problem& problem) {
  double bytes = 0;
  for (const Buffer& buffer : pattern.buffers(problem)) bytes += static_cast<double>(buffer.bytes());
  return bytes;
}

/// Its counts, if it was right; else that it was wrong. It is none of the certificate's cases.
void add(Certification& to, const Kernel& kernel, Simulated traced) {
  if (traced.result.ok()) to.access = std::move(traced.access);
  if (!is_wrong(traced.result.verdict)) return;
  conformance::PropertyReport wrong;
  wrong.kernel = &kernel;
  wrong.counterexample = wrong.first_failure = std::move(traced.counterexample);
  wrong.failure = std::move(traced.result);
  to.on_host.add(std::move(wrong));
}

/// The problem with its largest extent halved, again and again, until it is as wanted; none if it never is.
std::optional<Problem> halved_until(const CompiledConfiguration& winner, Problem problem, const Device& device,
                                    const std::function<bool(const Problem&)>& is_wanted) {
  for (;; *std::ranges::max_element(problem.shape) /= 2) {
    if (std::ranges::max(problem.shape) == 0) return {};
    if (winner.kernel->refuses(winner.params, problem, device).empty() && is_wanted(problem)) return problem;
  }
}

/// A problem that leaves some multiprocessors without a block, and the smallest that fills the GPU: each multiprocessor
/// has as many blocks as it can hold, or as the problem gives it. Empty if there are none.
std::vector<Problem> sizes_around(const CompiledConfiguration& winner, const Pattern& pattern, const Problem& problem,
                                  const Device& device) {
  const auto has_blocks = [&](const Problem& one, std::int64_t least) {
    return blocks_of(winner, one, device) >= least;
  };
  auto full =
      halved_until(winner, problem, device, [&](const Problem& one) { return bytes_of(pattern, one) <= kMostBytes; });
  if (!full || !has_blocks(*full, device.sm_count)) return {};
  int held = 1;
  for (const Occupancy& one : winner.occupancy) held = std::max(held, one.blocks_per_sm);
  const std::int64_t filling =
      std::min(blocks_of(winner, *full, device), static_cast<std::int64_t>(held) * device.sm_count);
  const auto too_small = halved_until(winner, *full, device, [&](const Problem& one) {
    if (has_blocks(one, filling)) full = one;
    return !has_blocks(one, filling);
  });
  const auto small = too_small ? halved_until(winner, *too_small, device,
                                              [&](const Problem& one) { return !has_blocks(one, device.sm_count); })
                               : std::nullopt;
  if (!small) return {};
  return {*small, *full};
}

}  // namespace

EqualBits equal_bits(MeasuringGpu& gpu, const Catalogue& catalogue, const CompiledConfiguration& winner,
                     const Problem& problem, Budget::End end, const std::atomic<bool>& stop) {
  if (std::string why = gpu.cannot_simulate(); !why.empty()) return {.why = "not simulated: " + std::move(why)};
  const auto sizes = sizes_around(winner, catalogue.pattern(problem.pattern), problem, gpu.device());
  if (sizes.empty())
    return {.why = fmt::format("no size of at most {:.0f} MB fills the GPU, or none leaves a part of it without work",
                               kMostBytes / (1 << 20))};
  auto schedules = host_cases(host_target(gpu.device().compute_capability), winner,
                              conformance::traced_problem(catalogue, problem), 1, stop);
  schedules.deadline = end;
  auto launches = device_cases(gpu.device().arch(), winner, sizes.front(), 1, schedules.seed, stop);
  launches.problems = sizes;
  launches.equal_bits = kLaunches;
  launches.deadline = end;
  std::vector<std::future<conformance::PropertyReport>> simulated;
  // Every part has the first schedule too, so that its outputs are compared with those of the others.
  constexpr int kOthers = kSchedules - 1;
  const int parts = std::clamp(static_cast<int>(gpu.compilers()), 1, kOthers);
  for (int part = 0; part < parts; ++part) {
    schedules.equal_bits_from = kOthers * part / parts;
    schedules.equal_bits = 1 + kOthers * (part + 1) / parts - schedules.equal_bits_from;
    simulated.push_back(gpu.simulate(*winner.kernel, schedules, worker::Urgency::at_once));
  }
  std::vector<conformance::PropertyReport> reports{gpu.run_property(*winner.kernel, launches)};
  for (auto& part : simulated) reports.push_back(part.get());
  for (const conformance::PropertyReport& report : reports)
    if (!report.ok())
      return {.shown = report.failure.verdict == Verdict::failed ? std::optional(false) : std::nullopt,
              .why = report.failure.detail};
  for (const conformance::PropertyReport& report : reports) {
    if (report.interrupted)
      return {.why = fmt::format("no time was left for {} schedules in the simulator and {} runs on the GPU: give more "
                                 "--budget",
                                 kSchedules, kLaunches)};
    if (!report.skipped.empty()) return {.why = "not run: " + report.skipped};
    if (report.checked() == 0)
      return {.why = report.too_much > 0 ? report.too_much_work : "not modelled: " + report.not_modelled};
  }
  return {.shown = true};
}

std::vector<std::vector<std::int64_t>> shapes_of_instances(const CompiledConfiguration& configuration,
                                                           const Problem& problem, const Device& device) {
  const std::vector<std::int64_t> tile = configuration.kernel->tile(configuration.params);
  std::set<std::string> missing = entries_of(configuration.plan);
  // Choices for each extent: one or three whole tiles, or one element more.
  constexpr std::size_t kChoices = 4;
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < tile.size(); ++i) combinations *= kChoices;
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::size_t k = 0; k < combinations && !missing.empty(); ++k) {
    Problem small = problem;
    std::size_t digits = k;
    for (std::size_t i = 0; i < tile.size(); ++i, digits /= kChoices)
      small.shape[i] = tile[i] * (digits % kChoices < 2 ? 1 : 3) + static_cast<std::int64_t>(digits % 2);
    if (!configuration.kernel->refuses(configuration.params, small, device).empty()) continue;
    const std::set<std::string> found = entries_of(configuration.kernel->plan(configuration.params, small, device));
    if (std::ranges::any_of(found, [&](const std::string& entry) { return missing.contains(entry); }))
      shapes.push_back(small.shape);
    for (const std::string& entry : found) missing.erase(entry);
  }
  return shapes;
}

Certification certify(MeasuringGpu& gpu, const CompiledConfiguration& winner, const Problem& problem,
                      std::uint64_t seed, Budget::End end, const std::atomic<bool>& stop) {
  if (end) end = std::max(*end, Budget::Clock::now() + kLeastTime);
  std::vector<std::vector<std::int64_t>> shapes;
  for (int k = 0; k < kCasesAnInstance; ++k)
    for (auto& shape : shapes_of_instances(winner, problem, gpu.device())) shapes.push_back(std::move(shape));

  Certification result{.on_device = {}, .not_modelled = gpu.cannot_simulate()};
  std::vector<std::future<conformance::PropertyReport>> simulated;
  for (int part = 0; part < kHostParts && result.not_modelled.empty(); ++part) {
    auto cases =
        host_cases(host_target(gpu.device().compute_capability), winner, problem, kHostCases / kHostParts, stop);
    cases.seed += static_cast<std::uint64_t>(part);
    for (std::size_t i = static_cast<std::size_t>(part); i < shapes.size(); i += kHostParts)
      cases.shapes.push_back(shapes[i]);
    cases.deadline = end;
    cases.changes_inputs = !end;
    simulated.push_back(gpu.simulate(*winner.kernel, std::move(cases), worker::Urgency::at_once));
  }
  // After the cases, which it must not hold up where the simulator has few workers.
  std::optional<std::future<Simulated>> traced;
  if (result.not_modelled.empty()) traced = gpu.trace(*winner.kernel, winner.params, problem, end);
  auto cases = device_cases(gpu.device().arch(), winner, problem, kDeviceCases, seed, stop);
  cases.shapes = std::move(shapes);
  cases.deadline = end;
  cases.changes_inputs = !end;
  result.on_device = gpu.run_property(*winner.kernel, cases);
  for (auto& part : simulated) result.on_host.add(part.get());
  if (!simulated.empty()) result.not_modelled = result.on_host.not_modelled;
  // With a budget, nothing waits for it.
  if (traced && (!end || traced->wait_for(std::chrono::seconds(0)) == std::future_status::ready))
    add(result, *winner.kernel, traced->get());
  return result;
}

}  // namespace warpwright::tuner
