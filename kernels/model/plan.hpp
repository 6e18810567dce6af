// A plan: what a kernel does for (params, problem, device), as plain data that can be run, timed, analysed and printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/model/element_type.hpp"
#include "kernels/model/tensor_map.hpp"
#include "kernels/model/texture.hpp"

namespace warpwright {

/// The contents of a buffer.
using Bytes = std::vector<std::byte>;

/// The role of a buffer. `in` must not change, `inout` is restored between runs, and `scratch` belongs to the kernel.
enum class Role { in, out, inout, scratch };

/// The memory of a buffer. Pinned memory is in the CPU's memory and is accessed over the bus. Managed memory moves
/// between CPU and GPU by pages. Kernels can access all but pageable memory, host steps all but device memory.
enum class Where { device, pageable, pinned, managed };

struct Buffer {
  std::string name;
  Role role = Role::in;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;  ///< elements
  /// Scratch only: it is zeroed once before the first run, and every run must leave it zero, which is checked. Other
  /// scratch memory has undefined contents: if a plan needs zeros, a step must write them, and is timed.
  bool self_restoring = false;
  /// In a pattern's buffers: where they are for callables. In a plan, each kernel decides for itself.
  Where where = Where::device;

  std::int64_t bytes() const { return count * static_cast<std::int64_t>(size_of(type)); }
  /// Whether a run reads the buffer's earlier contents; and whether its later contents are a result.
  bool is_input() const { return role == Role::in || role == Role::inout; }
  bool is_output() const { return role == Role::out || role == Role::inout; }
  bool operator==(const Buffer&) const = default;
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// A pointer argument: the address of a buffer of the plan plus an offset in bytes. The parameter must be a pointer to
/// the type of the buffer, or to `as`, and to const for an `in` buffer.
struct BufferArgument {
  std::string buffer;
  std::int64_t byte_offset = 0;
  std::string as = {};  ///< the C++ type of the elements for the kernel, if it is not the buffer's: "float4"
  bool operator==(const BufferArgument&) const = default;
};

/// A pointer to a buffer within a value: its address is stored from byte `at` on.
struct PointerMember {
  std::size_t at = 0;
  BufferArgument to;
  bool operator==(const PointerMember&) const = default;
};

/// The type of a null pointer that is passed by value.
inline constexpr std::string_view kNullPointer = "nullptr";

/// An argument that is passed by value: the C++ type of the parameter, and its bytes. All arguments of a launch
/// together may have 4,096 bytes.
struct ValueArgument {
  std::string type;
  Bytes bytes;
  std::vector<PointerMember> pointers = {};  ///< of a struct
  bool operator==(const ValueArgument&) const = default;
};

/// The index, from 0, of the current iteration of the innermost repeat around the launch. The parameter must be an int.
struct IndexArgument {
  bool operator==(const IndexArgument&) const = default;
};

/// A texture object, made once for all runs of the plan. The parameter must be a cudaTextureObject_t.
struct TextureArgument {
  Texture texture;
  bool operator==(const TextureArgument&) const = default;
};

/// A tensor map of the matrix that begins at the pointer, a multiple of 16 bytes. The parameter must be a `const
/// __grid_constant__ warpwright::tensor_map`. For sm_90 and newer.
struct TensorMapArgument {
  BufferArgument matrix;
  TensorMap map;
  bool operator==(const TensorMapArgument&) const = default;
};

using Argument = std::variant<BufferArgument, ValueArgument, IndexArgument, TextureArgument, TensorMapArgument>;

Argument pointer_to(std::string buffer, std::int64_t byte_offset = 0);

/// The pointers to buffers that an argument passes: itself, those in its value, or that of its tensor map.
std::vector<const BufferArgument*> pointers_of(const Argument& argument);

/// The value's bytes, with the address of each buffer that it points to.
template <class AddressOf>
Bytes bytes_with_addresses(const ValueArgument& value, AddressOf address_of) {
  Bytes bytes = value.bytes;
  for (const PointerMember& member : value.pointers) {
    const auto to = address_of(member.to);
    static_assert(sizeof to == sizeof(void*));
    std::memcpy(&bytes.at(member.at), &to, sizeof to);
  }
  return bytes;
}

/// A struct of device code that is passed by value. `type` is its full C++ name.
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
  Dim3 cluster = {};               ///< blocks per cluster (sm_90 and newer); 1 x 1 x 1: no clusters
  std::uint32_t shared_bytes = 0;  ///< dynamic shared memory
  std::vector<Argument> arguments;
  bool cooperative = false;
  /// It may begin before the launch before it, in its stream, is complete (programmatic dependent launch, sm_90 and
  /// newer); see kernels/runtime/programmatic.cuh.
  bool programmatic = false;
  bool operator==(const Launch&) const = default;
};

/// Sets the first `count` elements (of the value's size: 1, 2, 4 or 8 bytes) of a buffer to `value`.
struct Memset {
  std::string buffer;
  std::int64_t count = 0;
  ValueArgument value;
  bool operator==(const Memset&) const = default;
};

/// Copies bytes from one buffer to another, from the beginning unless offsets are given. The direction follows from the
/// memories of the buffers. As in CUDA, the CPU does not wait for copies between device, pinned and managed memory.
/// After a copy from pageable memory it continues when that was read, after any other copy when it is complete.
struct Copy {
  std::string from, to;
  std::int64_t bytes = 0;
  std::int64_t from_offset = 0, to_offset = 0;  ///< bytes
  bool operator==(const Copy&) const = default;
};

/// Copies the first `bytes` bytes of a buffer to a __constant__ variable of the kernel's device file.
struct ConstantUpload {
  std::string symbol;  ///< its full C++ name: "warpwright::convolution::filter<float>"
  std::string buffer;
  std::int64_t bytes = 0;
  bool operator==(const ConstantUpload&) const = default;
};

/// Copies the texels of a buffer into the CUDA array of a texture. Later launches see them.
struct TextureUpload {
  Texture texture;
  bool operator==(const TextureUpload&) const = default;
};

/// Moves bytes of a managed buffer to the GPU or to the CPU, in its stream.
struct Prefetch {
  std::string buffer;
  std::int64_t byte_offset = 0, bytes = 0;
  bool to_host = false;
  bool operator==(const Prefetch&) const = default;
};

/// Bytes of a buffer that a function on the CPU reads or writes.
struct HostAccess {
  std::string buffer;
  std::int64_t byte_offset = 0, bytes = 0;
  bool writes = false;
  bool operator==(const HostAccess&) const = default;
};

/// A function that the CPU runs between launches. It starts when the steps that it waits for are complete. The next
/// step starts after it.
struct HostWork {
  std::string source;                ///< the .cuh that declares the function; it must not include device.cuh
  std::string function;              ///< C++ name expression of the instance
  std::vector<Argument> arguments;   ///< like those of a launch
  std::vector<HostAccess> accesses;  ///< everything that it reads or writes
  bool operator==(const HostWork&) const = default;
};

/// The CPU waits for the steps in `waits`, or, if that is empty, for all steps before this one.
struct Synchronise {
  bool operator==(const Synchronise&) const = default;
};

struct Step;

/// Runs its steps `times` times, in order. After each iteration the two buffers of every pair swap names: `first` then
/// means the buffer that was `second`. After the repeat, each name means its own buffer again. To end a repeat early,
/// its kernels set a flag in scratch memory, and later ones return at once.
struct Repeat {
  std::int64_t times = 0;
  std::vector<Step> steps;
  std::vector<std::pair<std::string, std::string>> swaps = {};
  bool operator==(const Repeat&) const;
};

/// The CPU goes through the steps in order. It runs host steps (HostWork, Synchronise) itself. All others it only
/// enqueues into their streams, where each starts when the one before it in that stream, and those in `waits`, are
/// complete.
struct Step {
  std::variant<Launch, Memset, Copy, ConstantUpload, Repeat, Prefetch, HostWork, Synchronise, TextureUpload> what;
  bool timed = true;
  int stream = 0;
  std::string label = {};               ///< the name that `waits` of other steps use
  std::vector<std::string> waits = {};  ///< labels of earlier steps that are not host steps
  bool operator==(const Step&) const = default;
};

/// Streams of a plan are numbered from 0 to this number - 1.
inline constexpr int kMostStreams = 128;

/// Macros that device code is compiled with: their names and texts.
using Definitions = std::map<std::string, std::string>;

/// The caller reads outputs after the last step: those in the CPU's memory at once, those on the GPU through stream 0.
/// All steps that write them must be complete by then. The buffers of the problem come first, in the pattern's order,
/// and then the kernel's scratch buffers. The plan of an empty problem has no launches.
struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  Definitions definitions = {};  ///< of its device file
  bool operator==(const Plan&) const = default;

