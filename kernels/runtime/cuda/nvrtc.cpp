// NVRTC, opened at run time.
#include "kernels/runtime/cuda/nvrtc.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "kernels/runtime/cuda/cubin.hpp"
#include "kernels/runtime/cuda/shared_library.hpp"

namespace warpwright::gpu {
namespace {

const std::vector<std::string> kOptions{"--std=c++20", "--ptxas-options=-v", "--no-cache"};

/// $CUDA_HOME or $CUDA_PATH where one is set, and then nothing else; the loader's path and the usual folder otherwise.
std::vector<std::string> candidates() {
  const char* home = std::getenv("CUDA_HOME");
  if (home == nullptr) home = std::getenv("CUDA_PATH");
  std::vector<std::string> found;
  for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"}) {
    if (home == nullptr) found.emplace_back(name);
    found.push_back(fmt::format("{}/lib64/{}", home != nullptr ? home : "/usr/local/cuda", name));
  }
  return found;
}

struct Library {
  SharedLibrary library{
      candidates(), "NVRTC was not found: install the CUDA toolkit (12.8 or newer) and set CUDA_HOME to its folder"};
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
    if (result != NVRTC_SUCCESS) throw std::runtime_error(fmt::format("{}: {}", call, error_string(result)));
  }
};

const Library& nvrtc() {
  static const Library library;
  return library;
}

class ProgramHandle {
 public:
  ProgramHandle(const std::string& text, const SourceTree& sources) {
    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (const auto& [name, source] : sources) {
      names.push_back(name.c_str());
      texts.push_back(source.c_str());
    }
    nvrtc().check(nvrtc().create(&program_, text.c_str(), "program.cu", static_cast<int>(names.size()), texts.data(),
                                 names.data()),
                  "nvrtcCreateProgram");
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

Cubin Nvrtc::compile(const SourceTree& sources, const std::vector<Program>& programs, const std::string& target) const {
  std::set<std::string> headers;
  std::set<std::string> entries;
  for (const Program& program : programs) {
    headers.insert(program.source);
    headers.insert(program.with.begin(), program.with.end());
    entries.insert(program.entries.begin(), program.entries.end());
  }
  std::string text;
  for (const std::string& header : headers) text += "#include \"" + header + "\"\n";

  const ProgramHandle handle(text, sources);
  for (const std::string& entry : entries)
    nvrtc().check(nvrtc().add_name(handle.get(), entry.c_str()), "nvrtcAddNameExpression");
  std::vector<std::string> options = kOptions;
  options.push_back("--gpu-architecture=" + target);
  if (!std::ranges::all_of(programs, &Program::contraction)) options.emplace_back("--fmad=false");
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());

  Cubin cubin;
  const nvrtcResult result = nvrtc().compile(handle.get(), static_cast<int>(arguments.size()), arguments.data());
  cubin.log = handle.log();
  cubin.ok = result == NVRTC_SUCCESS;
  if (!cubin.ok) {
    if (cubin.log.empty()) cubin.log = nvrtc().error_string(result);
    return cubin;
  }
  std::size_t size = 0;
  nvrtc().check(nvrtc().cubin_size(handle.get(), &size), "nvrtcGetCUBINSize");
  cubin.image.resize(size);
  nvrtc().check(nvrtc().cubin(handle.get(), cubin.image.data()), "nvrtcGetCUBIN");

  const auto found = parse_ptxas_log(cubin.log);
  for (const Program& program : programs) {
    auto& instances = cubin.instances.emplace_back();
    for (const std::string& entry : program.entries) {
      const char* symbol = nullptr;
      nvrtc().check(nvrtc().lowered_name(handle.get(), entry.c_str(), &symbol), "nvrtcGetLoweredName");
      const auto used = found.find(symbol);
      if (used == found.end()) throw std::runtime_error(fmt::format("the ptxas log does not name {}", symbol));
      instances[entry] = {.symbol = symbol,
                          .resources = used->second.resources,
                          .code_hash = code_hash(cubin.image, symbol),
                          .log = used->second.text};
    }
  }
  return cubin;
}

}  // namespace warpwright::gpu
