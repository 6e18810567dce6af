// A program: the kernel instances that a configuration needs; and what compiling it for a target gives.
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

/// One device file, the entries of it (C++ name expressions) that a plan launches, and the __constant__ variables that
/// it writes.
struct Program {
  std::string source;
  std::vector<std::string> entries = {};
  std::vector<std::string> constants = {};
  std::vector<std::string> with = {};       ///< further headers that the entries name something of
  bool contraction = true;                  ///< whether a multiplication and an addition may be rounded as one
  HostFunctionSources host_functions = {};  ///< what the plan's host steps call
  Definitions definitions = {};             ///< of the plan, seen by `source` alone

  /// Takes over what the other program of the same file has besides. Throws std::invalid_argument for another file, or
  /// other macros.
  Program& operator+=(const Program& other);
  bool operator==(const Program&) const = default;
};

/// The target that the functions of host steps are compiled for: the processor itself.
inline constexpr std::string_view kHostFunctionsTarget = "host functions";

/// The program that is compiled for it; without entries where there are none.
Program host_functions_program(const Program& program);

/// The program of a plan whose entries all stand in `source`. Where one names a 16-bit type of CUDA's, with its header.
Program program_of(const Plan& plan, const std::string& source);

/// Whether its device code may launch: it includes child_launch.cuh. Then it is compiled as relocatable code and
/// linked.
bool launches_from_device(const SourceTree& sources, const Program& program);

/// What the compiler used for one kernel instance. Bytes per thread or block.
struct Resources {
  int registers = 0;
  int spill_store_bytes = 0;
  int spill_load_bytes = 0;
  int stack_bytes = 0;
  int static_shared = 0;
  int barriers = 0;
  bool operator==(const Resources&) const = default;
};

/// A kernel instance in a module: its symbol there, its resources, the hash of its machine code, and what the compiler
/// said of it.
struct Instance {
  std::string symbol;
  Resources resources;
  std::string code_hash;
  std::string log{};
  std::vector<std::size_t> parameter_bytes{};  ///< empty where they are not known, or there are none
};

/// The result of compiling a program: a module on disk, or the reason why there is none.
struct CompiledProgram {
  bool ok = false;
  std::string module = {};                            ///< path of the cubin or shared object
  std::map<std::string, Instance> instances = {};     ///< by entry
  std::string log = {};                               ///< the compiler's, or the error
  bool transient = false;                             ///< a failure that may not happen again, and is not kept
  std::map<std::string, std::string> constants = {};  ///< symbols in the module by C++ name
  std::string host_functions = {};                    ///< path of their shared object, where there are any

  /// Hash of the machine code of all instances: the same for the same code, whatever it was compiled beside.
  std::string code_hash() const;
};

/// What a launch of the plan passes, or an upload writes, that the module does not take; empty where all fits, as far
/// as the module's symbols tell: those of the host target are asked by the executor.
std::string argument_mismatch(const Plan& plan, const CompiledProgram& built);

/// The C++ name of the type that the harness' own kernels hold elements in, complete: halves are those of half.cuh, so
/// that no header of CUDA's is needed.
std::string_view storage_name(ElementType type);

void to_json(nlohmann::json& json, const Instance& instance);
void from_json(const nlohmann::json& json, Instance& instance);
void to_json(nlohmann::json& json, const CompiledProgram& built);
void from_json(const nlohmann::json& json, CompiledProgram& built);

}  // namespace warpwright
