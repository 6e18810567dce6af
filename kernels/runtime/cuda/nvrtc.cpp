// NVRTC, opened at run time.
#include "kernels/runtime/cuda/nvrtc.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nvrtc.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/cubin/cubin.hpp"
#include "kernels/runtime/cuda/device_linker.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/shared_library.hpp"
#include "kernels/system/toolkit.hpp"

namespace warpwright::gpu {
namespace {

const std::vector<std::string> kOptions{"--std=c++20", "--ptxas-options=-v", "--no-cache"};

/// Folders of the toolkit's headers; libcu++ has its own folder since CUDA 13.
std::vector<std::string> toolkit_headers() {
  const std::filesystem::path folder = toolkit_folder() / "include";
  if (!std::filesystem::exists(folder / "cuda_fp16.h"))
    throw EnvironmentFault(
        fmt::format("the CUDA toolkit's headers are not in {}: set CUDA_HOME to its folder", folder.string()));
  return {folder.string(), (folder / "cccl").string()};
}

/// Whether the source, or a file that it includes for a device, includes a header in angle brackets.
bool needs_toolkit_headers(const SourceTree& sources, const std::string& header) {
  return std::ranges::any_of(includes_of(sources, header), [&](const std::string& path) {
    return !is_cpu_model(path) && sources.at(path).find("#include <") != std::string::npos;
  });
}

/// Whether a program cannot be the cause of the error.
bool is_environment_fault(nvrtcResult result) {
  return result == NVRTC_ERROR_OUT_OF_MEMORY || result == NVRTC_ERROR_PROGRAM_CREATION_FAILURE ||
         result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

struct Library {
  SharedLibrary library{
      toolkit_library("libnvrtc.so"),
      "NVRTC was not found: install the CUDA toolkit (12.8 or newer) and set CUDA_HOME to its folder"};
  decltype(nvrtcGetErrorString)* error_string;
  decltype(nvrtcVersion)* version;
  decltype(nvrtcGetNumSupportedArchs)* architecture_count;
  decltype(nvrtcGetSupportedArchs)* architectures;
  decltype(nvrtcCreateProgram)* create;
  decltype(nvrtcDestroyProgram)* destroy;
  decltype(nvrtcAddNameExpression)* add_name;
  decltype(nvrtcCompileProgram)* compile;
  decltype(nvrtcGetLoweredName)* lowered_name;
  decltype(nvrtcGetCUBINSize)* cubin_size;
  decltype(nvrtcGetCUBIN)* cubin;
  decltype(nvrtcGetProgramLogSize)* log_size;
  decltype(nvrtcGetProgramLog)* log;
  std::string version_text;
  std::vector<int> known_architectures;

  Library() {
    library.load(error_string, "nvrtcGetErrorString");
    library.load(version, "nvrtcVersion");
    library.load(architecture_count, "nvrtcGetNumSupportedArchs");
    library.load(architectures, "nvrtcGetSupportedArchs");
    library.load(create, "nvrtcCreateProgram");
    library.load(destroy, "nvrtcDestroyProgram");
    library.load(add_name, "nvrtcAddNameExpression");
    library.load(compile, "nvrtcCompileProgram");
    library.load(lowered_name, "nvrtcGetLoweredName");
    library.load(cubin_size, "nvrtcGetCUBINSize");
    library.load(cubin, "nvrtcGetCUBIN");
    library.load(log_size, "nvrtcGetProgramLogSize");
    library.load(log, "nvrtcGetProgramLog");
    int major = 0;
    int minor = 0;
    check(version(&major, &minor), "nvrtcVersion");
    version_text = fmt::format("{}.{}", major, minor);
    int count = 0;
    check(architecture_count(&count), "nvrtcGetNumSupportedArchs");
    known_architectures.resize(static_cast<std::size_t>(count));
    check(architectures(known_architectures.data()), "nvrtcGetSupportedArchs");
  }

  void check(nvrtcResult result, const char* call) const {
    if (is_environment_fault(result))
      throw EnvironmentFault(fmt::format("NVRTC failed: {}: {}", call, error_string(result)));
    if (result != NVRTC_SUCCESS) throw std::runtime_error(fmt::format("{}: {}", call, error_string(result)));
  }
};

const Library& nvrtc() {
  static const Library library;
  return library;
}

class ProgramHandle {
 public:
  ProgramHandle(const std::string& text, const std::set<std::string>& names_to_find, const SourceTree& sources) {
    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (const auto& [name, source] : sources) {
      names.push_back(name.c_str());
      texts.push_back(source.c_str());
    }
    if (const auto types = sources.find(std::string(kDriverTypes)); types != sources.end()) {
      names.push_back("cuda.h");
      texts.push_back(types->second.c_str());
    }
    nvrtc().check(nvrtc().create(&program_, text.c_str(), "program.cu", static_cast<int>(names.size()), texts.data(),
                                 names.data()),
                  "nvrtcCreateProgram");
    for (const std::string& name : names_to_find)
      nvrtc().check(nvrtc().add_name(program_, name.c_str()), "nvrtcAddNameExpression");
  }
  ~ProgramHandle() { nvrtc().destroy(&program_); }
  ProgramHandle(const ProgramHandle&) = delete;
  ProgramHandle& operator=(const ProgramHandle&) = delete;

  nvrtcProgram get() const { return program_; }

  std::string log() const {
    std::size_t size = 0;
    nvrtc().check(nvrtc().log_size(program_, &size), "nvrtcGetProgramLogSize");
    std::string text(size, '\0');
    nvrtc().check(nvrtc().log(program_, text.data()), "nvrtcGetProgramLog");
    return text.substr(0, text.find('\0'));
  }

 private:
  nvrtcProgram program_ = nullptr;
};

/// The translation unit for several programs.
struct Unit {
  std::set<std::string> headers = {};
  std::set<std::string> names = {};  ///< expressions whose symbols are asked for: entries and constants
  std::string text = {};
};

Unit unit_of(const SourceTree& sources, const std::vector<Program>& programs) {
  Unit unit;
  std::map<std::string, Definitions> definitions;
  for (const Program& program : programs) {
    unit.headers.insert(program.source);
    definitions[program.source] = program.definitions;
    unit.headers.insert(program.with.begin(), program.with.end());
    unit.names.insert(program.entries.begin(), program.entries.end());
    for (const std::string& constant : program.constants) unit.names.insert("&" + constant);
  }
  for (const std::string& header : unit.headers) unit.text += include_lines(sources, header, definitions[header]);
  return unit;
}

/// The architecture whose exact target has instructions that later ones lack.
constexpr std::string_view kExactArchitecture = "sm_90";

std::vector<std::string> options_for(const SourceTree& sources, const std::vector<Program>& programs, const Unit& unit,
                                     const std::string& target, bool launches) {
  std::vector<std::string> options = kOptions;
  const bool is_exact = target == kExactArchitecture && std::ranges::any_of(programs, [&](const Program& program) {
                          return needs_exact_architecture(sources, program);
                        });
  options.push_back("--gpu-architecture=" + target + (is_exact ? "a" : ""));
  if (std::ranges::any_of(unit.headers, [&](const auto& header) { return needs_toolkit_headers(sources, header); }))
    for (const std::string& folder : toolkit_headers()) options.push_back("--include-path=" + folder);
  if (!std::ranges::all_of(programs, &Program::contraction)) options.emplace_back("--fmad=false");
  if (launches) options.emplace_back("--relocatable-device-code=true");
  return options;
}

/// Without optimization.
constexpr const char* kQuickly = "--Ofast-compile=max";

/// Runs the compiler: the log, whether it succeeded, and then the image.
Cubin compiled(const ProgramHandle& handle, const std::vector<std::string>& options) {
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());
  Cubin cubin;
  const nvrtcResult result = nvrtc().compile(handle.get(), static_cast<int>(arguments.size()), arguments.data());
  cubin.log = handle.log();
  cubin.ok = result == NVRTC_SUCCESS;
  cubin.diagnosed = result == NVRTC_ERROR_COMPILATION || result == NVRTC_ERROR_INVALID_OPTION;
  if (is_environment_fault(result))
    throw EnvironmentFault(fmt::format("NVRTC failed: {}: {}", nvrtc().error_string(result), cubin.log));
  if (!cubin.ok) {
    if (cubin.log.empty()) cubin.log = nvrtc().error_string(result);
    return cubin;
  }
  std::size_t size = 0;
  nvrtc().check(nvrtc().cubin_size(handle.get(), &size), "nvrtcGetCUBINSize");
  cubin.image.resize(size);
  nvrtc().check(nvrtc().cubin(handle.get(), cubin.image.data()), "nvrtcGetCUBIN");
  return cubin;
}

/// Adds what each program's entries and constants are in the compiled image.
void add_symbols(Cubin& cubin, const ProgramHandle& handle, const std::vector<Program>& programs) {
  const auto lowered = [&](const std::string& name) {
    const char* symbol = nullptr;
    nvrtc().check(nvrtc().lowered_name(handle.get(), name.c_str(), &symbol), "nvrtcGetLoweredName");
    return std::string(symbol);
  };
  const auto found = parse_ptxas_log(cubin.log);
  for (const Program& program : programs) {
    auto& instances = cubin.instances.emplace_back();
    for (const std::string& entry : program.entries) {
      const std::string symbol = lowered(entry);
      const auto used = found.find(symbol);
      if (used == found.end()) throw std::runtime_error(fmt::format("the ptxas log does not name {}", symbol));
      instances[entry] = {.symbol = symbol,
                          .resources = used->second.resources,
                          .code_hash = code_hash(cubin.image, symbol),
                          .log = used->second.text,
                          .parameter_bytes = parameter_bytes(cubin.image, symbol)};
    }
    auto& constants = cubin.constants.emplace_back();
    for (const std::string& constant : program.constants) constants[constant] = lowered("&" + constant);
  }
}

void link(Cubin& cubin, const std::string& target) {
  try {
    cubin.image = DeviceLinker().link(cubin.image, target);
  } catch (const std::runtime_error& unlinked) {
    cubin = {};
    cubin.diagnosed = true;
    cubin.log = unlinked.what();
  }
}

}  // namespace

Nvrtc::Nvrtc() {
  nvrtc();
}

const std::string& Nvrtc::version() const {
  return nvrtc().version_text;
}

const std::vector<int>& Nvrtc::architectures() const {
  return nvrtc().known_architectures;
}

std::string Nvrtc::fingerprint() const {
  return fmt::format("nvrtc {} {}", version(), fmt::join(kOptions, " "));
}

Cubin Nvrtc::compile(const SourceTree& sources, const std::vector<Program>& programs, const std::string& target,
                     bool try_quickly) const {
  const Unit unit = unit_of(sources, programs);
  const bool launches =
      std::ranges::any_of(programs, [&](const Program& program) { return launches_from_device(sources, program); });
  std::vector<std::string> options = options_for(sources, programs, unit, target, launches);
  if (try_quickly) {
    options.emplace_back(kQuickly);
    Cubin quick = compiled(ProgramHandle(unit.text, unit.names, sources), options);
    // An older NVRTC does not know the option.
    if (!quick.ok && quick.diagnosed && quick.log.find(kQuickly) == std::string::npos) return quick;
    options.pop_back();
  }
  const ProgramHandle handle(unit.text, unit.names, sources);
  Cubin cubin = compiled(handle, options);
  if (!cubin.ok) return cubin;
  // Code hashes are computed before linking, because linked code contains addresses, which depend on other code.
  add_symbols(cubin, handle, programs);
  if (launches) link(cubin, target);
  return cubin;
}

}  // namespace warpwright::gpu
