// Running callables on a GPU.
#include "kernels/runtime/cuda/callable_runner.hpp"

#include <new>

#include "kernels/system/environment_fault.hpp"

namespace warpwright::gpu {
namespace {

/// To be called in a handler: the exception becomes CallableFailed, with the callable's name, unless the environment is
/// at fault.
[[noreturn]] void rethrow_as_failed(const Callable& callable) {
  try {
    throw;
  } catch (const EnvironmentFault&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failed) {
    throw CallableFailed(callable.name() + ": " + failed.what());
  }
}

}  // namespace

CallableRunner::CallableRunner(const Gpu& gpu, const std::vector<Callable>& callables, const CallableChoice& choice)
    : gpu_(gpu), callable_(find_callable(callables, choice.problem.pattern, choice.name)) {
  try {
    inputs_ = callable_.prepare(
        {.problem = choice.problem, .knobs = choice.knobs, .device = gpu.info().device, .stream = gpu.stream()});
  } catch (const CallableRefusal& refused) {
    throw NotLaunchable(refused.what());
  } catch (...) {
    rethrow_as_failed(callable_);
  }
}

void CallableRunner::bind(const Addresses& addresses) {
  // The driver gives addresses as integers.
  for (const auto& [name, address] : addresses) buffers_[name] = reinterpret_cast<void*>(address);  // NOLINT
}

void CallableRunner::prepare() {
  try {
    inputs_->prepare(gpu_.stream(), buffers_);
  } catch (...) {
    rethrow_as_failed(callable_);
  }
}

void CallableRunner::run_timed() {
  try {
    inputs_->run(gpu_.stream(), buffers_);
  } catch (...) {
    rethrow_as_failed(callable_);
  }
}

}  // namespace warpwright::gpu
