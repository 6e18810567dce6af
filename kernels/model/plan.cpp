// Plans as text: JSON for the worker and the database, words for people.
#include "kernels/model/plan.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpwright {
namespace {

using nlohmann::json;

template <class T>
ValueArgument value_of(ElementType type, T v) {
  ValueArgument argument{.type = type, .bytes = {}};
  std::memcpy(argument.bytes.data(), &v, sizeof v);
  return argument;
}

constexpr std::array<const char*, 4> kRoles{"in", "out", "inout", "scratch"};

Role role_named(const std::string& name) {
  for (std::size_t i = 0; i < kRoles.size(); ++i)
    if (name == kRoles[i]) return static_cast<Role>(i);
  throw std::invalid_argument("unknown buffer role '" + name + "'");
}

ElementType type_named(const std::string& name) {
  if (const auto type = element_type_named(name)) return *type;
  throw std::invalid_argument("unknown element type '" + name + "'");
}

json dim_json(const Dim3& dim) {
  return json::array({dim.x, dim.y, dim.z});
}

Dim3 dim_of(const json& j) {
  return {.x = j.at(0), .y = j.at(1), .z = j.at(2)};
}

json value_json(const ValueArgument& v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, v.bytes.data(), sizeof bits);
  return {{"type", name_of(v.type)}, {"bits", bits}};
}

ValueArgument value_of(const json& j) {
  ValueArgument v{.type = type_named(j.at("type")), .bytes = {}};
  const std::uint64_t bits = j.at("bits");
  std::memcpy(v.bytes.data(), &bits, sizeof bits);
  return v;
}

json argument_json(const Argument& argument) {
  if (const auto* pointer = std::get_if<BufferArgument>(&argument))
    return {{"buffer", pointer->buffer}, {"offset", pointer->byte_offset}};
  return value_json(std::get<ValueArgument>(argument));
}

Argument argument_of(const json& j) {
  if (j.contains("buffer")) return BufferArgument{.buffer = j.at("buffer"), .byte_offset = j.at("offset")};
  return value_of(j);
}

json step_json(const Step& step);

json steps_json(const std::vector<Step>& steps) {
  json list = json::array();
  for (const Step& step : steps) list.push_back(step_json(step));
  return list;
}

struct StepWriter {
  json operator()(const Launch& l) const {
    json arguments = json::array();
    for (const Argument& argument : l.arguments) arguments.push_back(argument_json(argument));
    return {{"launch", l.entry},        {"grid", dim_json(l.grid)}, {"block", dim_json(l.block)},
            {"shared", l.shared_bytes}, {"arguments", arguments},   {"cooperative", l.cooperative}};
  }
  json operator()(const Memset& m) const {
    return {{"memset", m.buffer}, {"count", m.count}, {"value", value_json(m.value)}};
  }
  json operator()(const Copy& c) const { return {{"copy", c.from}, {"to", c.to}, {"bytes", c.bytes}}; }
  json operator()(const ConstantUpload& u) const {
    return {{"constant", u.symbol}, {"buffer", u.buffer}, {"bytes", u.bytes}};
  }
  json operator()(const Repeat& r) const { return {{"repeat", r.times}, {"steps", steps_json(r.steps)}}; }
};

json step_json(const Step& step) {
  json j = std::visit(StepWriter{}, step.what);
  j["timed"] = step.timed;
  return j;
}

Step step_of(const json& j) {
  Step step;
  step.timed = j.at("timed");
  if (j.contains("launch")) {
    Launch launch{.entry = j.at("launch"),
                  .grid = dim_of(j.at("grid")),
                  .block = dim_of(j.at("block")),
                  .shared_bytes = j.at("shared"),
                  .arguments = {},
                  .cooperative = j.at("cooperative")};
    for (const json& argument : j.at("arguments")) launch.arguments.push_back(argument_of(argument));
    step.what = std::move(launch);
  } else if (j.contains("memset")) {
    step.what = Memset{.buffer = j.at("memset"), .count = j.at("count"), .value = value_of(j.at("value"))};
  } else if (j.contains("copy")) {
    step.what = Copy{.from = j.at("copy"), .to = j.at("to"), .bytes = j.at("bytes")};
  } else if (j.contains("constant")) {
    step.what = ConstantUpload{.symbol = j.at("constant"), .buffer = j.at("buffer"), .bytes = j.at("bytes")};
  } else {
    Repeat repeat{.times = j.at("repeat"), .steps = {}};
    for (const json& inner : j.at("steps")) repeat.steps.push_back(step_of(inner));
    step.what = std::move(repeat);
  }
  return step;
}

void collect_launches(const std::vector<Step>& steps, std::vector<Launch>& found) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step.what)) found.push_back(*launch);
    if (const auto* repeat = std::get_if<Repeat>(&step.what))
      if (repeat->times > 0) collect_launches(repeat->steps, found);
  }
}

