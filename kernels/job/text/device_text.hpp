// The device part of a plain .cu file: text that NVRTC compiles for a GPU, and the host compiler for the executor.
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

/// What a kernel does with the memory behind a pointer, as far as its text says it. `escapes`: it goes where the text
/// alone does not show what is done.
struct PointerUse {
  bool reads = false, writes = false, escapes = false;
  bool operator==(const PointerUse&) const = default;
};

/// Of a __global__ function.
struct Parameter {
  /// As it is spelt, without const, restrict and the pointer's star: "float", "unsigned int"; for a name that the text
  /// gives a type, that type.
  std::string type;
  std::string name;
  bool is_pointer = false, is_const = false;  ///< of a pointer: whether what it points to is const
  PointerUse use = {};
  bool operator==(const Parameter&) const = default;
};

/// Whether what has that full name may be called so: with all of its namespaces, the last ones, or none.
bool is_called(const std::string& full_name, const std::string& name);

struct GlobalFunction {
  std::string name;  ///< with its namespaces
  std::vector<Parameter> parameters = {};
  std::vector<std::string> template_parameters = {};  ///< as they are spelt, without defaults: "typename T", "int N"
  int line = 0;
  std::string file = {};
  bool launches = false;  ///< kernels itself, on the device
};

/// A launch in the host code that the text leaves out: what stands between <<< and >>>, and the arguments, as spelt; or
/// a call of cudaLaunchKernel or cudaLaunchCooperativeKernel that says the same.
struct HostLaunch {
  std::string kernel;
  std::vector<std::string> template_arguments = {};  ///< empty for a type of the template around the launch
  std::vector<std::string> configuration = {};       ///< grid, block and, where they are said, shared bytes and stream
  std::vector<std::string> arguments = {};
  /// What the function around it, or the file, has given its variables before, as spelt: {"blocks", "(n+255)/256"},
  /// {"params", "{rows, 0.5f}"}.
  std::map<std::string, std::string> locals = {};
  int line = 0;
  bool cooperative = false;
  std::set<std::string> open_types = {};  ///< names of types that the template around it is told
};

/// A __constant__ variable.
struct ConstantSymbol {
  std::string name;  ///< with its namespaces
  std::string type;
  std::string count = "1";  ///< the product of its extents, as spelt
  bool operator==(const ConstantSymbol&) const = default;
};

struct DeviceText {
  /// What NVRTC and the judge compile. Lines that were left out are empty, and lines `#line N "FILE"` name the user's
  /// files, so that every message does.
  std::string text;
  std::vector<GlobalFunction> kernels;  ///< the wanted ones
  /// Macros without arguments whose values are numbers, or made of such: what may be a parameter. A macro that is only
  /// tested, or that a text of Kernel Tuner's expects from outside, such as block_size_x, has no value.
  std::map<std::string, std::string> macros;
  std::map<std::string, std::string> host_macros = {};  ///< the same, of what device code does not mention
  std::vector<ConstantSymbol> symbols;
  std::map<std::string, std::string> types = {};               ///< what names of types stand for: {"real", "float"}
  std::map<std::string, std::vector<Parameter>> structs = {};  ///< those of values alone, and their members
  std::vector<HostLaunch> launches = {};                       ///< in the order of the file
  /// Enumerators of CUDA's texture descriptors that the host code names, such as cudaFilterModeLinear, and
  /// "normalizedCoords" where it sets that.
  std::set<std::string> texture_modes = {};
  std::vector<std::string> missing = {};  ///< headers that were not found: "FILE:LINE: \"helper.h\""
};

/// What a name of a type stands for among these, followed to the end; itself where it is none of them.
std::string meant_type(const std::map<std::string, std::string>& types, std::string type);

/// A .cu file, read once: the device code of any of its kernels is taken out of it.
class PlainFile {
 public:
  /// Headers are looked for in `folders` besides the file's own. Throws std::runtime_error with file:line and what to
  /// do, as where it defines no kernel.
  explicit PlainFile(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders = {});

  /// All but those in branches of #if that are not compiled, in the order of the file.
  const std::vector<GlobalFunction>& kernels() const { return kernels_; }
  const std::vector<HostLaunch>& launches() const { return launches_; }
  /// The one of that name, with its namespaces or without. Throws std::runtime_error, with those that there are.
  const GlobalFunction& kernel(const std::string& name) const;

  /// The __global__ functions that are wanted, with their namespaces or without, and the __constant__ variables and all
  /// declarations that they need; without names all that launch none themselves. What nobody wants need not compile.
  /// Throws std::runtime_error with file:line and what to do for a name that is none, and where device code that is
  /// needed launches kernels.
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
