// Compiles device code for the simulator: one shared object with many kernel instances.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kernels/core/target.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// What a module is compiled from. `sources` maps paths, spelled as in an include, such as
/// "kernels/transpose/tiled.cuh", to their text. They include device.cuh and the headers of kernels/runtime/cpu_model.
struct CompileRequest {
  std::map<std::string, std::string> sources = {};
  std::vector<std::string> headers = {};                ///< paths in `sources` to include
  std::vector<std::string> entries = {};                ///< C++ name expressions of kernels
  std::vector<std::string> constants = {};              ///< C++ names of __constant__ variables
  std::map<std::string, Definitions> definitions = {};  ///< of headers that are compiled with some
  bool contraction = true;                              ///< the module can contract multiply-adds
  std::chrono::seconds time_limit{120};
  int architecture = default_architecture;  ///< the value of __CUDA_ARCH__: 90 means 900
};

enum class CompileStatus {
  ok,
  failed,       ///< the compiler refused the source: see the log
  no_compiler,  ///< there is none, or an unsuitable one
  broken,       ///< the compiler failed without an error in the source
  timed_out,
};

struct CompileResult {
  CompileStatus status = CompileStatus::ok;
  std::string log;                  ///< the compiler's output, or what to do about a missing one
  std::string missing_header = {};  ///< included by the source, and the simulator does not have it
  bool ok() const { return status == CompileStatus::ok; }
};

/// Writes the module to `output`, whose folder exists. Leaves no other file. Throws EnvironmentFault when files cannot
/// be written, when the compiler was killed or stopped from outside, or when it says that the system refused it
/// something.
CompileResult compile(const CompileRequest& request, const std::filesystem::path& output);

/// The same for any text instead of the module's own, with these flags; used by `compile`.
CompileResult compile_shared_object(const CompileRequest& request, const std::string& text,
                                    const std::vector<std::string>& flags, const std::filesystem::path& output);

/// The text as a C++ string literal.
std::string quoted(const std::string& text);

/// The compiler, its version and the C library's; empty if there is none.
std::string compiler_identity();

/// Why there is no host compiler, and what to do; empty if there is one.
std::string no_compiler();

/// The host compiler: $WARPWRIGHT_HOST_CXX, else c++, g++ or clang++ on the PATH; empty if there is none.
std::string host_compiler();

/// The text that `compile` gives to the compiler besides the sources.
std::string translation_unit(const CompileRequest& request);

/// Identifies everything that determines a module, other than the request: compiler and version, flags, C library,
/// interface version. Empty if there is no compiler. The compiler is asked only once.
std::string toolchain_fingerprint();

}  // namespace warpwright::simulator
