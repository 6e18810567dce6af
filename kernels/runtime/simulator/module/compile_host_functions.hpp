// Compiles the functions that the host itself calls between the steps of a plan, as ordinary CPU code.
#pragma once

#include <filesystem>
#include <string>

#include "kernels/runtime/simulator/module/compile.hpp"

namespace warpwright::simulator {

/// Writes a module with these functions (the request's entries, declared in its headers, which must not include
/// device.cuh) to `output`, optimised and unchecked; each operation is rounded separately. Otherwise like `compile`.
CompileResult compile_host_functions(const CompileRequest& request, const std::filesystem::path& output);

/// Identifies everything that determines such a module, other than the request; empty if there is no compiler.
std::string host_functions_fingerprint();

}  // namespace warpwright::simulator