std::string value_text(const ValueArgument& v) {
  const auto as = [&]<class T>(T zero) {
    std::memcpy(&zero, v.bytes.data(), sizeof zero);
    return fmt::format("{}", zero);
  };
  switch (v.type) {
    case ElementType::f32:
      return as(0.0F);
    case ElementType::f64:
      return as(0.0);
    case ElementType::i32:
      return as(std::int32_t{});
    default:
      return as(std::int64_t{});
  }
}

std::string argument_text(const Argument& argument) {
  if (const auto* pointer = std::get_if<BufferArgument>(&argument))
    return pointer->byte_offset == 0 ? pointer->buffer : fmt::format("{}+{}B", pointer->buffer, pointer->byte_offset);
  return value_text(std::get<ValueArgument>(argument));
}

struct StepTeller {
  std::string indent;

  std::string operator()(const Launch& l) const {
    std::string arguments;
    for (const Argument& argument : l.arguments) arguments += (arguments.empty() ? "" : ", ") + argument_text(argument);
    return fmt::format("{}launch {} grid {}x{}x{} block {}x{}x{} shared {} B ({}){}", indent, l.entry, l.grid.x,
                       l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.shared_bytes, arguments,
                       l.cooperative ? " cooperative" : "");
  }
  std::string operator()(const Memset& m) const {
    return fmt::format("{}memset {} elements of {} to {}", indent, m.count, m.buffer, value_text(m.value));
  }
  std::string operator()(const Copy& c) const {
    return fmt::format("{}copy {} B from {} to {}", indent, c.bytes, c.from, c.to);
  }
  std::string operator()(const ConstantUpload& u) const {
    return fmt::format("{}upload {} B of {} to constant {}", indent, u.bytes, u.buffer, u.symbol);
  }
  std::string operator()(const Repeat& r) const {
    std::string text = fmt::format("{}repeat {} times", indent, r.times);
    for (const Step& step : r.steps) text += "\n" + std::visit(StepTeller{indent + "  "}, step.what);
    return text;
  }
};

}  // namespace

bool Repeat::operator==(const Repeat& other) const {
  return times == other.times && steps == other.steps;
}

Argument pointer_to(std::string buffer, std::int64_t byte_offset) {
  return BufferArgument{.buffer = std::move(buffer), .byte_offset = byte_offset};
}
ValueArgument value(int v) {
  return value_of(ElementType::i32, v);
}
ValueArgument value(std::int64_t v) {
  return value_of(ElementType::i64, v);
}
ValueArgument value(float v) {
  return value_of(ElementType::f32, v);
}
ValueArgument value(double v) {
  return value_of(ElementType::f64, v);
}

const Buffer& Plan::buffer(const std::string& name) const {
  for (const Buffer& candidate : buffers)
    if (candidate.name == name) return candidate;
  throw std::out_of_range("the plan has no buffer '" + name + "'");
}

std::vector<Launch> launches_of(const Plan& plan) {
  std::vector<Launch> found;
  collect_launches(plan.steps, found);
  return found;
}

void to_json(json& j, const Buffer& buffer) {
  j = {{"name", buffer.name},
       {"role", kRoles[static_cast<std::size_t>(buffer.role)]},
       {"type", name_of(buffer.type)},
       {"count", buffer.count},
       {"zeroed", buffer.zeroed}};
  if (buffer.values == Values::factors) j["values"] = "factors";
}

void from_json(const json& j, Buffer& buffer) {
  buffer = {.name = j.at("name"),
            .role = role_named(j.at("role")),
            .type = type_named(j.at("type")),
            .count = j.at("count"),
            .zeroed = j.at("zeroed"),
            .values = j.contains("values") ? Values::factors : Values::terms};
}

void to_json(json& j, const Plan& plan) {
  j = {{"buffers", plan.buffers}, {"steps", steps_json(plan.steps)}};
}

void from_json(const json& j, Plan& plan) {
  plan.buffers = j.at("buffers").get<std::vector<Buffer>>();
  plan.steps.clear();
  for (const json& step : j.at("steps")) plan.steps.push_back(step_of(step));
}

std::string describe(const Plan& plan) {
  std::string text;
  for (const Buffer& buffer : plan.buffers)
    text += fmt::format("buffer {} {} {} x {}{}{}\n", buffer.name, kRoles[static_cast<std::size_t>(buffer.role)],
                        name_of(buffer.type), buffer.count, buffer.zeroed ? " zeroed" : "",
                        buffer.values == Values::factors ? " factors" : "");
  for (const Step& step : plan.steps)
    text += std::visit(StepTeller{}, step.what) + (step.timed ? "\n" : " (not timed)\n");
  return text;
}

}  // namespace warpwright
