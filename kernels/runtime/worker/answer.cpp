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
#include <optional>
#include <system_error>

#include "kernels/core/hash.hpp"
#include "kernels/core/target.hpp"
#include "kernels/runtime/cuda/device_linker.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/host_steps/host_functions.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/module/compile_host_functions.hpp"
#include "kernels/runtime/simulator/module/compiler_log.hpp"
#include "kernels/runtime/simulator/simulate_all.hpp"
#include "kernels/runtime/worker/gpu_answers.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::worker {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Bytes bytes_of_text(std::string_view text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

CompiledModule compile_for_host(const Compile& asked) {
  const bool host_functions = asked.target == kHostFunctionsTarget;
  simulator::CompileRequest request{
      .sources = asked.sources,
      .headers = {},
      .entries = {},
      .constants = {},
      .contraction = std::ranges::all_of(asked.programs, &Program::contraction),
      .architecture = host_functions ? default_architecture : architecture_of(asked.target)};
  CompiledModule compiled;
  const auto ask_for = [](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Program& program : asked.programs) {
    for (const std::string& header : program.with) ask_for(request.headers, header);
    ask_for(request.headers, program.source);
    if (!program.definitions.empty()) request.definitions[program.source] = program.definitions;
    auto& instances = compiled.instances.emplace_back();
    for (const std::string& entry : program.entries) {
      ask_for(request.entries, entry);
      instances[entry] = {.symbol = entry, .resources = {}, .code_hash = {}};
    }
    auto& constants = compiled.constants.emplace_back();
    for (const std::string& constant : program.constants) {
      ask_for(request.constants, constant);
      constants[constant] = constant;
    }
  }
  const TemporaryFolder folder;
  const std::filesystem::path output = folder / "module.so";
  const simulator::CompileResult result =
      host_functions ? simulator::compile_host_functions(request, output) : simulator::compile(request, output);
  if (!result.ok())
    return {.ok = false,
            .log = result.log,
            .diagnosed = result.status == simulator::CompileStatus::failed,
            .missing_header = result.missing_header};
  compiled.ok = true;
  compiled.log = fmt::format("{}", fmt::join(simulator::uninitialised_locals(result.log), "\n"));
  compiled.image = bytes_of_text(content_of(output));
  return compiled;
}

CompiledModule compile_for_gpu(const Compile& asked) {
  gpu::Cubin cubin = gpu::Nvrtc().compile(asked.sources, asked.programs, asked.target, asked.try_quickly);
  return {.ok = cubin.ok,
          .log = std::move(cubin.log),
          .diagnosed = cubin.diagnosed,
          .image = bytes_of_text(cubin.image),
          .instances = std::move(cubin.instances),
          .constants = std::move(cubin.constants)};
}

/// Fingerprint of the running program: failures cached by another program are tried again.
const std::string& own_fingerprint() {
  static const std::string fingerprint = hash_text(content_of("/proc/self/exe"));
  return fingerprint;
}

}  // namespace

/// Loaded modules by path, since loading costs more than most cases.
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

Toolchain Answers::reply_to(const Describe&) const {
  Toolchain tools{.host_fingerprint = simulator::toolchain_fingerprint(),
                  .host_functions_fingerprint = simulator::host_functions_fingerprint(),
                  .host_error = simulator::no_compiler(),
                  .program_fingerprint = own_fingerprint()};
  try {
    const gpu::Nvrtc nvrtc;
    tools.nvrtc_version = nvrtc.version();
    tools.nvrtc_fingerprint = nvrtc.fingerprint();
    tools.architectures = nvrtc.architectures();
  } catch (const std::exception& missing) {
    tools.nvrtc_error = missing.what();
  }
  try {
    tools.linker_fingerprint = gpu::DeviceLinker().fingerprint();
  } catch (const EnvironmentFault& missing) {
    tools.linker_error = missing.what();
  }
  return tools;
}

CompiledModule Answers::reply_to(const Compile& request) const {
  return is_host(request.target) || request.target == kHostFunctionsTarget ? compile_for_host(request)
                                                                           : compile_for_gpu(request);
}

Simulated Answers::reply_to(Simulate& request) {
  if (request.options.sampled_blocks > 0)
    return {.execution = simulator::simulate_blocks(request.plan, host_modules_->at(request.module), request.pages,
                                                    request.options),
            .buffers = {}};
  std::optional<simulator::HostFunctions> functions;
  if (!request.host_functions.empty()) functions.emplace(request.host_functions);
  const auto simulate = request.options.explored > 0 ? simulator::simulate_all : simulator::simulate;
  Simulated simulated{.execution = simulate(request.plan, host_modules_->at(request.module), request.buffers,
                                            request.options, functions ? &*functions : nullptr),
                      .buffers = std::move(request.buffers)};
  // The parent already has the buffers that were only read.
  for (std::size_t i = 0; i < simulated.buffers.size(); ++i)
    if (request.plan.buffers[i].role == Role::in) simulated.buffers[i].clear();
  return simulated;
}

