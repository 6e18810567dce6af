// Converts plans to JSON and back, for the worker and the database.
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernels/model/plan.hpp"

namespace warpwright {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 4> kRoles{"in", "out", "inout", "scratch"};
constexpr const char* kDigits = "0123456789abcdef";

constexpr std::array<const char*, 4> kPlaces{"device", "pageable", "pinned", "managed"};

Where place_named(const std::string& name) {
  for (std::size_t i = 0; i < kPlaces.size(); ++i)
    if (name == kPlaces[i]) return static_cast<Where>(i);
  throw std::invalid_argument("unknown place '" + name + "' of a buffer");
}

Role role_named(const std::string& name) {
  for (std::size_t i = 0; i < kRoles.size(); ++i)
    if (name == kRoles[i]) return static_cast<Role>(i);
  throw std::invalid_argument("unknown buffer role '" + name + "'");
}

ElementType type_named(const std::string& name) {
  if (const auto type = element_type_named(name)) return *type;
  throw std::invalid_argument("unknown element type '" + name + "'");
}

std::string hex(const Bytes& bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

Bytes bytes_of_hex(const std::string& text) {
  Bytes bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned byte = 0;
    const char* const end = text.data() + 2 * i + 2;
    const auto [stopped, error] = std::from_chars(text.data() + 2 * i, end, byte, 16);
    if (error != std::errc() || stopped != end) throw std::invalid_argument("'" + text + "' is no list of bytes");
    bytes[i] = static_cast<std::byte>(byte);
  }
  if (text.size() % 2 != 0) throw std::invalid_argument("'" + text + "' ends within a byte");
  return bytes;
}

json dim_json(const Dim3& dim) {
  return json::array({dim.x, dim.y, dim.z});
}

Dim3 dim_of(const json& j) {
  return {.x = j.at(0), .y = j.at(1), .z = j.at(2)};
}

json pointer_json(const BufferArgument& pointer) {
  json j{{"buffer", pointer.buffer}, {"offset", pointer.byte_offset}};
  if (!pointer.as.empty()) j["as"] = pointer.as;
  return j;
}

BufferArgument pointer_of(const json& j) {
  return {.buffer = j.at("buffer"), .byte_offset = j.at("offset"), .as = j.value("as", "")};
}

json argument_json(const Argument& argument) {
  if (const auto* pointer = std::get_if<BufferArgument>(&argument)) return pointer_json(*pointer);
  if (const auto* value = std::get_if<ValueArgument>(&argument)) return *value;
  if (const auto* bound = std::get_if<TextureArgument>(&argument)) return bound->texture;
  if (const auto* tiled = std::get_if<TensorMapArgument>(&argument))
    return {{"tensor_map", tiled->map}, {"matrix", pointer_json(tiled->matrix)}};
  return "index";
}

Argument argument_of(const json& j) {
  if (j == "index") return IndexArgument{};
  if (j.contains("buffer")) return pointer_of(j);
  if (j.contains("tensor_map")) return TensorMapArgument{pointer_of(j.at("matrix")), j.at("tensor_map")};
  if (j.contains("texture")) return TextureArgument{j.get<Texture>()};
  return j.get<ValueArgument>();
}

json arguments_json(const std::vector<Argument>& arguments) {
  json list = json::array();
  for (const Argument& argument : arguments) list.push_back(argument_json(argument));
  return list;
}

std::vector<Argument> arguments_of(const json& list) {
  std::vector<Argument> arguments;
  for (const json& argument : list) arguments.push_back(argument_of(argument));
  return arguments;
}

json step_json(const Step& step);

json steps_json(const std::vector<Step>& steps) {
  json list = json::array();
  for (const Step& step : steps) list.push_back(step_json(step));
  return list;
}

struct StepWriter {
  json operator()(const Launch& l) const {
    json j{{"launch", l.entry},           {"grid", dim_json(l.grid)},
           {"block", dim_json(l.block)},  {"cluster", dim_json(l.cluster)},
           {"shared", l.shared_bytes},    {"arguments", arguments_json(l.arguments)},
           {"cooperative", l.cooperative}};
    if (l.programmatic) j["programmatic"] = true;  // else left out, so that other plans keep their identity
    return j;
  }
  json operator()(const Memset& m) const { return {{"memset", m.buffer}, {"count", m.count}, {"value", m.value}}; }
  json operator()(const Copy& c) const {
    json j{{"copy", c.from}, {"to", c.to}, {"bytes", c.bytes}};
    if (c.from_offset != 0) j["from_offset"] = c.from_offset;
    if (c.to_offset != 0) j["to_offset"] = c.to_offset;
    return j;
  }
  json operator()(const Prefetch& p) const {
    return {{"prefetch", p.buffer}, {"offset", p.byte_offset}, {"bytes", p.bytes}, {"to_host", p.to_host}};
  }
  json operator()(const HostWork& w) const {
    json accesses = json::array();
    for (const HostAccess& a : w.accesses)
      accesses.push_back({{"buffer", a.buffer}, {"offset", a.byte_offset}, {"bytes", a.bytes}, {"writes", a.writes}});
    return {
        {"host", w.function}, {"source", w.source}, {"arguments", arguments_json(w.arguments)}, {"accesses", accesses}};
  }
  json operator()(const Synchronise&) const { return {{"synchronise", true}}; }
  json operator()(const ConstantUpload& u) const {
    return {{"constant", u.symbol}, {"buffer", u.buffer}, {"bytes", u.bytes}};
  }
  json operator()(const TextureUpload& u) const { return {{"fill", u.texture}}; }
  json operator()(const Repeat& r) const {
    return {{"repeat", r.times}, {"steps", steps_json(r.steps)}, {"swaps", r.swaps}};
  }
};

json step_json(const Step& step) {
  json j = std::visit(StepWriter{}, step.what);
  j["timed"] = step.timed;
  // Without streams, the JSON is the same as before plans had streams.
  if (step.stream != 0) j["stream"] = step.stream;
  if (!step.label.empty()) j["label"] = step.label;
  if (!step.waits.empty()) j["waits"] = step.waits;
  return j;
}

HostWork host_work_of(const json& j) {
  HostWork work{
      .source = j.at("source"), .function = j.at("host"), .arguments = arguments_of(j.at("arguments")), .accesses = {}};
  for (const json& a : j.at("accesses"))
    work.accesses.push_back(
        {.buffer = a.at("buffer"), .byte_offset = a.at("offset"), .bytes = a.at("bytes"), .writes = a.at("writes")});
  return work;
}

Step step_of(const json& j) {
  Step step;
  step.timed = j.at("timed");
  step.stream = j.value("stream", 0);
  step.label = j.value("label", "");
  step.waits = j.value("waits", std::vector<std::string>());
  if (j.contains("launch")) {
    Launch launch{.entry = j.at("launch"),
                  .grid = dim_of(j.at("grid")),
                  .block = dim_of(j.at("block")),
                  .cluster = dim_of(j.at("cluster")),
                  .shared_bytes = j.at("shared"),
                  .arguments = arguments_of(j.at("arguments")),
                  .cooperative = j.at("cooperative"),
                  .programmatic = j.value("programmatic", false)};
    step.what = std::move(launch);
  } else if (j.contains("memset")) {
    step.what = Memset{.buffer = j.at("memset"), .count = j.at("count"), .value = j.at("value")};
  } else if (j.contains("copy")) {
    step.what = Copy{.from = j.at("copy"),
                     .to = j.at("to"),
                     .bytes = j.at("bytes"),
                     .from_offset = j.value("from_offset", std::int64_t{0}),
                     .to_offset = j.value("to_offset", std::int64_t{0})};
  } else if (j.contains("prefetch")) {
    step.what = Prefetch{
        .buffer = j.at("prefetch"), .byte_offset = j.at("offset"), .bytes = j.at("bytes"), .to_host = j.at("to_host")};
  } else if (j.contains("host")) {
    step.what = host_work_of(j);
  } else if (j.contains("synchronise")) {
    step.what = Synchronise{};
  } else if (j.contains("constant")) {
    step.what = ConstantUpload{.symbol = j.at("constant"), .buffer = j.at("buffer"), .bytes = j.at("bytes")};
  } else if (j.contains("fill")) {
    step.what = TextureUpload{j.at("fill").get<Texture>()};
  } else {
    Repeat repeat{.times = j.at("repeat"), .steps = {}, .swaps = {}};
    for (const json& inner : j.at("steps")) repeat.steps.push_back(step_of(inner));
    j.at("swaps").get_to(repeat.swaps);
    step.what = std::move(repeat);
  }
  return step;
}

}  // namespace

