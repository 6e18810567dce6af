// A queue of property tests that run in the simulator.
#include "tuner/measuring/sample_check.hpp"

#include "conformance/checks/case_plan.hpp"
#include "kernels/core/target.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kCases = 6;  ///< of a configuration

}  // namespace

SampleCheck::SampleCheck(MeasuringGpu& simulator, const Catalogue& catalogue, const Problem& problem,
                         const std::atomic<bool>& stop)
    : simulator_(simulator),
      catalogue_(catalogue),
      problem_(problem),
      stop_(stop),
      can_check_(simulator.cannot_simulate().empty()) {}

void SampleCheck::expect(std::span<const std::pair<const Kernel*, Point>> configurations, worker::Urgency urgency) {
  if (!can_check_ || configurations.empty()) return;
  const Device& host = host_device(host_target(simulator_.device().compute_capability));
  std::vector<Program> programs;
  for (const auto& [kernel, params] : configurations)
    programs.push_back(conformance::program_for(catalogue_, *kernel, params, problem_, host));
  simulator_.compile_for_simulator(programs, urgency);
}

void SampleCheck::add(const CompiledConfiguration& configuration, std::size_t order, Budget::End end) {
  if (!can_check_ || is_over(end)) return;
  auto cases = host_cases(host_target(simulator_.device().compute_capability), configuration, problem_, kCases, stop_);
  cases.deadline = end;
  running_.push_back({order, simulator_.simulate(*configuration.kernel, std::move(cases), worker::Urgency::usual)});
}

std::optional<SampleCheck::Checked> SampleCheck::next() {
  if (running_.empty()) return std::nullopt;
  RunningCheck& first = running_.front();
  if (first.report.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return std::nullopt;
  Checked checked{.order = first.order, .report = first.report.get()};
  running_.pop_front();
  return checked;
}

std::function<void(std::chrono::milliseconds)> SampleCheck::until_next() const {
  return [report = running_.front().report](std::chrono::milliseconds most) { report.wait_for(most); };
}

}  // namespace warpwright::tuner
