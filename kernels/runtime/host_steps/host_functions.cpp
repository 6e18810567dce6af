// Loads and calls the functions that the host itself calls between the steps of a plan.
#include "kernels/runtime/host_steps/host_functions.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

#include "kernels/runtime/host_steps/host_call.cuh"
#include "kernels/runtime/host_steps/module_error.hpp"

namespace warpwright::simulator {

HostFunctions::HostFunctions(const std::filesystem::path& path)
    : library_(dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
        if (handle != nullptr) dlclose(handle);
      }) {
  if (library_ == nullptr) throw ModuleError(fmt::format("dlopen({}): {}", path.string(), dlerror()));
  void* const symbol = dlsym(library_.get(), "warpwright_host_functions");
  if (symbol == nullptr) throw ModuleError(fmt::format("{} is no module of host functions", path.string()));
  const HostFunctionTable& table = *reinterpret_cast<const HostFunctionTable* (*)()>(symbol)();
  if (table.version != host_call_version)
    throw ModuleError(fmt::format("{} was built for version {} of host calls, not {}: delete it", path.string(),
                                  table.version, host_call_version));
  for (unsigned i = 0; i < table.count; ++i) {
    const HostFunctionEntry& entry = table.functions[i];
    functions_[entry.name] = {.call = entry.call,
                              .signature = {.types = parameters_of_type(entry.type),
                                            .bytes = std::vector<std::size_t>(
                                                entry.parameter_bytes, entry.parameter_bytes + entry.parameter_count)}};
  }
}

const Signature* HostFunctions::signature(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second.signature;
}

void HostFunctions::call(const std::string& name, void** arguments) const {
  const auto found = functions_.find(name);
  if (found == functions_.end()) throw std::runtime_error("the module has no host function '" + name + "'");
  found->second.call(arguments);
}

}  // namespace warpwright::simulator
