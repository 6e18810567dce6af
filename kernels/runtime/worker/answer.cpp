// Answering the requests of the parent.
#include "kernels/runtime/worker/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "kernels/core/hash.hpp"
#include "kernels/core/target.hpp"
#include "kernels/runtime/cuda/device_linker.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/host_steps/host_functions.hpp"
#include "kernels/runtime/messages/build_id.hpp"
#include "kernels/runtime/messages/callable_offer.hpp"
#include "kernels/runtime/messages/channel.hpp"
#include "kernels/runtime/messages/messages.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/module/compile_host_functions.hpp"
#include "kernels/runtime/simulator/simulate.hpp"
#include "kernels/runtime/worker/gpu_answers.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::worker {
namespace {

using nlohmann::json;

json refusal(const std::string& reason) {
  return {{"refused", reason}};
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

json compile_for_host(const SourceTree& sources, const std::vector<Program>& programs, const std::string& target) {
  const bool host_functions = target == kHostFunctionsTarget;
  simulator::CompileRequest request{.sources = sources,
                                    .headers = {},
                                    .entries = {},
                                    .constants = {},
                                    .architecture = host_functions ? default_architecture : architecture_of(target)};
  json instances = json::array();
  json constants = json::array();
  const auto ask_for = [](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Program& program : programs) {
    for (const std::string& header : program.with) ask_for(request.headers, header);
    ask_for(request.headers, program.source);
    if (!program.definitions.empty()) request.definitions[program.source] = program.definitions;
    std::map<std::string, Instance> instances_of_program;
    for (const std::string& entry : program.entries) {
      ask_for(request.entries, entry);
      instances_of_program[entry] = {.symbol = entry, .resources = {}, .code_hash = {}};
    }
    instances.push_back(instances_of_program);
    std::map<std::string, std::string> constants_of_program;
    for (const std::string& constant : program.constants) {
      ask_for(request.constants, constant);
      constants_of_program[constant] = constant;
    }
    constants.push_back(constants_of_program);
  }
  const TemporaryFolder folder;
  const std::filesystem::path output = folder / "module.so";
  const simulator::CompileResult result =
      host_functions ? simulator::compile_host_functions(request, output) : simulator::compile(request, output);
  if (!result.ok())
    return {{"ok", false}, {"log", result.log}, {"diagnosed", result.status == simulator::CompileStatus::failed}};
  const std::string log = fmt::format("{}", fmt::join(simulator::uninitialised_locals(result.log), "\n"));
  const std::string image = content_of(output);
  return {{"ok", true},
          {"log", log},
          {"image", json::binary(std::vector<std::uint8_t>(image.begin(), image.end()))},
          {"instances", instances},
          {"constants", constants}};
}

json compile_for_gpu(const SourceTree& sources, const std::vector<Program>& programs, const std::string& target) {
  const gpu::Cubin cubin = gpu::Nvrtc().compile(sources, programs, target);
  if (!cubin.ok) return {{"ok", false}, {"log", cubin.log}, {"diagnosed", cubin.diagnosed}};
  return {{"ok", true},
          {"log", cubin.log},
          {"image", json::binary(std::vector<std::uint8_t>(cubin.image.begin(), cubin.image.end()))},
          {"instances", cubin.instances},
          {"constants", cubin.constants}};
}

json machine_answer(const std::string& what) {
  return {{"machine", what}};
}

/// Of the running program: what one of them found that another was wrong about, is asked again.
const std::string& own_fingerprint() {
  static const std::string fingerprint = hash_text(content_of("/proc/self/exe"));
  return fingerprint;
}

/// Those that the request's problem can be given to, with what depends on it; all of them when it names none.
json callables_for(const std::vector<Callable>& callables, const json& request) {
  std::vector<BaselineInfo> offers;
  if (!request.contains("problem")) {
    for (const Callable& callable : callables) offers.push_back(offer(callable));
    return offers;
  }
  const Problem problem = parse_problem(request.at("problem").get<std::string>());
  for (const Callable& callable : callables)
    if (callable.pattern == problem.pattern && (!callable.missing.empty() || callable.supports(problem)))
      offers.push_back(offer(callable, problem, request.at("device")));
  return offers;
}

}  // namespace

/// Loaded modules by path: loading costs more than most cases.
struct Answers::HostModules {
  std::map<std::string, simulator::Module> loaded;

