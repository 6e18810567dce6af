// Opens libraries at run time.
#include "kernels/system/shared_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace warpwright::gpu {

SharedLibrary::SharedLibrary(const std::vector<std::string>& candidates, const std::string& missing) {
  std::string reason;
  for (const std::string& candidate : candidates) {
    handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      path_ = candidate;
      return;
    }
    reason = dlerror();
  }
  throw std::runtime_error(missing + " (" + reason + ")");
}

void* SharedLibrary::address_of(const char* symbol) const {
  void* address = dlsym(handle_, symbol);
  if (address == nullptr) throw std::runtime_error(path_ + " has no " + symbol + ": install a newer version");
  return address;
}

}  // namespace warpwright::gpu
