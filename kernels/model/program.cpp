// Programs, and conversion of compiled programs to JSON and back.
#include "kernels/model/program.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/core/hash.hpp"
#include "kernels/model/signature.hpp"

namespace warpwright {
namespace {

/// The header that declares __half and __nv_bfloat16.
constexpr std::string_view kCudaHalves = "kernels/runtime/cuda_halves.cuh";

void add_new(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Resources, registers, spill_store_bytes, spill_load_bytes, stack_bytes,
                                   static_shared, barriers)

void to_json(nlohmann::json& json, const Instance& instance) {
  json = {{"symbol", instance.symbol},
          {"resources", instance.resources},
          {"code_hash", instance.code_hash},
          {"log", instance.log},
          {"parameter_bytes", instance.parameter_bytes}};
}

void from_json(const nlohmann::json& json, Instance& instance) {
  json.at("symbol").get_to(instance.symbol);
  json.at("resources").get_to(instance.resources);
  json.at("code_hash").get_to(instance.code_hash);
  // Caches of older versions do not have these.
  instance.log = json.value("log", "");
  instance.parameter_bytes = json.value("parameter_bytes", std::vector<std::size_t>());
}

Program program_of(const Plan& plan, const std::string& source) {
  Program program{.source = source,
                  .entries = {},
                  .constants = constants_of(plan),
                  .host_functions = host_functions_of(plan),
                  .definitions = plan.definitions};
  for (const PlannedLaunch& planned : launches_of(plan)) {
    const std::string& entry = planned.launch.entry;
    add_new(program.entries, {entry});
    for (const ElementType half : {ElementType::f16, ElementType::bf16})
      if (entry.find(name_of(half)) != std::string::npos) add_new(program.with, {std::string(kCudaHalves)});
  }
  return program;
}

Program host_functions_program(const Program& program) {
  Program made;
  for (const auto& [function, source] : program.host_functions) {
    made.entries.push_back(function);
    if (made.source.empty())
      made.source = source;
    else if (source != made.source)
      add_new(made.with, {source});
  }
  return made;
}

bool launches_from_device(const SourceTree& sources, const Program& program) {
  const auto includes_it = [&](const std::string& source) {
    return std::ranges::count(includes_of(sources, source), "kernels/runtime/child_launch.cuh") > 0;
  };
  return includes_it(program.source) || std::ranges::any_of(program.with, includes_it);
}

bool needs_exact_architecture(const SourceTree& sources, const Program& program) {
  const auto mentions_them = [&](const std::string& source) {
    return std::ranges::any_of(includes_of(sources, source), [&](const std::string& path) {
      const std::string& text = sources.at(path);
      return !is_cpu_model(path) &&
             (text.find("wgmma.") != std::string::npos || text.find("setmaxnreg.") != std::string::npos);
    });
  };
  return mentions_them(program.source) || std::ranges::any_of(program.with, mentions_them);
}

CompileKind compile_kind(const SourceTree& sources, const Program& program) {
  return {.launches_from_device = launches_from_device(sources, program),
          .needs_exact_architecture = needs_exact_architecture(sources, program)};
}

Program& Program::operator+=(const Program& other) {
  if (source != other.source || definitions != other.definitions)
    throw std::invalid_argument(source + " and " + other.source + " are not one program");
  add_new(entries, other.entries);
  add_new(constants, other.constants);
  add_new(with, other.with);
  contraction = contraction && other.contraction;
  host_functions.insert(other.host_functions.begin(), other.host_functions.end());
  return *this;
}

std::string CompiledProgram::code_hash() const {
  std::string all;
  for (const auto& [entry, instance] : instances) all += entry + '\0' + instance.code_hash + '\0';
  // The name of a file in the cache is a hash of its contents.
  if (!host_functions.empty()) all += std::filesystem::path(host_functions).filename().string();
  return hash_text(all);
}

std::string argument_mismatch(const Plan& plan, const CompiledProgram& built) {
  for (const std::string& constant : constants_of(plan))
    if (!built.constants.contains(constant)) return "the program does not hold the constant " + constant;
  std::map<std::string, Signature> signatures;
  for (const auto& [entry, instance] : built.instances) {
    Signature& signature = signatures[entry];
    signature.types = parameters_of(instance.symbol);
    if (!instance.parameter_bytes.empty()) signature.bytes = instance.parameter_bytes;
  }
  return argument_mismatch(plan, [&](const std::string& entry) {
    const auto found = signatures.find(entry);
    return found == signatures.end() ? nullptr : &found->second;
  });
}

std::string_view storage_name(ElementType type) {
  if (type == ElementType::f16) return "warpwright::float16";
  if (type == ElementType::bf16) return "warpwright::bfloat16";
  if (type == ElementType::tf32) return "warpwright::tfloat32";
  if (type == ElementType::e4m3) return "warpwright::float8_e4m3";
  if (type == ElementType::e5m2) return "warpwright::float8_e5m2";
  return name_of(type);
}

void to_json(nlohmann::json& json, const CompiledProgram& built) {
  json = {{"ok", built.ok}, {"log", built.log}};
  if (!built.missing_header.empty()) json["missing_header"] = built.missing_header;
  if (!built.ok) return;
  json["module"] = built.module;
  json["instances"] = built.instances;
  json["constants"] = built.constants;
  if (!built.host_functions.empty()) json["host_functions"] = built.host_functions;
}

void from_json(const nlohmann::json& json, CompiledProgram& built) {
  built = {};
  json.at("ok").get_to(built.ok);
  json.at("log").get_to(built.log);
  built.missing_header = json.value("missing_header", "");
  if (!built.ok) return;
  json.at("module").get_to(built.module);
  json.at("instances").get_to(built.instances);
  built.constants = json.value("constants", built.constants);
  built.host_functions = json.value("host_functions", "");
}

}  // namespace warpwright
