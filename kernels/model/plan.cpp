// Plans: their parts, what can be derived from them, and their description for people.
#include "kernels/model/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace warpwright {
namespace {

/// Calls `visit(step, times)` for every step that runs, in order. A repeat comes before its own steps.
template <class Visit>
void walk(const std::vector<Step>& steps, std::int64_t times, const Visit& visit) {
  for (const Step& step : steps) {
    visit(step, times);
    if (const auto* repeat = std::get_if<Repeat>(&step.what))
      if (repeat->times > 0) walk(repeat->steps, times * repeat->times, visit);
  }
}

std::string dim_text(const Dim3& dim) {
  return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
}

template <class T>
bool tell_as(const ValueArgument& v, const char* type, std::string& text) {
  if (v.type != type || v.bytes.size() != sizeof(T)) return false;
  T number;
  std::memcpy(&number, v.bytes.data(), sizeof number);
  text = fmt::format("{}", number);
  return true;
}

/// "in+64B"
std::string place_text(const std::string& buffer, std::int64_t byte_offset) {
  return byte_offset == 0 ? buffer : fmt::format("{}+{}B", buffer, byte_offset);
}

std::string value_text(const ValueArgument& v) {
  std::string text;
  if (tell_as<int>(v, "int", text) || tell_as<unsigned>(v, "unsigned int", text) ||
      tell_as<long long>(v, "long long", text) || tell_as<unsigned long long>(v, "unsigned long long", text) ||
      tell_as<float>(v, "float", text) || tell_as<double>(v, "double", text))
    return text;
  if (v.type == kNullPointer) return v.type;
  std::string pointers;
  for (const PointerMember& pointer : v.pointers)
    pointers += " -> " + place_text(pointer.to.buffer, pointer.to.byte_offset);
  return fmt::format("{} of {} B{}", v.type, v.bytes.size(), pointers);
}

std::string argument_text(const Argument& argument) {
  if (const auto* pointer = std::get_if<BufferArgument>(&argument))
    return place_text(pointer->buffer, pointer->byte_offset);
  if (const auto* value = std::get_if<ValueArgument>(&argument)) return value_text(*value);
  if (const auto* bound = std::get_if<TextureArgument>(&argument)) return describe(bound->texture);
  if (const auto* tiled = std::get_if<TensorMapArgument>(&argument))
    return place_text(tiled->matrix.buffer, tiled->matrix.byte_offset) + " in " + describe(tiled->map);
  return "iteration";
}

std::string arguments_text(const std::vector<Argument>& arguments) {
  std::string text;
  for (const Argument& argument : arguments) text += (text.empty() ? "" : ", ") + argument_text(argument);
  return text;
}

std::string step_text(const Step& step, const std::string& indent);

struct StepTeller {
  std::string indent;

  std::string operator()(const Launch& l) const {
    return fmt::format("{}launch {} grid {} block {}{} shared {} B ({}){}", indent, l.entry, dim_text(l.grid),
                       dim_text(l.block), l.cluster == Dim3{} ? "" : " cluster " + dim_text(l.cluster), l.shared_bytes,
                       arguments_text(l.arguments),
                       std::string(l.cooperative ? " cooperative" : "") + (l.programmatic ? " programmatic" : ""));
  }
  std::string operator()(const Memset& m) const {
    return fmt::format("{}memset {} elements of {} to {}", indent, m.count, m.buffer, value_text(m.value));
  }
  std::string operator()(const Copy& c) const {
    return fmt::format("{}copy {} B from {} to {}", indent, c.bytes, place_text(c.from, c.from_offset),
                       place_text(c.to, c.to_offset));
  }
  std::string operator()(const Prefetch& p) const {
    return fmt::format("{}prefetch {} B of {} to the {}", indent, p.bytes, place_text(p.buffer, p.byte_offset),
                       p.to_host ? "host" : "device");
  }
  std::string operator()(const HostWork& w) const {
    std::string accesses;
    for (const HostAccess& access : w.accesses)
      accesses += fmt::format(", {} {} B of {}", access.writes ? "writes" : "reads", access.bytes,
                              place_text(access.buffer, access.byte_offset));
    return fmt::format("{}host {} ({}){}", indent, w.function, arguments_text(w.arguments), accesses);
  }
  std::string operator()(const Synchronise&) const { return indent + "host waits"; }
  std::string operator()(const ConstantUpload& u) const {
    return fmt::format("{}upload {} B of {} to constant {}", indent, u.bytes, u.buffer, u.symbol);
  }
  std::string operator()(const TextureUpload& u) const {
    return fmt::format("{}upload {} B to the {}", indent, u.texture.bytes(), describe(u.texture));
  }
  std::string operator()(const Repeat& r) const {
    std::string text = fmt::format("{}repeat {} times", indent, r.times);
    for (const auto& [first, second] : r.swaps) text += fmt::format(", then {} and {} swap", first, second);
    for (const Step& step : r.steps) text += "\n" + step_text(step, indent + "  ");
    return text;
  }
};

std::string step_text(const Step& step, const std::string& indent) {
  std::string text = std::visit(StepTeller{indent}, step.what);
  if (step.stream != 0) text += fmt::format(" in stream {}", step.stream);
  if (!step.label.empty()) text += fmt::format(" as '{}'", step.label);
  if (!step.waits.empty()) text += fmt::format(" behind '{}'", fmt::join(step.waits, "', '"));
  return text;
}

constexpr std::array<const char*, 4> kRoleWords{"in", "out", "inout", "scratch"};

}  // namespace

