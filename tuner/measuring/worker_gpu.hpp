// The GPU of a worker, with the workshop's compiler.
#pragma once

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

class WorkerBench : public GpuBench {
 public:
  /// Both must outlive it, the workshop also its pool; the client's GPU is the workshop's device.
  WorkerBench(const Workshop& shop, worker::GpuClient& client) : shop_(shop), client_(client) {}

  const Device& device() const override { return shop_.device; }
  std::vector<std::shared_future<Built>> compile(const std::vector<Program>& programs) override;
  void give_up(const std::vector<Program>& programs) override { shop_.compiler.give_up(shop_.device.arch(), programs); }
  std::size_t compilers() const override { return shop_.pool.size(); }
  void select(const Problem& problem, const std::vector<Input>& inputs) override;
  gpu::Ceilings ceilings(std::int64_t bytes, std::int64_t bus_bytes) override {
    return client_.ceilings(bytes, bus_bytes);
  }
  worker::TrialReply trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) override;
  worker::RoundsReply rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) override;
  conformance::PropertyReport run_property(const Kernel& kernel, const conformance::PropertyOptions& options) override;
  std::string cannot_judge() const override;
  void compile_for_judge(const std::vector<Program>& programs) override;
  std::future<conformance::PropertyReport> judge(const Kernel& kernel, conformance::PropertyOptions options) override;
  std::vector<worker::CallableOffer> callables(const Problem& problem) override { return client_.callables(problem); }
  std::string broken_law(const Problem& problem, const worker::CallableOffer& offer, const worker::KnobsOffer& knobs,
                         std::uint64_t seed) override;

 private:
  const Workshop& shop_;
  worker::GpuClient& client_;
};

}  // namespace warpwright::tuner
