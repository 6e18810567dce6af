// A callable: a library's own solution of a pattern's problem, run(stream, buffers), with the knobs that it has.
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

/// CUstream and cudaStream_t alike; null where the callable runs on the host.
using Stream = CUstream_st*;

/// Addresses by the names of the pattern's buffers; "scratch" where the callable asked for some.
using CallableBuffers = std::map<std::string, void*>;

/// Thrown by `prepare` for knobs that the library or the device does not take.
class CallableRefusal : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

/// A callable bound to a problem and to knobs.
class PreparedCallable {
 public:
  PreparedCallable() = default;
  virtual ~PreparedCallable() = default;
  PreparedCallable(const PreparedCallable&) = delete;
  PreparedCallable& operator=(const PreparedCallable&) = delete;

  /// Bytes of the buffer "scratch" that `run` wants.
  virtual std::int64_t scratch_bytes() const { return 0; }
  /// Puts all of the work into the stream.
  virtual void run(Stream stream, const CallableBuffers& buffers) = 0;
};

/// What one run of a callable is for.
struct CallableRequest {
  const Problem& problem;
  const Point& knobs;
  const Device& device;
  Stream stream;
};

struct Callable {
  std::string pattern;
  std::string implementation;  ///< "cub", "thrust", "cublas", "kokkos"
  std::string idiom;           ///< which of several ways to say it: "device_reduce", "mdrange"
  std::string version;
  std::string missing = {};      ///< why it cannot be used on this machine; empty when it can
  Space knobs = {};              ///< no axes: one point without coordinates
  Point default_knobs = {};      ///< what the library takes by itself
  bool synchronises = false;     ///< waits for the device: timed by the host's clock
  std::string observation = {};  ///< the pattern's that it is held to; empty: the one of kernels
  bool has_oracle = true;        ///< false: only the laws say what is right (a library's random numbers are its own)
  std::vector<std::string> laws = {};  ///< of the pattern, that it is held to
  std::function<bool(const Problem&)> supports;
  /// Roundings on the longest path from an input to an output, as for a kernel.
  std::function<double(const Problem&, const Point&, const Device&)> depth;
  /// Throws CallableRefusal. The stream is one of the current device's.
  std::function<std::unique_ptr<PreparedCallable>(const CallableRequest&)> prepare;

  /// "kokkos/mdrange"
  std::string name() const { return implementation + "/" + idiom; }
};

/// A callable's function as an object: `Run` is called with (stream, buffers).
template <class Run>
std::unique_ptr<PreparedCallable> make_prepared(Run run, std::int64_t scratch_bytes = 0) {
  class Made : public PreparedCallable {
   public:
    Made(Run made, std::int64_t bytes) : run_(std::move(made)), bytes_(bytes) {}
    std::int64_t scratch_bytes() const override { return bytes_; }
    void run(Stream stream, const CallableBuffers& buffers) override { run_(stream, buffers); }

   private:
    Run run_;
    std::int64_t bytes_;
  };
  return std::make_unique<Made>(std::move(run), scratch_bytes);
}

/// The callable of that pattern and name; throws std::invalid_argument with the list of known names.
const Callable& find_callable(const std::vector<Callable>& callables, const std::string& pattern,
                              const std::string& name);

/// Those of this program: generated for a baselines worker and for the test of the ports.
std::vector<Callable> callables();

}  // namespace warpwright
