// A plan: what a kernel does for (params, problem, device), as plain data that can be run, timed, costed and printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/model/element_type.hpp"
#include "kernels/model/texture.hpp"

namespace warpwright {

/// The contents of a buffer.
using Bytes = std::vector<std::byte>;

/// What a buffer is for. `in` must not change; `inout` is restored between runs; `scratch` belongs to the kernel.
enum class Role { in, out, inout, scratch };

/// Where a buffer lies. Pinned memory is the host's, and the bus reads and writes it by itself; managed memory moves
/// between both by pages. Kernels reach all but pageable memory, host steps all but that of the device.
enum class Where { device, pageable, pinned, managed };

struct Buffer {
  std::string name;
  Role role = Role::in;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;  ///< elements
  /// Scratch only: zeroed once when the plan is bound, and left as all zero bits by every run, which is checked. Other
  /// scratch comes with whatever it holds: a plan that needs zeros has a step that writes them, and is timed with it.
  bool self_restoring = false;
  /// Of a pattern's buffers: where callables find them; each kernel says in its plan where it has them.
  Where where = Where::device;

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
/// the buffer's type, or to the one that the argument is given as, and to const for an `in` buffer.
struct BufferArgument {
  std::string buffer;
  std::int64_t byte_offset = 0;
  std::string as = {};  ///< a C++ type that the kernel sees elements as, where it is not the buffer's: "float4"
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

/// A texture object, which the runner of the plan makes once for all runs: a cudaTextureObject_t parameter.
struct TextureArgument {
  Texture texture;
  bool operator==(const TextureArgument&) const = default;
};

using Argument = std::variant<BufferArgument, ValueArgument, IndexArgument, TextureArgument>;

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

/// Copies bytes of one buffer over another's, the first ones unless it says from and to which on; the direction is that
/// of the buffers' places. As CUDA has it, the host goes on at once where device, pinned and managed memory are
/// concerned; behind a copy from pageable memory when that was read, behind any other when it is over.
struct Copy {
  std::string from, to;
  std::int64_t bytes = 0;
  std::int64_t from_offset = 0, to_offset = 0;  ///< bytes
  bool operator==(const Copy&) const = default;
};

/// Copies the first `bytes` bytes of a buffer into a __constant__ variable of the kernel's device file.
struct ConstantUpload {
  std::string symbol;  ///< its full C++ name, e.g. "warpwright::convolution::filter<float>"
  std::string buffer;
  std::int64_t bytes = 0;
  bool operator==(const ConstantUpload&) const = default;
};

/// Copies the texels of a buffer into the CUDA array of a texture; launches behind it see them.
struct TextureUpload {
  Texture texture;
  bool operator==(const TextureUpload&) const = default;
};

/// Moves bytes of a managed buffer to the device or to the host, in its stream.
struct Prefetch {
  std::string buffer;
  std::int64_t byte_offset = 0, bytes = 0;
  bool to_host = false;
  bool operator==(const Prefetch&) const = default;
};

/// Bytes of a buffer that the host reads or writes.
struct HostAccess {
  std::string buffer;
  std::int64_t byte_offset = 0, bytes = 0;
  bool writes = false;
  bool operator==(const HostAccess&) const = default;
};

/// The host itself works on buffers that it reaches, once what the step waits for is over, and goes on behind it.
struct HostWork {
  std::string source;                ///< the .cuh that declares the function; it must not include device.cuh
  std::string function;              ///< C++ name expression of the instance
  std::vector<Argument> arguments;   ///< as those of a launch
  std::vector<HostAccess> accesses;  ///< all that it reads and writes
  bool operator==(const HostWork&) const = default;
};

/// The host waits for the steps that the step waits for; where these are none, for all before it.
struct Synchronise {
  bool operator==(const Synchronise&) const = default;
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

/// The host takes one step after the other. It carries out host steps (HostWork, Synchronise) itself and only puts the
/// others into their stream, where each begins when the one before it there, and what it waits for, is over. Stream 0
/// is that of a plan that names none.
struct Step {
  std::variant<Launch, Memset, Copy, ConstantUpload, Repeat, Prefetch, HostWork, Synchronise, TextureUpload> what;
  bool timed = true;
  int stream = 0;
  std::string label = {};               ///< what others wait for it by
  std::vector<std::string> waits = {};  ///< labels of steps before it that are no host steps
  bool operator==(const Step&) const = default;
};

/// Streams of a plan: 0 to that number less one.
inline constexpr int kMostStreams = 128;

/// Macros that device code is compiled with: names and their text.
using Definitions = std::map<std::string, std::string>;

/// Behind the last step the caller reads outputs: those that the host reaches at once, without waiting for anything
/// else; those on the device in stream 0. What writes them must be over by then.
/// The buffers of the problem come first, in the pattern's order; the kernel's scratch follows.
/// An empty problem has no launches.
struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  Definitions definitions = {};  ///< of its device file
  bool operator==(const Plan&) const = default;

  /// Whether it has one stream, no host steps, and all of its buffers in device memory.
  bool is_plain() const;

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

/// The textures that launches of a plan take, each once.
std::vector<Texture> textures_of(const Plan& plan);

/// Functions that the host calls, and the .cuh that declares each.
using HostFunctionSources = std::map<std::string, std::string>;
HostFunctionSources host_functions_of(const Plan& plan);

/// Whether the host carries the step out.
bool is_host_step(const Step& step);

/// What is wrong with a plan's streams, labels, places and textures, whatever its kernels are; empty where nothing is.
std::string plan_fault(const Plan& plan);

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
/// The step in one line, without those that it repeats.
std::string describe(const Step& step);

/// "pinned"; "" for device memory.
std::string word_of(Where where);

}  // namespace warpwright
