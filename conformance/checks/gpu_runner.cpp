// Runs cases on a GPU.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/case_runner.hpp"
#include "conformance/checks/problem_setup.hpp"
#include "conformance/checks/run_plan.hpp"
#include "kernels/runtime/client/gpu_client.hpp"
#include "kernels/runtime/messages/support_program.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {
namespace {

/// Slower than any GPU: the time beyond a run's time limit is computed from its steps at this rate.
constexpr double kStepsPerSecond = 1e9;

class GpuRunner : public CaseRunner {
 public:
  GpuRunner(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler, const GpuTarget& gpu)
      : catalogue_(catalogue), process_(process), compiler_(compiler), gpu_(gpu) {}

  const Device& device(const std::string& target) const override {
    if (is_host(target)) throw std::invalid_argument("a case for " + target + " does not run on a GPU");
    return gpu_.device;
  }

  RunResult run(RunRequest request) override {
    auto answered = process_.call(worker::RunPlan{.gpu = gpu_.index,
                                                  .plan = request.compiled.plan,
                                                  .program = request.compiled.program,
                                                  .buffers = std::move(request.buffers),
                                                  .runs = request.runs},
                                  gpu_time_limit(request.steps * request.runs, request.limits), request.limits.believe);
    if (answered.status == worker::CallStatus::refused) throw std::runtime_error(answered.detail);
    if (!answered.ok()) return {.verdict = answered.verdict(), .detail = answered.detail};
    RunResult done{.verdict = answered.reply.verdict,
                   .detail = std::move(answered.reply.detail),
                   .buffers = std::move(answered.reply.buffers),
                   .runs = answered.reply.runs};
    if (!answered.reply.other.empty()) done.others.push_back(std::move(answered.reply.other));
    return done;
  }

  std::map<std::string, Bytes> run_plan(const worker::CompiledPlan& compiled, const std::vector<Bytes>& inputs,
                                        const Device&) override {
    return run_plan_on_gpu(process_, gpu_.index, compiled.plan, compiled.program, inputs);
  }

  /// With inputs made on the GPU.
  std::optional<CaseResult> check_by_reference(const Case& test) override {
    const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
    const Device device = device_for(test, gpu_.device);
    const auto [plan, built, refusal] =
        worker::compile_plan(compiler_, test.target, test.kernel->plan(test.params, test.problem, device),
                             program_for(catalogue_, *test.kernel, test.params, test.problem, device));
    if (!refusal.empty()) return CaseResult{.verdict = Verdict::not_compiled, .detail = refusal};
    const CompiledProgram support =
        compiled_or_throw(compiler_, device, gpu::support_program(problem_types(pattern, test.problem, device)),
                          "the runtime's device code");
    gpu::GpuInfo info;
    info.device = device;
    info.index = gpu_.index;
    worker::GpuClient client(info, support);
    client.select("", problem_setup(pattern, test.problem, {test.input}, device, compiler_),
                  slow_bus_us(pattern.work(test.problem)));
    const double depth = test.kernel->depth(test.params, test.problem, device);
    const gpu::Outcome outcome =
        client
            .trial({.plan = plan,
                    .built = built,
                    .bounds = problem_bounds(pattern, test.problem, device, {test.input}, depth)},
                   true, {.count = 0})
            .outcome;
    return CaseResult{.verdict = outcome.verdict,
                      .detail = outcome.detail,
                      .error_ratio = outcome.error_ratio,
                      .accuracy = outcome.accuracy};
  }

 private:
  const Catalogue& catalogue_;
  worker::Process& process_;
  worker::Compiler& compiler_;
  const GpuTarget gpu_;
};

}  // namespace

std::chrono::milliseconds gpu_time_limit(double steps, const RunLimits& limits) {
  return std::min(
      time_factor * (limits.on_device + std::chrono::milliseconds(std::llround(1000 * steps / kStepsPerSecond))),
      limits.most_time);
}

std::unique_ptr<CaseRunner> gpu_runner(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler,
                                       const GpuTarget& gpu) {
  return std::make_unique<GpuRunner>(catalogue, process, compiler, gpu);
}

}  // namespace warpwright::conformance