std::vector<BaselineInfo> Answers::reply_to(const ListCallables& request) const {
  const std::optional<Problem>& problem = request.problem;
  std::vector<BaselineInfo> all;
  for (const Callable& callable : callables_) {
    if (problem && (callable.pattern != problem->pattern || (callable.missing.empty() && !callable.supports(*problem))))
      continue;
    BaselineInfo& info = all.emplace_back(BaselineInfo{.pattern = callable.pattern,
                                                       .implementation = callable.implementation,
                                                       .idiom = callable.idiom,
                                                       .version = callable.version,
                                                       .missing = callable.missing,
                                                       .synchronises = callable.synchronises,
                                                       .observation = callable.observation,
                                                       .has_oracle = callable.has_oracle,
                                                       .laws = callable.laws,
                                                       .knobs = {}});
    if (!problem || !callable.missing.empty()) continue;
    for (const Point& point : callable.knobs.points({.types = problem->types, .device = request.device}))
      info.knobs.push_back({.knobs = point,
                            .text = point.empty() ? "" : callable.knobs.text(point),
                            .depth = callable.depth(*problem, point, request.device),
                            .is_default = point == callable.default_knobs});
  }
  return all;
}

Answer Answers::answer(Request request) {
  return std::visit(
      [this]<class R>(R& one) {
        constexpr std::in_place_type_t<typename R::Reply> kReply;
        if constexpr (requires { this->reply_to(one); }) {
          return Answer(kReply, reply_to(one));
        } else {
          if (!gpu_) gpu_ = std::make_unique<GpuAnswers>(callables_);
          return Answer(kReply, gpu_->reply_to(one));
        }
      },
      request);
}

Answer answer_of(const std::function<Answer()>& work) {
  try {
    return work();
  } catch (const EnvironmentFault& fault) {
    return EnvironmentFailed{fault.what()};
  } catch (const std::bad_alloc&) {
    return EnvironmentFailed{"a worker ran out of memory: free some, or run less at once"};
  } catch (const std::system_error& refused) {
    return EnvironmentFailed{
        fmt::format("the system refused a worker something: {}: see free memory, df and ulimit -a", refused.what())};
  } catch (const simulator::ModuleError& damaged) {
    return EnvironmentFailed{fmt::format("a compiled module cannot be loaded: {}", damaged.what())};
  } catch (const gpu::DriverError& error) {
    return Refused{.reason = error.what(), .is_fatal = true};
  } catch (const gpu::CallableFailed& error) {
    return Refused{.reason = error.what(), .is_fatal = true};
  } catch (const std::exception& error) {
    return Refused{.reason = error.what()};
  }
}

void serve(int socket, const std::function<Answer(Request)>& answer) {
  // The greeting tells the parent that the program was loaded and started, and from which build it is.
  if (send_message(socket, greeting()) != ChannelStatus::done) return;
  Message message;
  while (receive_message(socket, message) == ChannelStatus::done)
    if (send_message(socket, encode(answer_of([&] { return answer(decode_request(message)); }))) != ChannelStatus::done)
      return;
}

namespace {

/// Answers the requests in a file, one after another, up to one that is refused: for runs under a tool that watches a
/// whole process. Returns 0 if none was.
int answer_file(const std::string& path) {
  if (!std::ifstream(path)) {
    fmt::print(stderr, "worker: cannot read {}\n", path);
    return 2;
  }
  const std::string content = content_of(path);
  Answers answers;
  for (Request& request : decode_requests({content.begin(), content.end()})) {
    const Answer answer = answer_of([&] { return answers.answer(std::move(request)); });
    std::string failure;
    if (const auto* refused = std::get_if<Refused>(&answer)) failure = refused->reason;
    if (const auto* failed = std::get_if<EnvironmentFailed>(&answer)) failure = failed->reason;
    if (failure.empty()) continue;
    fmt::print(stderr, "worker: {}\n", failure);
    return 1;
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
  Answers answers(std::move(callables));
  serve(std::atoi(argv[1]), [&](Request request) { return answers.answer(std::move(request)); });
  return 0;
}

}  // namespace warpwright::worker
