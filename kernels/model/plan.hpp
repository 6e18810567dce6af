// A plan: what a kernel does for (params, problem, device), as plain data that can be run, timed, costed and printed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "kernels/model/element_type.hpp"

namespace warpwright {

/// What a buffer is for. `in` must not change; `inout` is restored between runs; `scratch` belongs to the kernel.
enum class Role { in, out, inout, scratch };

/// What the contents of an in or inout buffer are drawn for: to be added, compared or moved, or to be multiplied, where
/// no product of any of them, in any order, overflows or underflows unless a special value is among them.
enum class Values { terms, factors };

struct Buffer {
  std::string name;
  Role role = Role::in;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;  ///< elements
  bool zeroed = false;     ///< scratch only: all bits zero before every run (outside the timed steps)
  Values values = Values::terms;

  std::int64_t bytes() const { return count * static_cast<std::int64_t>(size_of(type)); }
  bool operator==(const Buffer&) const = default;
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// A pointer argument: the address of a buffer of the plan, plus an offset in bytes.
struct BufferArgument {
  std::string buffer;
  std::int64_t byte_offset = 0;
  bool operator==(const BufferArgument&) const = default;
};

/// An argument passed by value: its bytes as the kernel receives them.
struct ValueArgument {
  ElementType type = ElementType::i64;
  std::array<std::byte, 8> bytes{};
  bool operator==(const ValueArgument&) const = default;
};

using Argument = std::variant<BufferArgument, ValueArgument>;

Argument pointer_to(std::string buffer, std::int64_t byte_offset = 0);
ValueArgument value(int v);
ValueArgument value(std::int64_t v);
ValueArgument value(float v);
ValueArgument value(double v);

struct Launch {
  std::string entry;  ///< C++ name expression of the kernel instance
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< dynamic shared memory
  std::vector<Argument> arguments;
  bool cooperative = false;
  bool operator==(const Launch&) const = default;
};

/// Sets the first `count` elements (of the value's size) of a buffer to `value`.
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

/// Copies the first `bytes` bytes of a buffer into the __constant__ variable of that name.
struct ConstantUpload {
  std::string symbol, buffer;
  std::int64_t bytes = 0;
  bool operator==(const ConstantUpload&) const = default;
};

struct Step;

/// Runs its steps `times` times, in order.
struct Repeat {
  std::int64_t times = 0;
  std::vector<Step> steps;
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

/// Every launch of a plan in order of its first execution, repeats entered once.
std::vector<Launch> launches_of(const Plan& plan);

void to_json(nlohmann::json& json, const Buffer& buffer);
void from_json(const nlohmann::json& json, Buffer& buffer);
void to_json(nlohmann::json& json, const Plan& plan);
/// Throws nlohmann::json::exception for text that is no plan.
void from_json(const nlohmann::json& json, Plan& plan);

/// The plan in words, one step a line, for people.
std::string describe(const Plan& plan);

}  // namespace warpwright
