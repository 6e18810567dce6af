// Running plans on a GPU.
#include "kernels/runtime/cuda/plan_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace warpwright::gpu {
namespace {

/// From this many launches on, the gaps between them would be timed rather than the work.
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
         result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE || result == CUDA_ERROR_NOT_SUPPORTED;
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

PlanRunner::PlanRunner(const Gpu& gpu, ModuleCache& modules, const Plan& plan, const Built& built, Addresses addresses)
    : gpu_(gpu), plan_(plan), addresses_(std::move(addresses)) {
  for (const Launch& launch : launches_of(plan_)) {
    if (functions_.contains(launch.entry)) continue;
    const auto instance = built.instances.find(launch.entry);
    if (instance == built.instances.end()) throw std::runtime_error("the program does not hold " + launch.entry);
    module_ = modules.load(built.module);
    CUfunction function = nullptr;
    driver().check(driver().module_function(&function, module_, instance->second.symbol.c_str()),
                   "cuModuleGetFunction");
    functions_[launch.entry] = function;
    constexpr std::uint32_t kWithoutOptIn = 48 * 1024;
    if (launch.shared_bytes > kWithoutOptIn) {
      const CUresult result = driver().set_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                              static_cast<int>(launch.shared_bytes));
      if (result == CUDA_ERROR_INVALID_VALUE)
        throw NotLaunchable(fmt::format("{} bytes of dynamic shared memory", launch.shared_bytes));
      driver().check(result, "cuFuncSetAttribute");
    }
  }
  const auto is_timed = [](const Step& step) { return step.timed; };
  const auto first = std::ranges::find_if(plan_.steps, is_timed);
  const auto last = std::find_if(plan_.steps.rbegin(), std::make_reverse_iterator(first), is_timed).base();
  before_.assign(plan_.steps.begin(), first);
  timed_.assign(first, last);
  after_.assign(last, plan_.steps.end());

  if (count_steps(timed_) >= kGraphLaunches) {
    CUgraph graph = nullptr;
    driver().check(driver().begin_capture(gpu_.stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
    try {
      run_steps(timed_);
    } catch (...) {
      driver().end_capture(gpu_.stream(), &graph);
      throw;
    }
    driver().check(driver().end_capture(gpu_.stream(), &graph), "cuStreamEndCapture");
    const CUresult result = driver().instantiate_graph(&graph_, graph, 0);
    driver().destroy_graph(graph);
    driver().check(result, "cuGraphInstantiate");
  }
}

PlanRunner::~PlanRunner() {
  if (graph_ != nullptr) driver().destroy_executable_graph(graph_);
}

void PlanRunner::prepare() {
  for (const Buffer& buffer : plan_.buffers)
    if (buffer.zeroed && buffer.count > 0)
      driver().check(
          driver().set_bytes(addresses_.at(buffer.name), 0, static_cast<std::size_t>(buffer.bytes()), gpu_.stream()),
          "cuMemsetD8Async");
  run_steps(before_);
}

void PlanRunner::run_timed() {
  if (graph_ == nullptr) return run_steps(timed_);
  driver().check(driver().launch_graph(graph_, gpu_.stream()), "cuGraphLaunch");
}

void PlanRunner::finish() {
  run_steps(after_);
}

void PlanRunner::run_steps(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step.what)) {
      run_launch(*launch);
    } else if (const auto* memset = std::get_if<Memset>(&step.what)) {
      run_memset(*memset);
    } else if (const auto* copy = std::get_if<Copy>(&step.what)) {
      driver().check(driver().copy_on_device(addresses_.at(copy->to), addresses_.at(copy->from),
                                             static_cast<std::size_t>(copy->bytes), gpu_.stream()),
                     "cuMemcpyDtoDAsync");
    } else if (const auto* upload = std::get_if<ConstantUpload>(&step.what)) {
      CUdeviceptr symbol = 0;
      std::size_t size = 0;
      driver().check(driver().module_global(&symbol, &size, module_, upload->symbol.c_str()), "cuModuleGetGlobal");
      driver().check(driver().copy_on_device(symbol, addresses_.at(upload->buffer),
                                             static_cast<std::size_t>(upload->bytes), gpu_.stream()),
                     "cuMemcpyDtoDAsync");
    } else {
      const auto& repeat = std::get<Repeat>(step.what);
      for (std::int64_t i = 0; i < repeat.times; ++i) run_steps(repeat.steps);
    }
  }
}

void PlanRunner::run_launch(const Launch& launch) {
  std::vector<std::uint64_t> values(launch.arguments.size());
  std::vector<void*> pointers(launch.arguments.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i]))
      values[i] = addresses_.at(buffer->buffer) + static_cast<std::uint64_t>(buffer->byte_offset);
    else
      std::memcpy(&values[i], std::get<ValueArgument>(launch.arguments[i]).bytes.data(), sizeof values[i]);
    pointers[i] = &values[i];
  }
  CUfunction function = functions_.at(launch.entry);
  const auto& [grid, block] = std::pair(launch.grid, launch.block);
  const CUresult result = launch.cooperative
                              ? driver().launch_cooperative(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                            launch.shared_bytes, gpu_.stream(), pointers.data())
                              : driver().launch(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                launch.shared_bytes, gpu_.stream(), pointers.data(), nullptr);
  if (refuses_launch(result)) throw NotLaunchable(DriverError(result, "cuLaunchKernel").what());
  driver().check(result, "cuLaunchKernel");
}

void PlanRunner::run_memset(const Memset& memset) {
  const CUdeviceptr to = addresses_.at(memset.buffer);
  const auto count = static_cast<std::size_t>(memset.count);
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::memcpy(&low, memset.value.bytes.data(), sizeof low);
  std::memcpy(&high, memset.value.bytes.data() + sizeof low, sizeof high);
  switch (size_of(memset.value.type)) {
    case 1:
      return driver().check(driver().set_bytes(to, static_cast<unsigned char>(low), count, gpu_.stream()),
                            "cuMemsetD8Async");
    case 4:
      return driver().check(driver().set_words(to, low, count, gpu_.stream()), "cuMemsetD32Async");
    default:
      driver().check(driver().set_words_2d(to, 8, low, 1, count, gpu_.stream()), "cuMemsetD2D32Async");
      driver().check(driver().set_words_2d(to + 4, 8, high, 1, count, gpu_.stream()), "cuMemsetD2D32Async");
  }
}

}  // namespace warpwright::gpu