  const simulator::Module& at(const std::string& path) {
    constexpr std::size_t kHeld = 64;
    if (const auto found = loaded.find(path); found != loaded.end()) return found->second;
    if (loaded.size() >= kHeld) loaded.clear();
    return loaded.emplace(path, simulator::Module(path)).first->second;
  }
};

Answers::Answers(std::vector<Callable> callables)
    : callables_(std::move(callables)), host_modules_(std::make_unique<HostModules>()) {}
Answers::~Answers() = default;

json Answers::describe() const {
  const std::string host_fingerprint = simulator::toolchain_fingerprint();
  json body{{"nvrtc_version", ""},
            {"nvrtc_fingerprint", ""},
            {"nvrtc_error", ""},
            {"architectures", json::array()},
            {"linker_fingerprint", ""},
            {"linker_error", ""},
            {"host_fingerprint", host_fingerprint},
            {"host_functions_fingerprint", simulator::host_functions_fingerprint()},
            {"host_error", ""},
            {"program_fingerprint", own_fingerprint()}};
  try {
    const gpu::Nvrtc nvrtc;
    body["nvrtc_version"] = nvrtc.version();
    body["nvrtc_fingerprint"] = nvrtc.fingerprint();
    body["architectures"] = nvrtc.architectures();
  } catch (const std::exception& missing) {
    body["nvrtc_error"] = missing.what();
  }
  try {
    body["linker_fingerprint"] = gpu::DeviceLinker().fingerprint();
  } catch (const EnvironmentFault& missing) {
    body["linker_error"] = missing.what();
  }
  body["host_error"] = simulator::no_compiler();
  return body;
}

json Answers::compile(const json& request) const {
  const SourceTree sources = request.at("sources");
  const std::vector<Program> programs = request.at("programs");
  const std::string target = request.at("target");
  return is_host(target) || target == kHostFunctionsTarget ? compile_for_host(sources, programs, target)
                                                           : compile_for_gpu(sources, programs, target);
}

json Answers::judge(const json& request) {
  const Plan plan = request.at("plan");
  std::vector<Bytes> buffers = bytes_of(request.at("buffers"));
  simulator::SimulationOptions options{.device = request.at("device").get<Device>(),
                                       .schedule = {.seed = request.at("schedule_seed"),
                                                    .resident_blocks = request.at("resident_blocks"),
                                                    .stale_loads = request.value("stale_reads", 0u),
                                                    .stale_end = request.value("stale_end", 0u)},
                                       .limits = {}};
  options.limits.steps = request.at("steps");
  options.limits.blocks = request.value("blocks", options.limits.blocks);
  options.count_accesses = request.at("count_accesses");
  options.lenient = request.value("lenient", options.lenient);
  if (const int poison = request.value("poison", -1); poison >= 0) options.poison = poison;
  std::optional<simulator::HostFunctions> functions;
  if (const std::string path = request.value("host_functions", ""); !path.empty())
    options.host_functions = &functions.emplace(path);
  const simulator::Execution execution =
      simulator::simulate(plan, host_modules_->at(request.at("module")), buffers, options);
  // What was read and not written, the asker has.
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (plan.buffers[i].role == Role::in) buffers[i].clear();
  json findings = json::array();
  for (const simulator::Finding& finding : execution.findings)
    findings.push_back({{"kind", finding.kind}, {"text", simulator::describe(finding)}, {"finding", finding}});
  json allowed = json::array();
  for (const auto& [rule, finding] : execution.allowed)
    allowed.push_back({{"rule", rule},
                       {"text", simulator::describe(finding)},
                       {"finding", finding},
                       {"place", fmt::format("{}:{} {}:{}", finding.place.file, finding.place.line, finding.other.file,
                                             finding.other.line)}});
  return {{"findings", findings},
          {"allowed", allowed},
          {"buffers", bytes_json(buffers)},
          {"access", execution.access},
          {"lines", execution.lines},
          {"launches", execution.launches},
          {"launch_threads", execution.launch_threads},
          {"launch_atomics", execution.launch_atomics},
          {"threads", execution.threads},
          {"steps", execution.thread_steps},
          {"noted", execution.noted()}};
}

json Answers::gpu_request(const json& request) {
  if (!gpu_) gpu_ = std::make_unique<GpuAnswers>(callables_);
  return gpu_->answer(request);
}

json Answers::answer(const json& request) {
  try {
    const std::string what = request.at("do");
    if (what == "describe") return describe();
    if (what == "compile") return compile(request);
    if (what == "judge") return judge(request);
    if (what == "callables") return {{"callables", callables_for(callables_, request)}};
    return gpu_request(request);
  } catch (const EnvironmentFault& fault) {
    return machine_answer(fault.what());
  } catch (const std::bad_alloc&) {
    return machine_answer("a worker ran out of memory: free some, or run less at once");
  } catch (const std::system_error& refused) {
    return machine_answer(
        fmt::format("the system refused a worker something: {}: see free memory, df and ulimit -a", refused.what()));
  } catch (const simulator::ModuleError& damaged) {
    return machine_answer(fmt::format("a compiled module cannot be loaded: {}", damaged.what()));
  } catch (const gpu::DriverError& error) {
    return {{"refused", error.what()}, {"fatal", true}};
  } catch (const gpu::CallableFailed& error) {
    return {{"refused", error.what()}, {"fatal", true}};
  } catch (const std::exception& error) {
    return refusal(error.what());
  }
}

namespace {

/// Answers the requests of a CBOR array in a file, one after another, up to one that is refused: for runs under a tool
/// that watches a whole process. Returns 0 when none was.
int answer_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fmt::print(stderr, "worker: cannot read {}\n", path);
    return 2;
  }
  Answers answers;
  for (const json& request : json::from_cbor(file)) {
    const json answer = answers.answer(request);
    for (const char* const why : {"refused", "machine"})
      if (answer.contains(why)) {
        fmt::print(stderr, "worker: {}\n", answer.at(why).get<std::string>());
        return 1;
      }
  }
  return 0;
}

}  // namespace

int worker_main(int argc, char** argv, std::vector<Callable> callables) {
  if (argc == 3 && std::string_view(argv[1]) == "--answer") return answer_file(argv[2]);
  if (argc != 2) {
    std::fprintf(stderr, "%s is started by tune and conform; run one of these instead\n", argv[0]);
    return 2;
  }
  const int socket = std::atoi(argv[1]);
  Answers answers(std::move(callables));
  // The greeting tells the parent that the program could be loaded and began, and of what build it is.
  if (send_message(socket, {{"build", build_id()}}) != ChannelStatus::done) return 0;
  json request;
  while (receive_message(socket, request) == ChannelStatus::done)
    if (send_message(socket, answers.answer(request)) != ChannelStatus::done) break;
  return 0;
}

}  // namespace warpwright::worker
