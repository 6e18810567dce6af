// Waiting for a GPU without the turn.
#include "tuner/measuring/rig.hpp"

#include "kernels/system/stop.hpp"

namespace warpwright::tuner {

template <class Call>
auto RigBench::ask(const Call& call) {
  const Pause pause(turn_);
  std::unique_lock<std::mutex> bus(shared_.bus, std::defer_lock);
  if (crosses_bus_) bus.lock();
  try {
    return call();
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& fault) {
    throw GpuLost(fault.what(), std::current_exception());
  }
}

std::vector<std::shared_future<CompiledProgram>> RigBench::compile(const std::vector<Program>& programs) {
  const Pause pause(turn_);
  return bench_.compile(programs);
}

void RigBench::select(const Problem& problem, const std::vector<Input>& inputs) {
  ask([&] { bench_.select(problem, inputs); });
}

gpu::Rates RigBench::ceilings(std::int64_t bytes, std::int64_t bus_bytes) {
  return ask([&] { return bench_.ceilings(bytes, bus_bytes); });
}

worker::TrialReply RigBench::trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) {
  return ask([&] { return bench_.trial(candidate, verify, sampling); });
}

worker::RoundsReply RigBench::rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) {
  return ask([&] { return bench_.rounds(candidates, rounds, seed); });
}

conformance::PropertyReport RigBench::run_property(const Kernel& kernel, const conformance::PropertyOptions& options) {
  return ask([&] { return bench_.run_property(kernel, options); });
}

std::future<conformance::PropertyReport> RigBench::judge(const Kernel& kernel, conformance::PropertyOptions options) {
  return std::async(std::launch::deferred, [this, judged = bench_.judge(kernel, std::move(options)).share()] {
    const Pause pause(turn_);
    return judged.get();
  });
}

std::vector<worker::BaselineInfo> RigBench::callables(const Problem& problem) {
  return ask([&] { return bench_.callables(problem); });
}

std::string RigBench::broken_law(const Problem& problem, const worker::BaselineInfo& offer,
                                 const worker::KnobsInfo& knobs, std::uint64_t seed) {
  return ask([&] { return bench_.broken_law(problem, offer, knobs, seed); });
}

}  // namespace warpwright::tuner
