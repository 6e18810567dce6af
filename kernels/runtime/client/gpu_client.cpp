// Calling a GPU worker.
#include "kernels/runtime/client/gpu_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/runtime/messages/messages.hpp"
#include "kernels/runtime/messages/reply.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kCallLimit{30};

/// A configuration whose runs take a hundred times as long as the reference's hangs, or as good as.
constexpr double kTimesReference = 100;
constexpr std::chrono::milliseconds kLeastLimit{1000};

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

GpuClient::GpuClient(gpu::GpuInfo info, const CompiledProgram& support, std::filesystem::path program, const Stop& stop)
    : info_(std::move(info)), support_(support), process_(std::move(program), stop) {}

void GpuClient::select(std::string key, const gpu::ProblemSetup& setup, double more_us) {
  if (key != key_) ready_worker_ = 0;
  key_ = std::move(key);
  setup_ = setup;
  more_us_ = more_us;
  inputs_ = static_cast<int>(setup.inputs.size());
}

void GpuClient::prepare() {
  if (ready_worker_ != 0 && ready_worker_ == process_.worker_number()) return;
  json message = request("select");
  message["setup"] = setup_;
  reference_us_ = call_or_throw(message).at("reference_us");
  ready_worker_ = process_.worker_number();
}

Reply GpuClient::call_prepared(const json& message, int runs, std::chrono::milliseconds least) {
  // A second worker has the problem set up before it is asked, so that neither's limit counts for that.
  int losses = 0;
  int replaced = 0;
  while (true) {
    prepare();
    const auto limit = std::max(least, std::chrono::milliseconds(static_cast<std::int64_t>(
                                           kTimesReference * (reference_us_ + more_us_) * runs / 1e3)));
    Reply reply = process_.call(message, limit, Process::Believe::first_loss);
    const bool is_answer = reply.ok() || reply.status == Reply::Status::refused;
    if (!is_answer && ++losses < 2) continue;
    if (!is_answer || process_.worker_number() == ready_worker_) return reply;
    // The machine took the worker in between, and the one that answered knows no problem.
    if (++replaced == 2)
      throw EnvironmentFault(fmt::format("the GPU worker was lost again and again: {}", process_.last_fault()));
  }
}

json GpuClient::request(const std::string& what) const {
  return {{"do", what}, {"gpu", info_.index}, {"support", support_}};
}

json GpuClient::call_or_throw(const json& message) {
  const Reply reply = process_.call(message, kCallLimit);
  if (!reply.ok()) throw std::runtime_error("the GPU worker failed: " + reply.detail);
  return reply.body;
}

TrialReply GpuClient::trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) {
  json message{
      {"do", "trial"}, {"gpu", info_.index}, {"candidate", candidate}, {"verify", verify}, {"samples", sampling.count}};
  if (std::isfinite(sampling.far_us)) message["far_us"] = sampling.far_us;
  if (std::isfinite(sampling.hopeless_us)) message["hopeless_us"] = sampling.hopeless_us;
  const Reply reply = call_prepared(message, (verify ? inputs_ : 0) + sampling.count, kLeastLimit);
  if (!reply.ok()) return {.outcome = lost(reply), .samples = {}};
  TrialReply trial{.outcome = reply.body.at("outcome"), .samples = reply.body.at("samples")};
  if (trial.outcome.damaged) process_.kill();
  return trial;
}

RoundsReply GpuClient::rounds(const std::vector<gpu::Candidate>& candidates, int count, std::uint64_t seed) {
  const json message{
      {"do", "rounds"}, {"gpu", info_.index}, {"candidates", candidates}, {"rounds", count}, {"seed", seed}};
  const Reply reply = call_prepared(message, count * static_cast<int>(candidates.size()), kCallLimit);
  if (!reply.ok()) return {.outcomes = std::vector(candidates.size(), lost(reply)), .samples = {}};
  RoundsReply measured{.outcomes = reply.body.at("outcomes"), .samples = reply.body.at("samples")};
  if (std::ranges::any_of(measured.outcomes, &gpu::Outcome::damaged)) process_.kill();
  return measured;
}

std::vector<BaselineInfo> GpuClient::callables(const Problem& problem) {
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

gpu::Rates GpuClient::ceilings(std::int64_t bytes, std::int64_t bus_bytes) {
  ready_worker_ = 0;  // the session's buffers make room
  json message = request("ceilings");
  message.update({{"bytes", bytes}, {"bus_bytes", bus_bytes}, {"samples", 7}});
  const json body = call_or_throw(message);
  return {.copy_gbs = body.at("copy_gbs"),
          .read_gbs = body.at("read_gbs"),
          .float_gflops = body.at("float_gflops"),
          .double_gflops = body.at("double_gflops"),
          .bus = {.to_device_gbs = body.at("to_device_gbs"), .to_host_gbs = body.at("to_host_gbs")}};
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
