// A callable: a host function run(stream, buffers) that solves a pattern's problem, such as a call of a library, with
// knobs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/problem.hpp"
#include "kernels/model/space.hpp"

struct CUstream_st;

namespace warpwright {

/// The type of both CUstream and cudaStream_t. Null if the callable runs on the CPU.
using Stream = CUstream_st*;

/// Addresses of the pattern's buffers by name, and of "scratch" if the callable asked for it.
using CallableBuffers = std::map<std::string, void*>;

/// Thrown by `prepare` if the library or the device does not accept the knobs.
class CallableRefusal : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

/// A callable with its problem and knobs, ready to run.
class PreparedCallable {
 public:
  PreparedCallable() = default;
  virtual ~PreparedCallable() = default;
  PreparedCallable(const PreparedCallable&) = delete;
  PreparedCallable& operator=(const PreparedCallable&) = delete;

  /// Size in bytes of the "scratch" buffer that `run` needs.
  virtual std::int64_t scratch_bytes() const { return 0; }
  /// Enqueues the work that is not timed, before each run: what the problem takes as given, such as lists of
  /// neighbours. Kernels have untimed steps for it.
  virtual void prepare(Stream /*stream*/, const CallableBuffers& /*buffers*/) {}
  /// Enqueues all of the timed work into the stream.
  virtual void run(Stream stream, const CallableBuffers& buffers) = 0;
};

/// What a callable is prepared for.
struct CallableRequest {
  const Problem& problem;
  const Point& knobs;
  const Device& device;
  Stream stream;
};

struct Callable {
  std::string pattern;
  std::string implementation = {};  ///< "cub", "thrust", "cublas", "kokkos"
  std::string idiom = {};           ///< one of several ways to use it: "device_reduce", "mdrange"
  std::string version = {};
  std::string missing = {};            ///< why it cannot be used on this machine; empty if it can
  Space knobs = {};                    ///< without axes: one point without coordinates
  Point default_knobs = {};            ///< what the library uses by default
  bool synchronises = false;           ///< waits for the device, so it is timed by the CPU's clock
  std::string observation = {};        ///< the pattern's observation for its outputs; empty: the first
  bool has_oracle = true;              ///< false: only laws can check it (a library has random numbers of its own)
  std::vector<std::string> laws = {};  ///< the pattern's laws that it must satisfy
  std::function<bool(const Problem&)> supports;
  /// Roundings on the longest path from an input to an output, as for a kernel; 0 if it only moves or compares values.
  std::function<double(const Problem&, const Point&, const Device&)> depth =
      [](const Problem& /*problem*/, const Point& /*knobs*/, const Device& /*device*/) { return 0.0; };
  /// Throws CallableRefusal. The stream belongs to the current device.
  std::function<std::unique_ptr<PreparedCallable>(const CallableRequest&)> prepare = {};

  /// "kokkos/mdrange"
  std::string name() const { return implementation + "/" + idiom; }
};

/// Makes a prepared callable from two functions (stream, buffers): of the untimed and of the timed work.
template <class Before, class Run>
std::unique_ptr<PreparedCallable> make_prepared_after(Before before, Run run, std::int64_t scratch_bytes = 0) {
  class Made : public PreparedCallable {
   public:
    Made(Before untimed, Run timed, std::int64_t bytes)
        : before_(std::move(untimed)), run_(std::move(timed)), bytes_(bytes) {}
    std::int64_t scratch_bytes() const override { return bytes_; }
    void prepare(Stream stream, const CallableBuffers& buffers) override { before_(stream, buffers); }
    void run(Stream stream, const CallableBuffers& buffers) override { run_(stream, buffers); }

   private:
    Before before_;
    Run run_;
    std::int64_t bytes_;
  };
  return std::make_unique<Made>(std::move(before), std::move(run), scratch_bytes);
}

/// Makes a prepared callable whose work is all timed.
template <class Run>
std::unique_ptr<PreparedCallable> make_prepared(Run run, std::int64_t scratch_bytes = 0) {
  return make_prepared_after([](Stream, const CallableBuffers&) {}, std::move(run), scratch_bytes);
}

/// The callable of that pattern and name. Throws std::invalid_argument with the known names.
const Callable& find_callable(const std::vector<Callable>& callables, const std::string& pattern,
                              const std::string& name);

/// The callables of this program. The build generates this function for the baselines worker and for the test of the
/// Kokkos ports.
std::vector<Callable> callables();

}  // namespace warpwright