bool Repeat::operator==(const Repeat& other) const {
  return times == other.times && steps == other.steps && swaps == other.swaps;
}

Argument pointer_to(std::string buffer, std::int64_t byte_offset) {
  return BufferArgument{.buffer = std::move(buffer), .byte_offset = byte_offset, .as = {}};
}
std::vector<const BufferArgument*> pointers_of(const Argument& argument) {
  std::vector<const BufferArgument*> pointers;
  if (const auto* pointer = std::get_if<BufferArgument>(&argument)) pointers.push_back(pointer);
  if (const auto* value = std::get_if<ValueArgument>(&argument))
    for (const PointerMember& member : value->pointers) pointers.push_back(&member.to);
  if (const auto* tiled = std::get_if<TensorMapArgument>(&argument)) pointers.push_back(&tiled->matrix);
  return pointers;
}

ValueArgument value(int v) {
  return value_of("int", v);
}
ValueArgument value(unsigned v) {
  return value_of("unsigned int", v);
}
ValueArgument value(std::int64_t v) {
  return value_of("long long", v);
}
ValueArgument value(std::uint64_t v) {
  return value_of("unsigned long long", v);
}
ValueArgument value(float v) {
  return value_of("float", v);
}
ValueArgument value(double v) {
  return value_of("double", v);
}

const Buffer& Plan::buffer(const std::string& name) const {
  for (const Buffer& candidate : buffers)
    if (candidate.name == name) return candidate;
  throw std::out_of_range("the plan has no buffer '" + name + "'");
}

bool is_host_step(const Step& step) {
  return std::holds_alternative<HostWork>(step.what) || std::holds_alternative<Synchronise>(step.what);
}

std::span<const Step> timed_part(const Plan& plan) {
  const auto is_timed = [](const Step& step) { return step.timed; };
  const auto first = std::ranges::find_if(plan.steps, is_timed);
  const auto last = std::find_if(plan.steps.rbegin(), std::make_reverse_iterator(first), is_timed).base();
  return {first, last};
}

bool Plan::is_plain() const {
  bool plain = std::ranges::all_of(buffers, [](const Buffer& buffer) { return buffer.where == Where::device; });
  walk(steps, 1, [&](const Step& step, std::int64_t) {
    plain = plain && step.stream == 0 && step.waits.empty() && !is_host_step(step);
  });
  return plain;
}

std::vector<PlannedLaunch> launches_of(const Plan& plan) {
  std::vector<PlannedLaunch> found;
  walk(plan.steps, 1, [&](const Step& step, std::int64_t times) {
    if (const auto* launch = std::get_if<Launch>(&step.what)) found.push_back({.launch = *launch, .times = times});
  });
  return found;
}

std::vector<std::string> constants_of(const Plan& plan) {
  std::vector<std::string> found;
  walk(plan.steps, 1, [&](const Step& step, std::int64_t) {
    const auto* upload = std::get_if<ConstantUpload>(&step.what);
    if (upload != nullptr && std::ranges::find(found, upload->symbol) == found.end()) found.push_back(upload->symbol);
  });
  return found;
}

std::vector<Texture> textures_of(const Plan& plan) {
  std::vector<Texture> found;
  for (const auto& [launch, times] : launches_of(plan))
    for (const Argument& argument : launch.arguments)
      if (const auto* bound = std::get_if<TextureArgument>(&argument);
          bound != nullptr && std::ranges::find(found, bound->texture) == found.end())
        found.push_back(bound->texture);
  return found;
}

HostFunctionSources host_functions_of(const Plan& plan) {
  HostFunctionSources found;
  walk(plan.steps, 1, [&](const Step& step, std::int64_t) {
    if (const auto* work = std::get_if<HostWork>(&step.what)) found[work->function] = work->source;
  });
  return found;
}

double threads_of(const Plan& plan) {
  double threads = 0;
  for (const auto& [launch, times] : launches_of(plan))
    threads += static_cast<double>(times) * static_cast<double>(launch.grid.count()) *
               static_cast<double>(launch.block.count());
  return threads;
}

std::string describe(const Plan& plan) {
  std::string text;
  for (const Buffer& buffer : plan.buffers)
    text += fmt::format("buffer {} {} {} x {}{}{}\n", buffer.name, kRoleWords.at(static_cast<std::size_t>(buffer.role)),
                        name_of(buffer.type), buffer.count, buffer.self_restoring ? " self-restoring" : "",
                        buffer.where == Where::device ? "" : " " + word_of(buffer.where));
  for (const auto& [name, value] : plan.definitions) text += fmt::format("define {} {}\n", name, value);
  for (const Step& step : plan.steps) text += step_text(step, "") + (step.timed ? "\n" : " (not timed)\n");
  return text;
}

std::string describe(const Step& step) {
  if (const auto* repeat = std::get_if<Repeat>(&step.what)) return fmt::format("repeat {} times", repeat->times);
  return step_text(step, "");
}

std::string word_of(Where where) {
  constexpr std::array<const char*, 4> kWords{"", "pageable", "pinned", "managed"};
  return kWords.at(static_cast<std::size_t>(where));
}

}  // namespace warpwright
