// Helpers for the replies of a GPU.
#include "tuner/measuring/measuring_gpu.hpp"

#include <algorithm>

namespace warpwright::tuner {

std::vector<double> times_of(const std::vector<gpu::Sample>& samples) {
  std::vector<double> times;
  for (const gpu::Sample& sample : samples) times.push_back(sample.microseconds);
  return times;
}

worker::RoundsReply blamed_rounds(MeasuringGpu& gpu, const std::vector<gpu::Candidate>& candidates, int rounds,
                                  std::uint64_t seed) {
  worker::RoundsReply reply = gpu.rounds(candidates, rounds, seed);
  if (!reply.samples.empty() || candidates.size() < 2) return reply;
  std::vector<gpu::Outcome> alone;
  for (const gpu::Candidate& candidate : candidates)
    alone.push_back(gpu.rounds({candidate}, rounds, seed).outcomes.front());
  if (std::ranges::any_of(alone, [](const gpu::Outcome& outcome) { return outcome.verdict != Verdict::passed; }))
    reply.outcomes = std::move(alone);
  return reply;
}

}  // namespace warpwright::tuner
