// Asking a worker.
#include "tuner/measuring/worker_gpu.hpp"

#include "conformance/checks/problem_setup.hpp"
#include "tuner/tasks/simulator_checks.hpp"
#include "tuner/measuring/compile_ahead.hpp"

namespace warpwright::tuner {

std::vector<std::shared_future<Built>> WorkerBench::compile(const std::vector<Program>& programs) {
  return shop_.compiler.compile(shop_.device.arch(), programs);
}

void WorkerBench::select(const Problem& problem, const std::vector<Input>& inputs) {
  std::string key = problem_text(problem);
  for (const Input& input : inputs) key += " " + input_text(input);
  const Pattern& pattern = shop_.catalogue.pattern(problem.pattern);
  client_.select(std::move(key), conformance::session_setup(pattern, problem, inputs, shop_.device, shop_.compiler),
                 conformance::slow_bus_us(pattern.work(problem)));
}

worker::TrialReply WorkerBench::trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) {
  return client_.trial(candidate, verify, sampling);
}

worker::RoundsReply WorkerBench::rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) {
  return client_.rounds(candidates, rounds, seed);
}

conformance::PropertyReport WorkerBench::run_property(const Kernel& kernel,
                                                      const conformance::PropertyOptions& options) {
  conformance::Checker checker(shop_.catalogue, client_.process(), shop_.compiler, conformance::Checker::Compile::ahead,
                               conformance::Checker::GpuTarget{.device = shop_.device, .index = client_.info().index});
  return conformance::run_property(shop_.catalogue, checker, kernel, options);
}

std::string WorkerBench::cannot_judge() const {
  return tuner::cannot_judge(shop_);
}

void WorkerBench::compile_for_judge(const std::vector<Program>& programs) {
  shop_.compiler.compile(shop_.host(), programs);
}

std::future<conformance::PropertyReport> WorkerBench::judge(const Kernel& kernel,
                                                            conformance::PropertyOptions options) {
  return shop_.pool.submit([&shop = shop_, &kernel, options = std::move(options)](worker::Process& process) {
    conformance::Checker checker = host_checker(shop, process);
    return conformance::run_property(shop.catalogue, checker, kernel, options);
  });
}

std::string WorkerBench::broken_law(const Problem& problem, const worker::CallableOffer& offer,
                                    const worker::KnobsOffer& knobs, std::uint64_t seed) {
  return tuner::broken_law(shop_, client_, problem, offer, knobs, seed);
}

}  // namespace warpwright::tuner
