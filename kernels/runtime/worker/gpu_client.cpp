// Calling a GPU worker.
#include "kernels/runtime/worker/gpu_client.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/runtime/worker/messages.hpp"

namespace warpwright::worker {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kCallLimit{30};

gpu::Outcome lost(const Reply& reply) {
  return {.verdict = verdict_of(reply), .detail = reply.detail, .error_ratio = 0};
}

template <class T>
std::optional<T> optional_of(const json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

}  // namespace

std::vector<gpu::GpuInfo> list_gpus(Process& process) {
  const Reply reply = process.call({{"do", "gpus"}}, kCallLimit);
  if (!reply.ok()) throw std::runtime_error(reply.detail);
  return reply.body.at("gpus");
}

GpuClient::GpuClient(gpu::GpuInfo info, const Built& support, std::filesystem::path program)
    : info_(std::move(info)), support_(support), process_(std::move(program)) {}

void GpuClient::select(std::string key, const gpu::SessionSetup& setup) {
  key_ = std::move(key);
  setup_ = setup;
}

json GpuClient::request(const std::string& what) const {
  return {{"do", what}, {"gpu", info_.index}, {"support", support_}};
}

json GpuClient::call_or_throw(const json& message) {
  const Reply reply = process_.call(message, kCallLimit);
  if (!reply.ok()) throw std::runtime_error("the GPU worker failed: " + reply.detail);
  return reply.body;
}

TrialReply GpuClient::trial(const gpu::Candidate& candidate, bool verify, int samples) {
  json message = request("trial");
  message.update(
      {{"setup_key", key_}, {"setup", setup_}, {"candidate", candidate}, {"verify", verify}, {"samples", samples}});
  const Reply reply = process_.call(message, kCallLimit);
  if (!reply.ok()) return {.outcome = lost(reply), .samples = {}};
  TrialReply trial{.outcome = reply.body.at("outcome"), .samples = reply.body.at("samples")};
  if (trial.outcome.damaged) process_.kill();
  return trial;
}

RoundsReply GpuClient::rounds(const std::vector<gpu::Candidate>& candidates, int count, std::uint64_t seed) {
  json message = request("rounds");
  message.update(
      {{"setup_key", key_}, {"setup", setup_}, {"candidates", candidates}, {"rounds", count}, {"seed", seed}});
  const Reply reply = process_.call(message, kCallLimit);
  if (!reply.ok()) return {.outcomes = std::vector(candidates.size(), lost(reply)), .samples = {}};
  RoundsReply measured{.outcomes = reply.body.at("outcomes"), .samples = reply.body.at("samples")};
  if (std::ranges::any_of(measured.outcomes, &gpu::Outcome::damaged)) process_.kill();
  return measured;
}

std::vector<CallableOffer> GpuClient::callables(const Problem& problem) {
  return call_or_throw({{"do", "callables"}, {"problem", problem_text(problem)}, {"device", info_.device}})
      .at("callables");
}

std::vector<Bytes> GpuClient::run_callable(const gpu::CallableChoice& choice, const std::vector<Buffer>& buffers,
                                           const std::vector<Bytes>& inputs, std::uint8_t poison) {
  gpu::Candidate candidate;
  candidate.callable = choice;
  json message = request("run_callable");
  message.update({{"candidate", candidate}, {"buffers", buffers}, {"inputs", bytes_json(inputs)}, {"poison", poison}});
  return bytes_of(call_or_throw(message).at("outputs"));
}

gpu::Ceilings GpuClient::ceilings(std::int64_t bytes) {
  json message = request("ceilings");
  message.update({{"bytes", bytes}, {"samples", 7}});
  const json body = call_or_throw(message);
  return {.copy_gbs = body.at("copy_gbs"), .read_gbs = body.at("read_gbs")};
}

double GpuClient::sensor_ratio() {
  return call_or_throw(request("sensor_ratio")).at("ratio");
}

gpu::Sensors GpuClient::sensors() {
  const json body = call_or_throw({{"do", "sensors"}, {"uuid", info_.uuid}});
  return {.driver = body.at("driver"),
          .power_w = optional_of<double>(body.at("power_w")),
          .temperature_c = optional_of<double>(body.at("temperature_c")),
          .sm_clock_mhz = optional_of<double>(body.at("sm_clock_mhz")),
          .other_processes = optional_of<int>(body.at("other_processes")),
          .throttle_reasons = body.at("throttled")};
}

}  // namespace warpwright::worker
