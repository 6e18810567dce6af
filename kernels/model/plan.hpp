// A plan: what a kernel does for (params, problem, device), as plain data that can be run, timed, costed and printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/model/element_type.hpp"

namespace warpwright {

/// The contents of a buffer.
using Bytes = std::vector<std::byte>;

/// What a buffer is for. `in` must not change; `inout` is restored between runs; `scratch` belongs to the kernel.
enum class Role { in, out, inout, scratch };

struct Buffer {
  std::string name;
  Role role = Role::in;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;  ///< elements
  /// Scratch only: zeroed once when the plan is bound, and left as all zero bits by every run, which is checked. Other
  /// scratch comes with whatever it holds: a plan that needs zeros has a step that writes them, and is timed with it.
  bool self_restoring = false;

  std::int64_t bytes() const { return count * static_cast<std::int64_t>(size_of(type)); }
  /// Whether a run reads what it holds before, and whether it gives what it holds after.
  bool is_input() const { return role == Role::in || role == Role::inout; }
  bool is_output() const { return role == Role::out || role == Role::inout; }
  bool operator==(const Buffer&) const = default;
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// A pointer argument: the address of a buffer of the plan, plus an offset in bytes. The parameter must be a pointer to
/// the buffer's type, and to const for an `in` buffer.
struct BufferArgument {
  std::string buffer;
  std::int64_t byte_offset = 0;
  bool operator==(const BufferArgument&) const = default;
};

/// An argument passed by value: the C++ type of the parameter, and its bytes as the kernel receives them; 4,096 at most
/// for all arguments of a launch together.
struct ValueArgument {
  std::string type;
  Bytes bytes;
  bool operator==(const ValueArgument&) const = default;
};

/// The number of the current iteration of the innermost repeat around the launch, from 0: an int parameter.
struct IndexArgument {
  bool operator==(const IndexArgument&) const = default;
};

using Argument = std::variant<BufferArgument, ValueArgument, IndexArgument>;

Argument pointer_to(std::string buffer, std::int64_t byte_offset = 0);

/// A struct of device code by value; `type` is its full C++ name.
template <class T>
ValueArgument value_of(std::string type, const T& v) {
  static_assert(std::is_trivially_copyable_v<T>);
  ValueArgument argument{.type = std::move(type), .bytes = Bytes(sizeof v)};
  std::memcpy(argument.bytes.data(), &v, sizeof v);
  return argument;
}

ValueArgument value(int v);
ValueArgument value(unsigned v);
ValueArgument value(std::int64_t v);
ValueArgument value(std::uint64_t v);
ValueArgument value(float v);
ValueArgument value(double v);

struct Launch {
  std::string entry;  ///< C++ name expression of the kernel instance
  Dim3 grid, block;
  Dim3 cluster = {};               ///< blocks of a cluster (sm_90 and newer); 1 x 1 x 1: no clusters
  std::uint32_t shared_bytes = 0;  ///< dynamic shared memory
  std::vector<Argument> arguments;
  bool cooperative = false;
  bool operator==(const Launch&) const = default;
};

/// Sets the first `count` elements (of the value's size: 1, 2, 4 or 8 bytes) of a buffer to `value`.
struct Memset {
  std::string buffer;
  std::int64_t count = 0;
  ValueArgument value;
  bool operator==(const Memset&) const = default;
};

/// Copies the first `bytes` bytes of one buffer over another's.
struct Copy {
  std::string from, to;
  std::int64_t bytes = 0;
  bool operator==(const Copy&) const = default;
};

/// Copies the first `bytes` bytes of a buffer into a __constant__ variable of the kernel's device file.
struct ConstantUpload {
  std::string symbol;  ///< its full C++ name, e.g. "warpwright::convolution::filter<float>"
  std::string buffer;
  std::int64_t bytes = 0;
  bool operator==(const ConstantUpload&) const = default;
};

struct Step;

/// Runs its steps `times` times, in order. After each iteration the two buffers of every pair change names: what the
/// steps call `first` is then what they called `second`. Behind the repeat each name means its own buffer again. What
/// ends early returns at once on a flag that its kernels keep in scratch.
struct Repeat {
  std::int64_t times = 0;
  std::vector<Step> steps;
  std::vector<std::pair<std::string, std::string>> swaps = {};
  bool operator==(const Repeat&) const;
};

struct Step {
  std::variant<Launch, Memset, Copy, ConstantUpload, Repeat> what;
  bool timed = true;
  bool operator==(const Step&) const = default;
};

/// The buffers of the problem come first, in the pattern's order; the kernel's scratch follows.
/// An empty problem has no launches.
struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  bool operator==(const Plan&) const = default;

  /// The buffer of that name; throws std::out_of_range.
  const Buffer& buffer(const std::string& name) const;
};

/// A launch step of a plan and how often it runs.
struct PlannedLaunch {
  Launch launch;
  std::int64_t times = 1;
};

/// Every launch step of a plan in order of its first execution, repeats entered once.
std::vector<PlannedLaunch> launches_of(const Plan& plan);

/// The __constant__ variables that a plan writes, each once.
std::vector<std::string> constants_of(const Plan& plan);

/// CUDA threads that one run of the plan starts.
double threads_of(const Plan& plan);

void to_json(nlohmann::json& json, const Buffer& buffer);
void from_json(const nlohmann::json& json, Buffer& buffer);
void to_json(nlohmann::json& json, const ValueArgument& value);
void from_json(const nlohmann::json& json, ValueArgument& value);
void to_json(nlohmann::json& json, const Plan& plan);
/// Throws nlohmann::json::exception for text that is no plan.
void from_json(const nlohmann::json& json, Plan& plan);

/// The plan in words, one step a line, for people.
std::string describe(const Plan& plan);

}  // namespace warpwright
