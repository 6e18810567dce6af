// A queue of property tests on the host.
#include "tuner/measuring/sample_check.hpp"

#include "kernels/core/target.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kCases = 6;  ///< of a configuration

}  // namespace

SampleCheck::SampleCheck(MeasuringGpu& bench, const Catalogue& catalogue, const Problem& problem, Budget::End end,
                         const std::atomic<bool>& stop)
    : bench_(bench),
      catalogue_(catalogue),
      problem_(problem),
      end_(end),
      stop_(stop),
      judges_(bench.cannot_simulate().empty()) {}

void SampleCheck::expect(std::span<const std::pair<const Kernel*, Point>> configurations) {
  if (!judges_ || configurations.empty()) return;
  const Device& host = host_device(host_target(bench_.device().compute_capability));
  std::vector<Program> programs;
  for (const auto& [kernel, params] : configurations)
    programs.push_back(conformance::program_for(catalogue_, *kernel, params, problem_, host));
  bench_.compile_for_simulator(programs);
}

void SampleCheck::add(const CompiledConfiguration& prepared, std::size_t order) {
  if (!judges_ || is_over(end_)) return;
  auto cases = host_cases(host_target(bench_.device().compute_capability), prepared, problem_, kCases, stop_);
  cases.deadline = end_;
  on_their_way_.push_back({order, bench_.judge(*prepared.kernel, std::move(cases))});
}

std::optional<SampleCheck::Simulated> SampleCheck::next() {
  if (on_their_way_.empty()) return std::nullopt;
  OnItsWay& first = on_their_way_.front();
  if (first.report.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return std::nullopt;
  Simulated judged{.order = first.order, .report = first.report.get()};
  on_their_way_.pop_front();
  return judged;
}

void SampleCheck::wait(std::chrono::milliseconds most) const {
  if (expects()) on_their_way_.front().report.wait_for(most);
}

}  // namespace warpwright::tuner
