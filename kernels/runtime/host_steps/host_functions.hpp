// Functions that the host itself calls between the steps of a plan: loading them from a module, and calling them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/model/signature.hpp"

namespace warpwright::simulator {

/// A module that compile_host_functions made.
class HostFunctions {
 public:
  /// Throws ModuleError.
  explicit HostFunctions(const std::filesystem::path& path);

  /// The parameters of that function; null for an unknown one.
  const Signature* signature(const std::string& name) const;
  /// Calls it; `arguments` points to the values of its parameters. Throws std::runtime_error for an unknown one.
  void call(const std::string& name, void** arguments) const;

 private:
  struct Function {
    void (*call)(void** arguments) = nullptr;
    Signature signature;
  };
  std::shared_ptr<void> library_;
  std::map<std::string, Function> functions_;
};

}  // namespace warpwright::simulator
