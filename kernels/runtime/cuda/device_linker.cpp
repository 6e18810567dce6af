// nvJitLink, opened at run time.
#include "kernels/runtime/cuda/device_linker.hpp"

#include <fmt/format.h>
#include <nvJitLink.h>

#include <filesystem>
#include <stdexcept>

#include "kernels/system/environment_fault.hpp"
#include "kernels/system/shared_library.hpp"
#include "kernels/system/toolkit.hpp"

namespace warpwright::gpu {
namespace {

constexpr const char* kWhatFor = "sources that launch from the device are linked with it";

std::string device_runtime() {
  const std::filesystem::path path = toolkit_folder() / "lib64" / "libcudadevrt.a";
  if (!std::filesystem::exists(path))
    throw EnvironmentFault(
        fmt::format("CUDA's device runtime is missing, there is no {} ({}): install the CUDA toolkit and set CUDA_HOME "
                    "to its folder",
                    path.string(), kWhatFor));
  return path.string();
}

SharedLibrary opened() {
  return {
      toolkit_library("libnvJitLink.so"),
      fmt::format("nvJitLink was not found ({}): install it with the CUDA toolkit (12.8 or newer) and set CUDA_HOME "
                  "to its folder",
                  kWhatFor)};
}

struct Library {
  SharedLibrary library = opened();
  std::string runtime = device_runtime();
  decltype(nvJitLinkVersion)* version;
  decltype(nvJitLinkCreate)* create;
  decltype(nvJitLinkDestroy)* destroy;
  decltype(nvJitLinkAddData)* add_data;
  decltype(nvJitLinkAddFile)* add_file;
  decltype(nvJitLinkComplete)* complete;
  decltype(nvJitLinkGetErrorLogSize)* log_size;
  decltype(nvJitLinkGetErrorLog)* log;
  decltype(nvJitLinkGetLinkedCubinSize)* cubin_size;
  decltype(nvJitLinkGetLinkedCubin)* cubin;
  std::string version_text;

  Library() {
    library.load(version, "nvJitLinkVersion");
    library.load(create, "nvJitLinkCreate");
    library.load(destroy, "nvJitLinkDestroy");
    library.load(add_data, "nvJitLinkAddData");
    library.load(add_file, "nvJitLinkAddFile");
    library.load(complete, "nvJitLinkComplete");
    library.load(log_size, "nvJitLinkGetErrorLogSize");
    library.load(log, "nvJitLinkGetErrorLog");
    library.load(cubin_size, "nvJitLinkGetLinkedCubinSize");
    library.load(cubin, "nvJitLinkGetLinkedCubin");
    unsigned major = 0;
    unsigned minor = 0;
    if (version(&major, &minor) == NVJITLINK_SUCCESS) version_text = fmt::format("{}.{}", major, minor);
  }
};

const Library& nvjitlink() {
  try {
    static const Library library;
    return library;
  } catch (const EnvironmentFault&) {
    throw;
  } catch (const std::runtime_error& missing) {
    throw EnvironmentFault(missing.what());
  }
}

class Linking {
 public:
  explicit Linking(const std::string& target) {
    const std::string architecture = "-arch=" + target;
    const char* options[] = {architecture.c_str()};
    check(nvjitlink().create(&handle_, 1, options), "nvJitLinkCreate");
  }
  ~Linking() { nvjitlink().destroy(&handle_); }
  Linking(const Linking&) = delete;
  Linking& operator=(const Linking&) = delete;

  nvJitLinkHandle get() const { return handle_; }

  void check(nvJitLinkResult result, const char* call) const {
    if (result == NVJITLINK_SUCCESS) return;
    std::string words;
    std::size_t size = 0;
    if (handle_ != nullptr && nvjitlink().log_size(handle_, &size) == NVJITLINK_SUCCESS && size > 0) {
      words.resize(size);
      if (nvjitlink().log(handle_, words.data()) != NVJITLINK_SUCCESS) words.clear();
    }
    throw std::runtime_error(fmt::format("{}: error {}: {}", call, static_cast<int>(result), words.c_str()));
  }

 private:
  nvJitLinkHandle handle_ = nullptr;
};

}  // namespace

DeviceLinker::DeviceLinker() {
  nvjitlink();
}

std::string DeviceLinker::fingerprint() const {
  return fmt::format("nvJitLink {}, a device runtime of {} bytes", nvjitlink().version_text,
                     std::filesystem::file_size(nvjitlink().runtime));
}

std::string DeviceLinker::link(const std::string& cubin, const std::string& target) const {
  const Library& library = nvjitlink();
  const Linking linking(target);
  linking.check(library.add_data(linking.get(), NVJITLINK_INPUT_CUBIN, cubin.data(), cubin.size(), "program"),
                "nvJitLinkAddData");
  linking.check(library.add_file(linking.get(), NVJITLINK_INPUT_LIBRARY, library.runtime.c_str()), "nvJitLinkAddFile");
  linking.check(library.complete(linking.get()), "nvJitLinkComplete");
  std::size_t size = 0;
  linking.check(library.cubin_size(linking.get(), &size), "nvJitLinkGetLinkedCubinSize");
  std::string linked(size, '\0');
  linking.check(library.cubin(linking.get(), linked.data()), "nvJitLinkGetLinkedCubin");
  return linked;
}

}  // namespace warpwright::gpu
