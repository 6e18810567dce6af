// For tests of the simulator: compiles kernels that are given as text, once per text, and runs them.
#pragma once

#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/simulate.hpp"

namespace warpwright::simulator {

/// Schedules that a test runs.
inline constexpr std::uint64_t test_seeds = 40;

/// The device headers of the runtime, from the source tree.
std::map<std::string, std::string> device_headers();

/// The module with these kernels. `text` is the device code after the include of device.cuh; it starts on line 1 of the
/// file "kernel.cuh". Throws std::runtime_error with the compiler's log.
const Module& module_of(const std::string& text, const std::vector<std::string>& entries,
                        const std::vector<std::string>& constants = {});

/// The line number of a marker such as "// HERE" in a kernel's text.
int line_of(const std::string& text, const std::string& marker);

/// The text with the first `what` replaced by `instead`. Throws std::invalid_argument if there is none.
std::string with(std::string text, const std::string& what, const std::string& instead);

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// One launch over buffers that are its pointer arguments, in order, followed by the values.
struct Experiment {
  std::string text, entry;
  Dim3 grid{1, 1, 1}, block{32, 1, 1};
  std::uint32_t shared_bytes = 0;
  bool cooperative = false;
  Dim3 cluster = {};
  int capability = 0;  ///< of the device; 0: that of the options
  std::vector<Buffer> buffers = {};
  std::vector<std::vector<std::byte>> contents = {};
  std::vector<ValueArgument> values = {};

  template <class T>
  Experiment& with(const std::string& name, Role role, ElementType type, const std::vector<T>& data) {
    buffers.push_back({.name = name, .role = role, .type = type, .count = static_cast<std::int64_t>(data.size())});
    contents.push_back(bytes_of(data));
    return *this;
  }

  Plan plan() const;
  /// Runs it; `contents` become the buffers after the kernel.
  Execution run(const SimulationOptions& options = {});
  Execution run(std::uint64_t seed, int resident_blocks = 0);
};

/// A kernel over two inout float buffers, "first" of ones and "second" of twos, of `count` elements; one block.
Experiment two_buffers(const std::string& text, std::uint32_t block, std::size_t count);

/// Expects in each of many schedules that the first finding has this kind and the marker's line. Returns that of the
/// last schedule.
Finding expect_finding(const Experiment& experiment, FindingKind kind, const std::string& marker = "HERE",
                       const SimulationOptions& base = {});

/// A kernel with that body over int buffers: a (inout, ones), b (out), flags (inout, unsigned zeros), s (scratch). The
/// body starts on line 2.
Experiment over_buffers(const std::string& text, Dim3 grid, Dim3 block, std::size_t count = 4096);

/// Expects a race in each of many schedules. Returns the lines of all of them, the smaller one of a pair first.
std::set<std::pair<int, int>> races_of(const Experiment& experiment);

/// Expects no finding in any of many schedules, with as many stale loads as their seeds choose.
void expect_silent(const Experiment& experiment);

/// "kind at line" of each finding, for readable assertions; empty for an execution without findings.
std::string summary_of(const Execution& execution);

}  // namespace warpwright::simulator
