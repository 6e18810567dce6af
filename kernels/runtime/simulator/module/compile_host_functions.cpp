// Compiles the functions that the host itself calls between the steps of a plan, as ordinary CPU code.
#include "kernels/runtime/simulator/module/compile_host_functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/runtime/host_steps/host_call.cuh"

namespace warpwright::simulator {
namespace {

// No contraction: products and sums are rounded separately, as on the device without fused multiply-add.
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
      "#include \"kernels/runtime/host_steps/host_call.cuh\"\n"
      "#include <typeinfo>\n\n"
      "extern \"C\" __attribute__((visibility(\"default\")))\n"
      "const warpwright::simulator::HostFunctionTable* warpwright_host_functions() {\n"
      "  static const warpwright::simulator::HostFunctionEntry functions[] = {\n";
  for (const auto& entry : request.entries)
    text += fmt::format(
        "    warpwright::simulator::HostCall<&{0}>::entry({1}, "
        "typeid(warpwright::simulator::HostCall<&{0}>::Type).name()),\n",
        entry, quoted(entry));
  text += fmt::format(
      "    {{}}}};\n"
      "  static const warpwright::simulator::HostFunctionTable table = {{warpwright::simulator::host_call_version, {}, "
      "functions}};\n"
      "  return &table;\n}}\n",
      request.entries.size());
  return text;
}

}  // namespace

CompileResult compile_host_functions(const CompileRequest& request, const std::filesystem::path& output) {
  CompileRequest all = request;
  all.headers.push_back("kernels/runtime/host_steps/host_call.cuh");
  return compile_shared_object(all, translation_unit_of_functions(request), flags(), output);
}

std::string host_functions_fingerprint() {
  const std::string compiler = compiler_identity();
  if (compiler.empty()) return "";
  return fmt::format("{}; {}; calls {}", compiler, fmt::join(flags(), " "), host_call_version);
}

}  // namespace warpwright::simulator
