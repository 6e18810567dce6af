// The functions that the host itself calls between the steps of a plan: compiled as ordinary code, and loaded.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/model/signature.hpp"
#include "kernels/runtime/host/compile.hpp"

namespace warpwright::host {

/// Writes a module with these functions (the request's entries, declared in its headers, which must not include
/// device.cuh) to `output`, optimised and unchecked, each operation rounded by itself. As `compile` otherwise.
CompileResult compile_host_functions(const CompileRequest& request, const std::filesystem::path& output);

/// Everything but the request that decides what such a module is; empty when there is no compiler.
std::string host_functions_fingerprint();

/// A module that compile_host_functions made.
class HostFunctions {
 public:
  /// Throws ModuleError.
  explicit HostFunctions(const std::filesystem::path& path);

  /// What that function takes; null for an unknown one.
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

}  // namespace warpwright::host
