// The functions that the host itself calls between the steps of a plan: compiled as ordinary code, and loaded.
#include "kernels/runtime/host/host_functions.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "kernels/runtime/host/host_call.cuh"
#include "kernels/runtime/host/module.hpp"

namespace warpwright::host {
namespace {

// No contraction: what the host adds to a product is rounded as on the device without fused multiply-add.
const std::vector<std::string>& flags() {
  static const std::vector<std::string> list = {
      "-std=c++20", "-shared", "-fPIC", "-O3", "-fvisibility=hidden", "-fno-gnu-unique", "-ffp-contract=off",
  };
  return list;
}

std::string translation_unit_of_functions(const CompileRequest& request) {
  std::string text;
  for (const auto& header : request.headers) text += fmt::format("#include \"{}\"\n", header);
  text +=
      "#include \"kernels/runtime/host/host_call.cuh\"\n"
      "#include <typeinfo>\n\n"
      "extern \"C\" __attribute__((visibility(\"default\")))\n"
      "const warpwright::host::HostFunctionTable* warpwright_host_functions() {\n"
      "  static const warpwright::host::HostFunctionEntry functions[] = {\n";
  for (const auto& entry : request.entries)
    text += fmt::format(
        "    warpwright::host::HostCall<&{0}>::entry({1}, typeid(warpwright::host::HostCall<&{0}>::Type).name()),\n",
        entry, quoted(entry));
  text += fmt::format(
      "    {{}}}};\n"
      "  static const warpwright::host::HostFunctionTable table = {{warpwright::host::host_call_version, {}, "
      "functions}};\n"
      "  return &table;\n}}\n",
      request.entries.size());
  return text;
}

}  // namespace

CompileResult compile_host_functions(const CompileRequest& request, const std::filesystem::path& output) {
  CompileRequest all = request;
  all.headers.push_back("kernels/runtime/host/host_call.cuh");
  return compile_shared_object(all, translation_unit_of_functions(request), flags(), output);
}

std::string host_functions_fingerprint() {
  const std::string compiler = compiler_identity();
  if (compiler.empty()) return "";
  return fmt::format("{}; {}; calls {}", compiler, fmt::join(flags(), " "), host_call_version);
}

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

}  // namespace warpwright::host
