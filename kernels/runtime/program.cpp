// Programs and their compiled form as JSON.
#include "kernels/runtime/program.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/model/hash.hpp"

namespace warpwright {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Resources, registers, spill_store_bytes, spill_load_bytes, stack_bytes,
                                   static_shared, barriers)

void to_json(nlohmann::json& json, const Instance& instance) {
  json = {{"symbol", instance.symbol},
          {"resources", instance.resources},
          {"code_hash", instance.code_hash},
          {"log", instance.log}};
}

void from_json(const nlohmann::json& json, Instance& instance) {
  json.at("symbol").get_to(instance.symbol);
  json.at("resources").get_to(instance.resources);
  json.at("code_hash").get_to(instance.code_hash);
  instance.log = json.value("log", "");  // caches of older versions hold none
}

Program program_of(const Plan& plan, const std::string& source) {
  Program program{.source = source, .entries = {}};
  for (const Launch& launch : launches_of(plan))
    if (std::ranges::find(program.entries, launch.entry) == program.entries.end())
      program.entries.push_back(launch.entry);
  return program;
}

std::string Built::code_hash() const {
  std::string all;
  for (const auto& [entry, instance] : instances) all += entry + '\0' + instance.code_hash + '\0';
  return hash_text(all);
}

void to_json(nlohmann::json& json, const Built& built) {
  json = {{"ok", built.ok}, {"log", built.log}};
  if (!built.ok) return;
  json["module"] = built.module;
  json["instances"] = built.instances;
}

void from_json(const nlohmann::json& json, Built& built) {
  built = {};
  json.at("ok").get_to(built.ok);
  json.at("log").get_to(built.log);
  if (!built.ok) return;
  json.at("module").get_to(built.module);
  json.at("instances").get_to(built.instances);
}

}  // namespace warpwright
