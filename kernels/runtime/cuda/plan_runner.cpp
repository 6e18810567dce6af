// Running plans on a GPU.
#include "kernels/runtime/cuda/plan_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "kernels/model/signature.hpp"
#include "kernels/runtime/cuda/launch_parts.hpp"

namespace warpwright::gpu {
namespace {

/// Plans with this many launches are replayed as a graph: otherwise gaps between launches would dominate the time.
constexpr std::int64_t kGraphLaunches = 64;
constexpr std::size_t kModulesHeld = 1024;

std::int64_t count_steps(const std::vector<Step>& steps) {
  std::int64_t count = 0;
  for (const Step& step : steps) {
    const auto* repeat = std::get_if<Repeat>(&step.what);
    count += repeat != nullptr ? repeat->times * count_steps(repeat->steps) : 1;
  }
  return count;
}

bool refuses_launch(CUresult result) {
  return result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ||
         result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE || result == CUDA_ERROR_INVALID_CLUSTER_SIZE ||
         result == CUDA_ERROR_NOT_SUPPORTED;
}

/// Values of 8 bytes whose halves differ. The driver splits a pitched memset of many rows into more launches than a
/// stream queues. So only the first values are set that way, and the rest are copied from them.
void set_long_words(CUdeviceptr to, std::uint32_t low, std::uint32_t high, std::size_t count, CUstream stream) {
  constexpr std::size_t kSet = 1U << 15U;
  constexpr std::size_t kBytes = 8;
  std::size_t set = std::min(count, kSet);
  driver().check(driver().set_words_2d(to, kBytes, low, 1, set, stream), "cuMemsetD2D32Async");
  driver().check(driver().set_words_2d(to + kBytes / 2, kBytes, high, 1, set, stream), "cuMemsetD2D32Async");
  while (set < count) {
    const std::size_t more = std::min(set, count - set);
    driver().check(driver().copy(to + set * kBytes, to, more * kBytes, stream), "cuMemcpyAsync");
    set += more;
  }
}

}  // namespace

ModuleCache::~ModuleCache() {
  for (const auto& [path, module] : modules_) driver().unload_module(module);
}

void ModuleCache::trim() {
  if (modules_.size() < kModulesHeld) return;
  for (const auto& [path, module] : modules_) driver().unload_module(module);
  modules_.clear();
}

CUmodule ModuleCache::load(const std::string& path) {
  if (const auto held = modules_.find(path); held != modules_.end()) return held->second;
  std::ifstream file(path, std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  if (image.empty()) throw std::runtime_error("cannot read the compiled module " + path);
  CUmodule module = nullptr;
  driver().check(driver().load_module(&module, image.data()), "cuModuleLoadData");
  return modules_[path] = module;
}

PlanRunner::PlanRunner(const Gpu& gpu, ModuleCache& modules, const Plan& plan, const CompiledProgram& built,
                       Addresses addresses)
    : gpu_(gpu), plan_(plan), addresses_(std::move(addresses)), is_plain_(plan.is_plain()) {
  if (!built.module.empty()) module_ = modules.load(built.module);
  find_launches(built);
  find_constants(built);
  find_host_functions(built);
  make_textures();
  make_streams(plan_.steps);
  const std::span<const Step> steps = plan_.steps;
  const std::span<const Step> timed = timed_part(plan_);
  const auto first = static_cast<std::size_t>(timed.data() - steps.data());
  before_.assign(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(first));
  timed_.assign(timed.begin(), timed.end());
  after_.assign(steps.begin() + static_cast<std::ptrdiff_t>(first + timed.size()), steps.end());
  if (is_plain_ && count_steps(timed_) >= kGraphLaunches) graph_ = captured(1);
}

void PlanRunner::find_host_functions(const CompiledProgram& built) {
  if (host_functions_of(plan_).empty()) return;
  if (built.host_functions.empty()) throw std::runtime_error("the program does not hold the functions of host steps");
  host_functions_.emplace(built.host_functions);
  const std::string unfit =
      argument_mismatch(plan_, [this](const std::string& name) { return host_functions_->signature(name); });
  if (!unfit.empty()) throw NotLaunchable(unfit);
}

void PlanRunner::make_textures() {
  for (const Texture& texture : textures_of(plan_))
    textures_.emplace_back(texture, TextureObject(texture, addresses_.at(texture.buffer)));
}

const TextureObject& PlanRunner::texture_object(const Texture& texture) const {
  for (const auto& [known, object] : textures_)
    if (known == texture) return object;
  throw std::runtime_error("no launch of the plan takes the " + describe(texture));
}

void PlanRunner::make_streams(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (const auto* repeat = std::get_if<Repeat>(&step.what)) make_streams(repeat->steps);
    if (step.stream != 0 && !streams_.contains(step.stream))
      driver().check(driver().create_stream(&streams_[step.stream], CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    for (const std::string& label : step.waits)
      if (!events_.contains(label))
        driver().check(driver().create_event(&events_[label], CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  }
}

CUstream PlanRunner::stream_of(int number) const {
  return number == 0 ? gpu_.stream() : streams_.at(number);
}

void PlanRunner::synchronise_streams() const {
  for (const auto& [number, stream] : streams_) driver().check(driver().synchronize(stream), "cuStreamSynchronize");
  gpu_.synchronize();
}

void PlanRunner::find_launches(const CompiledProgram& built) {
  for (const auto& [launch, times] : launches_of(plan_)) {
    if (functions_.contains(launch.entry)) continue;
    const auto instance = built.instances.find(launch.entry);
    if (instance == built.instances.end()) throw std::runtime_error("the program does not hold " + launch.entry);
    CUfunction function = nullptr;
    driver().check(driver().module_function(&function, module_, instance->second.symbol.c_str()),
                   "cuModuleGetFunction");
    functions_[launch.entry] = function;
    // More than 48 KB must be requested. Static shared memory of the kernel counts too.
    if (launch.shared_bytes == 0) continue;
    const CUresult result = driver().set_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                            static_cast<int>(launch.shared_bytes));
    if (result == CUDA_ERROR_INVALID_VALUE)
      throw NotLaunchable(fmt::format("{} bytes of dynamic shared memory", launch.shared_bytes));
    driver().check(result, "cuFuncSetAttribute");
  }
}

void PlanRunner::find_constants(const CompiledProgram& built) {
  for (const std::string& name : constants_of(plan_)) {
    const auto symbol = built.constants.find(name);
    if (symbol == built.constants.end()) throw std::runtime_error("the program does not hold the constant " + name);
    Constant& constant = constants_[name];
    driver().check(driver().module_global(&constant.address, &constant.bytes, module_, symbol->second.c_str()),
                   "cuModuleGetGlobal");
  }
}

CUgraphExec PlanRunner::captured(int runs) {
  CUgraph graph = nullptr;
  driver().check(driver().begin_capture(gpu_.stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
  try {
    for (int run = 0; run < runs; ++run) run_steps(timed_);
  } catch (...) {
    driver().end_capture(gpu_.stream(), &graph);
    throw;
  }
  driver().check(driver().end_capture(gpu_.stream(), &graph), "cuStreamEndCapture");
  CUgraphExec executable = nullptr;
  const CUresult result = driver().instantiate_graph(&executable, graph, 0);
  driver().destroy_graph(graph);
  driver().check(result, "cuGraphInstantiate");
  return executable;
}

bool PlanRunner::follows_itself() const {
  const auto is_constant = [](const Step& step) { return std::holds_alternative<ConstantUpload>(step.what); };
  return is_plain_ && std::ranges::all_of(before_, is_constant) && after_.empty();
}

void PlanRunner::capture_runs(int runs) {
  runs_graph_ = captured(runs);
}

void PlanRunner::replay_runs() const {
  driver().check(driver().launch_graph(runs_graph_, gpu_.stream()), "cuGraphLaunch");
}

PlanRunner::~PlanRunner() {
  if (!textures_.empty()) {
    // No work may still read them when they are freed.
    for (const auto& [number, stream] : streams_) driver().synchronize(stream);
    driver().synchronize(gpu_.stream());
  }
  for (CUgraphExec graph : {graph_, runs_graph_})
    if (graph != nullptr) driver().destroy_executable_graph(graph);
  for (const auto& [label, event] : events_) driver().destroy_event(event);
  for (const auto& [number, stream] : streams_) driver().destroy_stream(stream);
}

void PlanRunner::prepare() {
  // The other streams and the host begin when all earlier work in the first stream is done.
  if (!is_plain_) gpu_.synchronize();
  run_steps(before_);
}

void PlanRunner::run_timed() {
  if (graph_ != nullptr) {
    driver().check(driver().launch_graph(graph_, gpu_.stream()), "cuGraphLaunch");
    return;
  }
  run_steps(timed_);
  if (!is_plain_) synchronise_streams();
}

void PlanRunner::finish() {
  run_steps(after_);
  if (!is_plain_) synchronise_streams();
}

void PlanRunner::run_timed(StepClock& clock) {
  if (numbers_.empty()) number_steps(timed_);
  run_steps(timed_, &clock);
  if (!is_plain_) synchronise_streams();
}

void PlanRunner::number_steps(const std::vector<Step>& steps) {
  for (const Step& step : steps)
    if (const auto* repeat = std::get_if<Repeat>(&step.what))
      number_steps(repeat->steps);
    else
      numbers_.emplace(&step, numbers_.size());
}

void PlanRunner::run_steps(const std::vector<Step>& steps, StepClock* clock) {
  for (const Step& step : steps) run_step(step, clock);
}

void PlanRunner::run_step(const Step& step, StepClock* const of_steps) {
  const CUstream stream = stream_of(step.stream);
  StepClock* const clock = std::holds_alternative<Repeat>(step.what) ? nullptr : of_steps;
  const CUstream clocked = is_host_step(step) ? nullptr : stream;
  const bool is_wait = std::holds_alternative<Synchronise>(step.what);
  if (clock != nullptr && is_wait) clock->begin(numbers_.at(&step), clocked);
  for (const std::string& label : step.waits)
    if (is_host_step(step))
      driver().check(driver().wait_for_event(events_.at(label)), "cuEventSynchronize");
    else
      driver().check(driver().let_stream_wait(stream, events_.at(label), 0), "cuStreamWaitEvent");
  if (is_wait && step.waits.empty()) synchronise_streams();
  if (clock != nullptr && !is_wait) clock->begin(numbers_.at(&step), clocked);
  std::visit(
      [&](const auto& what) {
        if constexpr (std::is_same_v<std::decay_t<decltype(what)>, Repeat>)
          run_step(what, of_steps);
        else
          run_step(what, stream);
      },
      step.what);
  if (clock != nullptr) clock->end(clocked);
  if (const auto event = events_.find(step.label); event != events_.end())
    driver().check(driver().record_event(event->second, stream), "cuEventRecord");
}

void PlanRunner::run_step(const Repeat& repeat, StepClock* clock) {
  const Addresses outside = addresses_;
  const int outer = iteration_;
  for (std::int64_t i = 0; i < repeat.times; ++i) {
    iteration_ = static_cast<int>(i);
    run_steps(repeat.steps, clock);
    for (const auto& [first, second] : repeat.swaps) std::swap(addresses_.at(first), addresses_.at(second));
  }
  addresses_ = outside;
  iteration_ = outer;
}

void PlanRunner::run_step(const Copy& copy, CUstream stream) {
  const CUdeviceptr from = addresses_.at(copy.from) + static_cast<std::uint64_t>(copy.from_offset);
  const CUdeviceptr to = addresses_.at(copy.to) + static_cast<std::uint64_t>(copy.to_offset);
  const auto bytes = static_cast<std::size_t>(copy.bytes);
  if (bytes == 0) return;
  if (is_plain_)
    driver().check(driver().copy_on_device(to, from, bytes, stream), "cuMemcpyDtoDAsync");
  else
    driver().check(driver().copy(to, from, bytes, stream), "cuMemcpyAsync");
}

void PlanRunner::run_step(const Prefetch& prefetch, CUstream stream) {
  if (prefetch.bytes == 0) return;
  const CUmemLocation where{.type = prefetch.to_host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
                            .id = prefetch.to_host ? 0 : gpu_.info().index};
  const CUresult result =
      driver().prefetch(addresses_.at(prefetch.buffer) + static_cast<std::uint64_t>(prefetch.byte_offset),
                        static_cast<std::size_t>(prefetch.bytes), where, 0, stream);
  if (result == CUDA_ERROR_INVALID_DEVICE || result == CUDA_ERROR_NOT_SUPPORTED)
    throw NotLaunchable("this GPU, or its system, does not prefetch managed memory");
  driver().check(result, "cuMemPrefetchAsync");
}

void PlanRunner::run_step(const HostWork& work, CUstream) {
  Made made;
  host_functions_->call(work.function, arguments_of(work.arguments, made).data());
}

void PlanRunner::run_step(const ConstantUpload& upload, CUstream stream) {
  const Constant& constant = constants_.at(upload.symbol);
  const auto bytes = static_cast<std::size_t>(upload.bytes);
  if (bytes > constant.bytes)
    throw NotLaunchable(
        fmt::format("{} bytes for the constant {} of {} bytes", upload.bytes, upload.symbol, constant.bytes));
  driver().check(driver().copy_on_device(constant.address, addresses_.at(upload.buffer), bytes, stream),
                 "cuMemcpyDtoDAsync");
}

void PlanRunner::run_step(const TextureUpload& upload, CUstream stream) {
  texture_object(upload.texture).fill(addresses_.at(upload.texture.buffer), stream);
}

std::vector<void*> PlanRunner::arguments_of(const std::vector<Argument>& given, Made& made) {
  const auto address = [&](const BufferArgument& pointer) -> std::uint64_t {
    return addresses_.at(pointer.buffer) + static_cast<std::uint64_t>(pointer.byte_offset);
  };
  std::vector<std::uint64_t>& values = made.words;
  values.resize(given.size());
  std::vector<void*> arguments(given.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (const auto* buffer = std::get_if<BufferArgument>(&given[i])) {
      values[i] = address(*buffer);
      arguments[i] = &values[i];
    } else if (const auto* value = std::get_if<ValueArgument>(&given[i]);
               value != nullptr && !value->pointers.empty()) {
      arguments[i] = made.structs.emplace_back(bytes_with_addresses(*value, address)).data();
    } else if (value != nullptr) {
      arguments[i] = const_cast<std::byte*>(value->bytes.data());  // They are only read.
    } else if (const auto* bound = std::get_if<TextureArgument>(&given[i])) {
      values[i] = texture_object(bound->texture).handle();
      arguments[i] = &values[i];
    } else if (const auto* tiled = std::get_if<TensorMapArgument>(&given[i])) {
      arguments[i] = &made.maps.emplace_back(encoded(tiled->map, address(tiled->matrix)));
    } else {
      arguments[i] = &iteration_;
    }
  }
  return arguments;
}

void PlanRunner::run_step(const Launch& launch, CUstream stream) {
  Made made;
  std::vector<void*> arguments = arguments_of(launch.arguments, made);
  std::vector<CUlaunchAttribute> attributes = attributes_of(launch);
  CUlaunchConfig config{.gridDimX = launch.grid.x,
                        .gridDimY = launch.grid.y,
                        .gridDimZ = launch.grid.z,
                        .blockDimX = launch.block.x,
                        .blockDimY = launch.block.y,
                        .blockDimZ = launch.block.z,
                        .sharedMemBytes = launch.shared_bytes,
                        .hStream = stream,
                        .attrs = attributes.data(),
                        .numAttrs = static_cast<unsigned>(attributes.size())};
  CUfunction function = functions_.at(launch.entry);
  const CUresult result = driver().launch_with_attributes(&config, function, arguments.data(), nullptr);
  if (refuses_launch(result)) throw NotLaunchable(DriverError(result, "cuLaunchKernelEx").what());
  driver().check(result, "cuLaunchKernelEx");
}

void PlanRunner::run_step(const Memset& memset, CUstream stream) {
  const CUdeviceptr to = addresses_.at(memset.buffer);
  const auto count = static_cast<std::size_t>(memset.count);
  const Bytes& bytes = memset.value.bytes;
  std::array<std::uint32_t, 2> words{};
  if (bytes.size() > sizeof words) throw std::runtime_error("a memset writes values of 8 bytes at most");
  std::memcpy(words.data(), bytes.data(), bytes.size());
  const auto& [low, high] = words;
  switch (bytes.size()) {
    case 1:
      return driver().check(driver().set_bytes(to, static_cast<unsigned char>(low), count, stream), "cuMemsetD8Async");
    case 2:
      return driver().check(driver().set_halves(to, static_cast<unsigned short>(low), count, stream),
                            "cuMemsetD16Async");
    case 4:
      return driver().check(driver().set_words(to, low, count, stream), "cuMemsetD32Async");
    default:
      if (low == high) return driver().check(driver().set_words(to, low, 2 * count, stream), "cuMemsetD32Async");
      return set_long_words(to, low, high, count, stream);
  }
}

}  // namespace warpwright::gpu
