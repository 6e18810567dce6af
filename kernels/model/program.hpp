// A program: the kernel instances that a configuration needs; and the result of compiling it for a target.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright {

/// A device file, those of its entries (C++ name expressions) that a plan launches, and the __constant__ variables that
/// the plan writes.
struct Program {
  std::string source;
  std::vector<std::string> entries = {};
  std::vector<std::string> constants = {};
  std::vector<std::string> with = {};       ///< other headers that entry names need
  bool contraction = true;                  ///< whether a multiplication and an addition may become one FMA
  HostFunctionSources host_functions = {};  ///< functions that the plan's host steps call
  Definitions definitions = {};             ///< the plan's; only `source` sees them

  /// Adds what another program of the same file has. Throws std::invalid_argument if its file or macros differ.
  Program& operator+=(const Program& other);
  bool operator==(const Program&) const = default;
};

/// The target of functions that the CPU calls between steps: ordinary code for this CPU.
inline constexpr std::string_view kHostFunctionsTarget = "host functions";

/// The program to compile for that target. It has no entries if there are no such functions.
Program host_functions_program(const Program& program);

/// The program of a plan, all of whose entries are in `source`. If one names a 16-bit type of CUDA, with CUDA's header.
Program program_of(const Plan& plan, const std::string& source);

/// Whether its device code may launch kernels, that is, includes child_launch.cuh. Then it is compiled as relocatable
/// code and linked.
bool launches_from_device(const SourceTree& sources, const Program& program);

/// Whether its device code has instructions that only one architecture has, and no later one: wgmma and setmaxnreg.
/// Then it is compiled for exactly that architecture: "sm_90a".
bool needs_exact_architecture(const SourceTree& sources, const Program& program);

/// How a program is compiled, beside its target. Programs of one module have the same.
struct CompileKind {
  bool launches_from_device = false, needs_exact_architecture = false;
  bool operator==(const CompileKind&) const = default;
};
CompileKind compile_kind(const SourceTree& sources, const Program& program);

/// The resources of one kernel instance, from the compiler. Bytes are per thread or per block.
struct Resources {
  int registers = 0;
  int spill_store_bytes = 0;
  int spill_load_bytes = 0;
  int stack_bytes = 0;
  int static_shared = 0;
  int barriers = 0;
  bool operator==(const Resources&) const = default;
};

/// A kernel instance in a module: its symbol there, its resources, the hash of its machine code, and the compiler's
/// messages.
struct Instance {
  std::string symbol;
  Resources resources;
  std::string code_hash;
  std::string log{};
  std::vector<std::size_t> parameter_bytes{};  ///< empty if they are unknown, or there are no parameters
};

/// The result of compiling a program: a module on disk, or the reason why it failed.
struct CompiledProgram {
  bool ok = false;
  std::string module = {};                            ///< path of the cubin or shared object
  std::map<std::string, Instance> instances = {};     ///< by entry
  std::string log = {};                               ///< the compiler's messages, or the error
  std::string missing_header = {};                    ///< included by the source, and the simulator does not have it
  bool transient = false;                             ///< a failure that may not happen again, so it is not cached
  std::map<std::string, std::string> constants = {};  ///< symbols in the module, by C++ names
  std::string host_functions = {};                    ///< path of their shared object, if there are any

  /// Hash of the machine code of all instances. It does not depend on what else was compiled with them.
  std::string code_hash() const;
};

/// The first launch argument or upload of the plan that does not fit the module, as text; empty if all fit, as far as
/// the module's symbols tell. For the simulator, symbols are checked when the plan runs.
std::string argument_mismatch(const Plan& plan, const CompiledProgram& built);

/// The C++ type in which the project's own kernels store elements. Halves are those of half.cuh, so that none of CUDA's
/// headers is needed.
std::string_view storage_name(ElementType type);

void to_json(nlohmann::json& json, const Instance& instance);
void from_json(const nlohmann::json& json, Instance& instance);
void to_json(nlohmann::json& json, const CompiledProgram& built);
void from_json(const nlohmann::json& json, CompiledProgram& built);

}  // namespace warpwright