void to_json(json& j, const Buffer& buffer) {
  j = {{"name", buffer.name},
       {"role", kRoles.at(static_cast<std::size_t>(buffer.role))},
       {"type", name_of(buffer.type)},
       {"count", buffer.count},
       {"self_restoring", buffer.self_restoring}};
  if (buffer.where != Where::device) j["where"] = kPlaces.at(static_cast<std::size_t>(buffer.where));
}

void from_json(const json& j, Buffer& buffer) {
  buffer = {.name = j.at("name"),
            .role = role_named(j.at("role")),
            .type = type_named(j.at("type")),
            .count = j.at("count"),
            .self_restoring = j.at("self_restoring"),
            .where = place_named(j.value("where", kPlaces.front()))};
}

void to_json(json& j, const ValueArgument& value) {
  j = {{"type", value.type}, {"bytes", hex(value.bytes)}};
  for (const PointerMember& pointer : value.pointers)
    j["pointers"].push_back({{"at", pointer.at}, {"to", pointer_json(pointer.to)}});
}

void from_json(const json& j, ValueArgument& value) {
  value = {.type = j.at("type"), .bytes = bytes_of_hex(j.at("bytes"))};
  for (const json& pointer : j.value("pointers", json::array()))
    value.pointers.push_back({.at = pointer.at("at"), .to = pointer_of(pointer.at("to"))});
}

void to_json(json& j, const Plan& plan) {
  j = {{"buffers", plan.buffers}, {"steps", steps_json(plan.steps)}};
  if (!plan.definitions.empty()) j["definitions"] = plan.definitions;
}

void from_json(const json& j, Plan& plan) {
  plan.buffers = j.at("buffers").get<std::vector<Buffer>>();
  plan.steps.clear();
  for (const json& step : j.at("steps")) plan.steps.push_back(step_of(step));
  plan.definitions = j.value("definitions", Definitions());
}

}  // namespace warpwright
