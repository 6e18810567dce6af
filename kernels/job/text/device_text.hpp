// Extracts the device code of a plain .cu file: NVRTC compiles it for a GPU, the CPU's compiler for the simulator.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/job/text/includes.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// What a kernel does with the memory behind a pointer, as far as its source shows. `escapes`: it is passed to code
/// that the source does not show.
struct PointerUse {
  bool reads = false, writes = false, escapes = false;
  bool operator==(const PointerUse&) const = default;
};

/// A parameter of a __global__ function.
struct Parameter {
  /// As in the source, but without const, restrict and the star of a pointer: "float", "unsigned int". If the source
  /// has defined it as another name of a type, that type.
  std::string type;
  std::string name;
  bool is_pointer = false, is_const = false;  ///< of a pointer: whether its target is const
  PointerUse use = {};
  bool is_restrict = false;
  bool is_grid_constant = false;
  std::string extent = {};  ///< of a member that is an array: its number of elements, as in the source
  bool operator==(const Parameter&) const = default;
};

/// Whether `name` can mean the entity of that full name: with all of its namespaces, only the last ones, or none.
bool is_called(const std::string& full_name, const std::string& name);

struct GlobalFunction {
  std::string name;  ///< with its namespaces
  std::vector<Parameter> parameters = {};
  std::vector<std::string> template_parameters = {};  ///< as in the source, without defaults: "typename T", "int N"
  int line = 0;
  std::string file = {};
  bool launches = false;           ///< launches kernels itself, on the device
  std::string launch_bounds = {};  ///< the most threads of a block, as in the source; empty if it does not say
  std::string cluster_dims = {};   ///< the blocks of a cluster, as in the source; empty if it does not say
};

/// A launch in the host code: the text between <<< and >>>, and the arguments, as in the source. Calls of
/// cudaLaunchKernel and cudaLaunchCooperativeKernel are launches too.
struct HostLaunch {
  std::string kernel;
  std::vector<std::string> template_arguments = {};  ///< empty for a type of the surrounding template
  std::vector<std::string> configuration = {};       ///< grid, block and, if given, shared bytes and stream
  std::vector<std::string> arguments = {};
  /// The values that variables of the surrounding function, or of the file, have before the launch, as in the source:
  /// {"blocks", "(n+255)/256"}, {"params", "{rows, 0.5f}"}.
  std::map<std::string, std::string> locals = {};
  int line = 0;
  bool cooperative = false;
  std::set<std::string> open_types = {};  ///< type parameters of the surrounding template
  /// The bytes allocated for pointers of the surrounding function, as in the source: {"d_in", "n*sizeof(float)"}.
  std::map<std::string, std::string> allocations = {};
  /// What the arguments that are pointers of the surrounding function point to, as in the source: {"d_in", "float"}.
  std::map<std::string, std::string> pointees = {};
  /// The literals that a caller passes for parameters of the surrounding function: {"eps", "1e-5f"}.
  std::map<std::string, std::string> passed = {};
  /// The variable of the loop around the launch and the number of its rounds, as in the source, if it counts from 0 and
  /// is passed: {"k", "n"} for `for (int k = 0; k < n; ++k)`.
  std::string loop_variable = {}, loop_rounds = {};
  std::set<std::string> changed = {};  ///< variables of other loops around the launch
};

/// A __constant__ variable.
struct ConstantSymbol {
  std::string name;  ///< with its namespaces
  std::string type;
  std::string count = "1";  ///< the product of its extents, as in the source
  bool operator==(const ConstantSymbol&) const = default;
};

struct DeviceText {
  /// The source for NVRTC and for the simulator. Lines that were left out are empty. Lines `#line N "FILE"` name the
  /// user's files, so that every message does.
  std::string text;
  std::vector<GlobalFunction> kernels;  ///< the wanted ones
  /// Macros without arguments whose values are numbers, or consist of such macros: they may be params. A macro without
  /// a value is only tested, or Kernel Tuner defines it (block_size_x, say).
  std::map<std::string, std::string> macros;
  std::map<std::string, std::string> host_macros = {};  ///< the same, for macros that device code does not use
  /// Macros that a `#define` without a surrounding `#ifndef` sets, with its "FILE:LINE". It overrides -D and -include.
  std::map<std::string, std::string> unguarded = {};
  /// Integers that are const or constexpr at namespace scope, with their initialisers: they may be params.
  std::map<std::string, std::string> constants = {};
  std::map<std::string, std::string> host_constants = {};  ///< the same, for those that device code does not use
  std::vector<ConstantSymbol> symbols = {};
  std::map<std::string, std::string> types = {};               ///< the types that names stand for: {"real", "float"}
  std::map<std::string, std::vector<Parameter>> structs = {};  ///< those with only data as members
  std::vector<HostLaunch> launches = {};                       ///< in the order of the file
  /// Enumerators of CUDA's texture descriptors in the host code, such as cudaFilterModeLinear, and "normalizedCoords"
  /// if it sets that.
  std::set<std::string> texture_modes = {};
  std::vector<std::string> missing = {};  ///< headers that were not found: "FILE:LINE: \"helper.h\""
};

/// The type that a name stands for, through all aliases. The name itself if it is not an alias.
std::string meant_type(const std::map<std::string, std::string>& types, std::string type);

/// A .cu file. It is read once, and the device code of any of its kernels can then be extracted.
class PlainFile {
 public:
  /// Headers are searched in the file's folder and in `folders`. Throws std::runtime_error with file:line and advice,
  /// for example if the file defines no kernel.
  explicit PlainFile(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders = {});

  /// All kernels but those in branches of #if that are not compiled, in the order of the file.
  const std::vector<GlobalFunction>& kernels() const { return kernels_; }
  const std::vector<HostLaunch>& launches() const { return launches_; }
  /// The functions at file scope that only the CPU runs, and that launch nothing.
  std::vector<GlobalFunction> host_functions() const;
  /// The kernel of that name, with or without its namespaces. Throws std::runtime_error that lists the kernels.
  const GlobalFunction& kernel(const std::string& name) const;

  /// The source of the __global__ functions in `wanted`, named with or without namespaces, and of the __constant__
  /// variables and all declarations that they need. With no names: all kernels that launch none themselves. The rest of
  /// the file need not compile. Throws std::runtime_error with file:line and advice for an unknown name, and if device
  /// code that is needed launches kernels.
  DeviceText text(const std::vector<std::string>& wanted = {}) const;

 private:
  std::vector<GlobalFunction> wanted_kernels(const std::vector<std::string>& wanted) const;

  std::string file_;
  FlatText flat_;
  Tokens tokens_;
  Items found_;
  std::map<std::string, std::string> types_;
  std::vector<HostLaunch> launches_;
  std::vector<GlobalFunction> kernels_;
};

}  // namespace warpwright::job
