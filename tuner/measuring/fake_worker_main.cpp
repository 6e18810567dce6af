// For tests: a worker that pretends to have GPUs. It compiles and simulates like the real one. A fake GPU copies inputs
// to outputs, and its times depend on what is launched. WARPWRIGHT_FAKE_GPUS names the boards ("H200,H200").
// WARPWRIGHT_FAKE_FOLDER is a folder for lists of the requests. WARPWRIGHT_FAKE_LOST says which GPU is lost: "1:5" is
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
#include "kernels/runtime/messages/build_id.hpp"
#include "kernels/runtime/messages/channel.hpp"
#include "kernels/runtime/messages/messages.hpp"
#include "kernels/runtime/worker/answer.hpp"

namespace {

using namespace warpwright;
using nlohmann::json;
namespace fs = std::filesystem;

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

json gpus() {
  json found = json::array();
  std::istringstream models(setting("WARPWRIGHT_FAKE_GPUS"));
  int index = 0;
  for (std::string model; std::getline(models, model, ','); ++index)
    found.push_back(gpu::GpuInfo{
        .device = find_board(model).device,
        .index = index,
        .uuid = fs::path(setting("WARPWRIGHT_FAKE_FOLDER")).filename().string() + "-" + std::to_string(index),
        .driver_version = "13.0"});
  return {{"gpus", found}};
}

/// Keeps a line for the request; says whether the GPU is lost by now.
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
      fs::create_hard_link(mark.string() + mine, mark, is_there);  // of several at once one
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

/// Above what the memory of any board allows for the tests' problem; the same for the same launch.
double time_of(const json& candidate) {
  const std::string hash = hash_text(candidate.at("plan").dump());
  return 2000 + static_cast<double>(std::stoul(hash.substr(0, 4), nullptr, 16) % 1000);
}

json sample_of(const json& candidate) {
  return gpu::Sample{.microseconds = time_of(candidate), .sm_clock_mhz = 0};
}

json outcome() {
  return gpu::Outcome{.error_ratio = 0, .mode = "fake"};
}

json trial(const json& request) {
  const std::string takes = setting("WARPWRIGHT_FAKE_MS");
  std::this_thread::sleep_for(std::chrono::milliseconds(takes.empty() ? 20 : std::stoi(takes)));
  return {{"outcome", outcome()},
          {"samples",
           json(std::vector<json>(request.at("samples").get<std::size_t>(), sample_of(request.at("candidate"))))}};
}

json rounds(const json& request) {
  json row = json::array(), outcomes = json::array(), all = json::array();
  for (const json& candidate : request.at("candidates")) {
    row.push_back(sample_of(candidate));
    outcomes.push_back(outcome());
  }
  for (int k = 0; k < request.at("rounds").get<int>(); ++k) all.push_back(row);
  return {{"outcomes", outcomes}, {"samples", all}};
}

/// Every output is the input.
json run(const json& request) {
  const Plan plan = request.at("plan");
  std::vector<Bytes> buffers = worker::bytes_of(request.at("buffers"));
  for (std::size_t to = 0; to < buffers.size(); ++to)
    for (std::size_t from = 0; from < buffers.size(); ++from)
      if (plan.buffers[to].role == Role::out && plan.buffers[from].role == Role::in) {
        const std::size_t size = buffers[to].size();
        buffers[to] = buffers[from];
        buffers[to].resize(size);
      }
  return {{"verdict", Verdict::passed}, {"detail", ""}, {"buffers", worker::bytes_json(buffers)}};
}

json answer(worker::Answers& answers, const json& request) {
  const std::string what = request.at("do");
  if (what == "gpus") return gpus();
  if (what == "sensors")
    return {{"driver", "580"},         {"power_w", nullptr},         {"temperature_c", nullptr},
            {"sm_clock_mhz", nullptr}, {"other_processes", nullptr}, {"throttled", ""}};
  if (!request.contains("gpu")) return answers.answer(request);
  if (is_lost(request.at("gpu"), what)) return {{"machine", "the GPU has fallen off the bus"}};
  if (what == "sensor_ratio") return {{"ratio", 2.0}};
  if (what == "ceilings")
    return {{"copy_gbs", 4000},     {"read_gbs", 4200},   {"float_gflops", 1e4},
            {"double_gflops", 1e4}, {"to_device_gbs", 0}, {"to_host_gbs", 0}};
  if (what == "select") return {{"reference_us", 100.0}};
  if (what == "trial") return trial(request);
  if (what == "rounds") return rounds(request);
  if (what == "run") return run(request);
  return {{"refused", "no GPU can do that here: " + what}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const int socket = std::atoi(argv[1]);
  worker::Answers answers;
  if (worker::send_message(socket, {{"build", worker::build_id()}}) != worker::ChannelStatus::done) return 0;
  json request;
  while (worker::receive_message(socket, request) == worker::ChannelStatus::done)
    if (worker::send_message(socket, answer(answers, request)) != worker::ChannelStatus::done) break;
  return 0;
}
