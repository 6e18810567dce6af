// A program: the kernel instances that a configuration needs; and what compiling it for a target gives.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright {

/// One device file and the entries of it (C++ name expressions) that a plan launches.
struct Program {
  std::string source;
  std::vector<std::string> entries;
  bool operator==(const Program&) const = default;
};

/// The program of a plan whose entries all stand in `source`.
Program program_of(const Plan& plan, const std::string& source);

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
};

/// The result of compiling a program: a module on disk, or the reason why there is none.
struct Built {
  bool ok = false;
  std::string module;                         ///< path of the cubin or shared object
  std::map<std::string, Instance> instances;  ///< by entry
  std::string log;                            ///< the compiler's, or the error
  bool transient = false;                     ///< a failure that may not happen again, and is not kept

  /// Hash of the machine code of all instances: the same for the same code, whatever it was compiled beside.
  std::string code_hash() const;
};

void to_json(nlohmann::json& json, const Instance& instance);
void from_json(const nlohmann::json& json, Instance& instance);
void to_json(nlohmann::json& json, const Built& built);
void from_json(const nlohmann::json& json, Built& built);

}  // namespace warpwright