  /// Whether all steps are in one stream, none is a host step, and all buffers are in device memory.
  bool is_plain() const;

  /// The buffer of that name. Throws std::out_of_range.
  const Buffer& buffer(const std::string& name) const;
};

/// A launch of a plan, and how often it runs.
struct PlannedLaunch {
  Launch launch;
  std::int64_t times = 1;
};

/// Every launch of a plan in the order of first execution; the body of a repeat is visited once.
std::vector<PlannedLaunch> launches_of(const Plan& plan);

/// The __constant__ variables that a plan writes, without duplicates.
std::vector<std::string> constants_of(const Plan& plan);

/// The textures that launches of a plan use, without duplicates.
std::vector<Texture> textures_of(const Plan& plan);

/// Functions that the CPU calls, each with the .cuh that declares it.
using HostFunctionSources = std::map<std::string, std::string>;
HostFunctionSources host_functions_of(const Plan& plan);

/// The steps from the first to the last timed one: they are timed together.
std::span<const Step> timed_part(const Plan& plan);

/// Whether the CPU runs the step itself.
bool is_host_step(const Step& step);

/// What is wrong with a plan's streams, labels, memories and textures, whatever its kernels are; empty if nothing is.
std::string plan_fault(const Plan& plan);

/// The number of CUDA threads that one run of the plan starts.
double threads_of(const Plan& plan);

void to_json(nlohmann::json& json, const Buffer& buffer);
void from_json(const nlohmann::json& json, Buffer& buffer);
void to_json(nlohmann::json& json, const ValueArgument& value);
void from_json(const nlohmann::json& json, ValueArgument& value);
void to_json(nlohmann::json& json, const Plan& plan);
/// Throws nlohmann::json::exception if it is not a plan.
void from_json(const nlohmann::json& json, Plan& plan);

/// A description of the plan for people, one line per step.
std::string describe(const Plan& plan);
/// The step in one line, without the body of a repeat.
std::string describe(const Step& step);

/// "pinned"; "" for device memory.
std::string word_of(Where where);

}  // namespace warpwright
