// For tests: a worker that pretends to have GPUs. It compiles and simulates like the real one. A fake GPU copies inputs
// to outputs, and its times depend on what is launched, unless WARPWRIGHT_FAKE_US says how long each run takes.
// WARPWRIGHT_FAKE_GPUS names the boards ("H200,H200").
// WARPWRIGHT_FAKE_FOLDER is a folder for lists of the requests. With WARPWRIGHT_FAKE_ENERGY they have an
// energy counter. WARPWRIGHT_FAKE_LOST says which GPU is lost: "1:5" is
// GPU 1 after 5 requests, "first:run" the first GPU that gets the request "run".
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "kernels/core/boards.hpp"
#include "kernels/core/hash.hpp"
#include "kernels/runtime/messages/requests.hpp"
#include "kernels/runtime/worker/answer.hpp"

namespace {

using namespace warpwright;
using namespace warpwright::worker;
namespace fs = std::filesystem;

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Records the request; returns whether the GPU is lost by now.
bool is_lost(int gpu, const std::string& what) {
  const fs::path list = fs::path(setting("WARPWRIGHT_FAKE_FOLDER")) / ("gpu" + std::to_string(gpu));
  std::ofstream(list, std::ios::app) << what << "\n";
  const std::string lost = setting("WARPWRIGHT_FAKE_LOST");
  const std::size_t colon = lost.find(':');
  if (colon == std::string::npos) return false;
  if (lost.starts_with("first:")) {
    const fs::path mark = list.parent_path() / "lost";
    const std::string mine = std::to_string(gpu);
    if (what == lost.substr(colon + 1)) {
      std::ofstream own(mark.string() + mine);
      own << mine;
      own.close();
      std::error_code is_there;
      fs::create_hard_link(mark.string() + mine, mark, is_there);  // only one of several succeeds
    }
    std::string who;
    std::getline(std::ifstream(mark) >> std::ws, who);
    return who == mine;
  }
  if (std::stoi(lost) != gpu) return false;
  std::ifstream file(list);
  const auto asked = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  return asked > std::stoi(lost.substr(colon + 1));
}

/// A time above the speed of light of the tests' problem on any board; the same for the same launch.
gpu::Sample sample_of(const gpu::Candidate& candidate) {
  if (const std::string us = setting("WARPWRIGHT_FAKE_US"); !us.empty()) return {.microseconds = std::stod(us)};
  const std::string hash = hash_text(nlohmann::json(candidate.plan).dump());
  return {.microseconds = 2000 + static_cast<double>(std::stoul(hash.substr(0, 4), nullptr, 16) % 1000)};
}

const gpu::Outcome fake_outcome{.error_ratio = 0, .mode = "fake"};

std::vector<gpu::GpuInfo> reply_to(const ListGpus&) {
  std::vector<gpu::GpuInfo> found;
  std::istringstream models(setting("WARPWRIGHT_FAKE_GPUS"));
  int index = 0;
  for (std::string model; std::getline(models, model, ','); ++index)
    found.push_back(
        {.device = find_board(model).device,
         .index = index,
         .uuid = fs::path(setting("WARPWRIGHT_FAKE_FOLDER")).filename().string() + "-" + std::to_string(index),
         .driver_version = "13.0"});
  return found;
}

gpu::Sensors reply_to(const ReadSensors&) {
  gpu::Sensors sensors;
  sensors.driver = "580";
  sensors.counts_energy = !setting("WARPWRIGHT_FAKE_ENERGY").empty();
  return sensors;
}

SensorRatio reply_to(const MeasureSensorRatio&) {
  return {.ratio = 2};
}

gpu::Rates reply_to(const MeasureRates&) {
  return {.copy_gbs = 4000, .read_gbs = 4200, .float_gflops = 1e4, .double_gflops = 1e4};
}

ProblemReady reply_to(const SelectProblem&) {
  return {.reference_us = 100};
}

TrialReply reply_to(const Trial& request) {
  // Takes time as on a GPU, so that other GPUs get work too, and a test can interrupt or kill a run.
  const std::string takes = setting("WARPWRIGHT_FAKE_MS");
  std::this_thread::sleep_for(std::chrono::milliseconds(takes.empty() ? 20 : std::stoi(takes)));
  return {.outcome = fake_outcome,
          .samples = std::vector(static_cast<std::size_t>(request.sampling.count), sample_of(request.candidate))};
}

RoundsReply reply_to(const Rounds& request) {
  std::vector<gpu::Sample> row;
  for (const gpu::Candidate& candidate : request.candidates) row.push_back(sample_of(candidate));
  return {.outcomes = std::vector(row.size(), fake_outcome),
          .samples = std::vector(static_cast<std::size_t>(request.rounds), row)};
}

StepsReply reply_to(const TimeSteps& request) {
  StepsReply reply{.steps = gpu::timed_steps(request.candidate.plan)};
  for (gpu::StepTime& step : reply.steps) step.end_us = step.us = sample_of(request.candidate).microseconds;
  return reply;
}

/// The slower, the less energy.
gpu::Repeated reply_to(const RepeatRuns& request) {
  if (!request.has_energy || setting("WARPWRIGHT_FAKE_ENERGY").empty()) return {};
  return {.joules = 1 / sample_of(request.candidate).microseconds, .replay_us = {}};
}

/// Copies the input to every output.
PlanResult reply_to(const RunPlan& request) {
  PlanResult result;
  result.runs = request.runs;
  result.buffers = request.buffers;
  for (std::size_t to = 0; to < result.buffers.size(); ++to)
    for (std::size_t from = 0; from < result.buffers.size(); ++from)
      if (request.plan.buffers[to].role == Role::out && request.plan.buffers[from].role == Role::in) {
        const std::size_t size = result.buffers[to].size();
        result.buffers[to] = result.buffers[from];
        result.buffers[to].resize(size);
      }
  return result;
}

/// The names in the list of requests.
template <class R>
constexpr const char* word = "other";
template <>
constexpr const char* word<Trial> = "trial";
template <>
constexpr const char* word<Rounds> = "rounds";
template <>
constexpr const char* word<RunPlan> = "run";

Answer answer(Answers& real, Request request) {
  return std::visit(
      [&]<class R>(R& one) -> Answer {
        constexpr bool on_gpu = requires {
          one.gpu;
        };
        if constexpr (on_gpu)
          if (is_lost(one.gpu, word<R>)) return EnvironmentFailed{"the GPU has fallen off the bus"};
        if constexpr (requires { reply_to(one); })
          return Answer(std::in_place_type<typename R::Reply>, reply_to(one));
        else if constexpr (on_gpu)
          return Refused{.reason = "no GPU can do that here"};
        else
          return real.answer(std::move(one));
      },
      request);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  Answers real;
  serve(std::atoi(argv[1]), [&](Request request) { return answer(real, std::move(request)); });
  return 0;
}
