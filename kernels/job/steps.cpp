// Makes the launches of a plan from the steps of a job.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "kernels/core/text.hpp"
#include "kernels/job/lowering.hpp"
#include "kernels/job/tensor_maps.hpp"
#include "kernels/job/text/signatures.hpp"
#include "kernels/job/textures.hpp"
#include "kernels/model/signature.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::job {
namespace {

/// The bytes of a value of that type.
Bytes bytes_as(const TypeWord& type, Value value) {
  return with_storage_of(type.element, [&]<class T>(T) {
    T element;
    if constexpr (std::is_integral_v<T>)
      element = static_cast<T>(std::is_signed_v<T> ? static_cast<std::int64_t>(value)
                                                   : static_cast<std::int64_t>(static_cast<std::uint64_t>(value)));
    else if constexpr (std::is_floating_point_v<T>)
      element = static_cast<T>(value);
    else
      element = static_cast<T>(static_cast<float>(value));
    Bytes bytes(sizeof element);
    std::memcpy(bytes.data(), &element, sizeof element);
    return bytes;
  });
}

class StepMaker {
 public:
  explicit StepMaker(const StepRequest& request)
      : request_(request), names_(names_of(request.lowering.job, request.point, request.problem, request.device)) {
    names_.insert(request.further.begin(), request.further.end());
  }

  std::vector<Step> steps(const std::vector<JobStep>& list) const {
    std::vector<Step> made;
    for (const JobStep& step : list) {
      if (!step.zero.empty()) {
        made.push_back({.what = zeros(plan_buffer(*find_buffer(job(), step.zero), names_)), .label = step.label});
      } else if (!step.index.empty()) {
        StepMaker pass = *this;
        for (Names& names : names_in(step, names_)) {
          pass.names_ = std::move(names);
          std::ranges::move(pass.steps(step.steps), std::back_inserter(made));
        }
      } else if (step.repeat) {
        Repeat repeat{.times = static_cast<std::int64_t>(step.repeat->value(names_)), .steps = steps(step.steps)};
        for (const auto& [one, other] : step.swaps) repeat.swaps.emplace_back(renamed(one), renamed(other));
        made.push_back({.what = std::move(repeat)});
      } else {
        made.push_back({.what = launch(step), .stream = step.stream, .label = step.label, .waits = step.after});
      }
    }
    return made;
  }

  /// `function`: null if its parameters are not known.
  std::vector<Argument> arguments(const std::vector<JobArgument>& given, const GlobalFunction* function,
                                  const Node& place) const {
    if (function != nullptr && given.size() != function->parameters.size())
      place.fail(fmt::format("{} takes {} arguments, and \"arguments\" has {}", function->name,
                             function->parameters.size(), given.size()));
    std::vector<Argument> made;
    for (std::size_t i = 0; i < given.size(); ++i)
      made.push_back(argument(given[i], function == nullptr ? nullptr : &function->parameters[i], function));
    return made;
  }

 private:
  const Job& job() const { return request_.lowering.job; }

  std::string renamed(const std::string& buffer) const {
    const auto found = request_.renamed.find(buffer);
    return found == request_.renamed.end() ? buffer : found->second;
  }

  Memset zeros(const Buffer& buffer) const {
    const std::size_t size = size_of(buffer.type);
    return {.buffer = renamed(buffer.name),
            .count = buffer.count,
            .value = {.type = size == 1   ? "unsigned char"
                              : size == 2 ? "unsigned short"
                              : size == 4 ? "unsigned int"
                                          : "unsigned long long",
                      .bytes = Bytes(size)}};
  }

  Dim3 dim(const std::array<Expression, 3>& given) const {
    const auto extent = [&](const Expression& one) { return static_cast<std::uint32_t>(one.value(names_)); };
    return {.x = extent(given[0]), .y = extent(given[1]), .z = extent(given[2])};
  }

  std::vector<std::string> template_arguments(const JobStep& step, const GlobalFunction& function) const {
    std::vector<std::string> arguments = step.template_arguments.value_or(template_names(function));
    for (std::string& argument : arguments) argument = template_argument(step, argument);
    return arguments;
  }

  std::string entry(const JobStep& step, const GlobalFunction& function) const {
    const std::vector<std::string> arguments = template_arguments(step, function);
    return arguments.empty() ? function.name : fmt::format("{}<{}>", function.name, fmt::join(arguments, ", "));
  }

  /// A param's spelling, the value of an expression, or the text itself: a type.
  std::string template_argument(const JobStep& step, const std::string& text) const {
    for (std::size_t i = 0; i < job().params.size(); ++i) {
      const Axis& axis = job().params[i].axis;
      if (text == job().params[i].name)
        return axis.spellings.at(
            static_cast<std::size_t>(std::ranges::find(axis.values, request_.point.at(i)) - axis.values.begin()));
    }
    try {
      const Expression expression = Expression::parse(text);
      if (std::ranges::all_of(expression.names(), [&](const auto& name) { return names_.contains(name); })) {
        const Value value = expression.value(names_);
        if (!is_whole(value)) step.place.fail(fmt::format("the template argument \"{}\" is no whole number", text));
        return fmt::format("{}", static_cast<std::int64_t>(value));
      }
    } catch (const ExpressionError&) {
      return text;
    }
    return text;
  }

  Launch launch(const JobStep& step) const {
    GlobalFunction function = function_of(job(), request_.lowering.text.kernels, step);
    const std::vector<std::string> names = template_names(function), given = template_arguments(step, function);
    // A scalar whose type is a template parameter has the type that the step gives.
    for (Parameter& parameter : function.parameters)
      if (const auto at = std::ranges::find(names, parameter.type); !parameter.is_pointer && at != names.end())
        if (const auto number = static_cast<std::size_t>(at - names.begin()); number < given.size())
          parameter.type = meant_type(request_.lowering.text.types, given[number]);
    return {.entry = entry(step, function),
            .grid = dim(step.grid),
            .block = dim(step.block),
            .cluster = dim(step.cluster),
            .shared_bytes = static_cast<std::uint32_t>(step.shared.value(names_)),
            .arguments = arguments(*step.arguments, &function, step.place),
            .cooperative = step.cooperative,
            .programmatic = step.programmatic};
  }

  Argument argument(const JobArgument& given, const Parameter* parameter, const GlobalFunction* function) const {
    if (given.is_null) return null_pointer(given, parameter);
    const std::string name = !given.buffer.empty() ? given.buffer : given.value ? given.value->text() : "";
    if (const JobBuffer* buffer = find_buffer(job(), name); buffer != nullptr && given.type.empty())
      return pointer(given, *buffer, parameter, function);
    if (!given.members.empty() || !given.values.empty()) return structure(given);
    if (given.texture) return planned_texture(given, parameter, request_, names_);
    if (given.tensor_map) return planned_tensor_map(given, parameter, request_, names_);
    std::string type = given.type.empty() && parameter != nullptr ? parameter->type : given.type;
    if (parameter != nullptr && parameter->is_pointer)
      given.place.fail(fmt::format("the parameter {} is a pointer, and \"{}\" is no buffer", parameter->name, name));
    const auto word = type_word(type);
    if (const std::string reason = why_not_passed(type); !reason.empty())
      given.place.fail(fmt::format("the parameter {} is {}", parameter == nullptr ? type : parameter->name, reason));
    if (!word || word->lanes != 1)
      given.place.fail(
          fmt::format("the type{} of \"{}\" is not known here: write {{\"type\": \"{}\", \"value\": \"{}\"}}",
                      type.empty() ? "" : " " + type, name, name.find('.') == name.npos ? "int" : "float", name));
    const Bytes bytes = bytes_as(*word, value(given, *given.value, *word));
    return ValueArgument{.type = word->spelling, .bytes = bytes, .pointers = {}};
  }

  static Argument null_pointer(const JobArgument& given, const Parameter* parameter) {
    if (parameter != nullptr && !parameter->is_pointer)
      given.place.fail(fmt::format("null is a pointer, and the parameter {} is {}", parameter->name, parameter->type));
    return ValueArgument{.type = std::string(kNullPointer), .bytes = Bytes(sizeof(void*)), .pointers = {}};
  }

  /// The reason for types whose values only the driver can make; empty for others.
  static std::string why_not_passed(const std::string& type) {
    if (is_texture_type(type)) return how_to_pass_a_texture();
    if (is_tensor_map_type(type)) return how_to_pass_a_tensor_map();
    if (type == "cudaSurfaceObject_t" || type == "CUsurfObject")
      return "a surface, and a plan binds none: only a kernel that reads a pointer can be a job's";
    return {};
  }

  Value value(const JobArgument& given, const Expression& expression, const TypeWord& type) const {
    const Value value = expression.value(names_);
    if (!is_floating(type.element) && !is_whole(value))
      given.place.fail(
          fmt::format("\"{}\" is {}, and the parameter a whole number", expression.text(), static_cast<double>(value)));
    return request_.absolute && is_floating(type.element) ? std::abs(value) : value;
  }

  Argument pointer(const JobArgument& given, const JobBuffer& buffer, const Parameter* parameter,
                   const GlobalFunction* function) const {
    if (parameter != nullptr && !parameter->is_pointer)
      given.place.fail(
          why_not_passed(parameter->type).empty()
              ? fmt::format("{} is a buffer, and the parameter {} no pointer", buffer.name, parameter->name)
              : fmt::format("the parameter {} is {}", parameter->name, why_not_passed(parameter->type)));
    std::string as = buffer.spelling;
    if (parameter != nullptr && !is_of_template(parameter->type, *function)) {
      const auto word = type_word(parameter->type);
      as = word ? word->spelling : parameter->type;
      if (word && word->element != buffer.element)
        given.place.fail(fmt::format("{} holds {}, and the parameter {} is a pointer to {}", buffer.name,
                                     buffer.spelling, parameter->name, parameter->type));
    }
    const bool may_store = parameter == nullptr || !parameter->is_const;
    if (buffer.role == Role::in && may_store) as = std::string(kMutable) + as;
    if (as == name_of(buffer.element)) as.clear();
    BufferArgument made = address(given, buffer);
    made.as = as;
    return made;
  }

  static bool is_of_template(const std::string& type, const GlobalFunction& function) {
    return std::ranges::count(template_names(function), type) > 0;
  }

  /// A value in memory. As in a compiler, each part begins at the next address with its alignment.
  struct Laid {
    Bytes bytes = {};
    std::vector<PointerMember> pointers = {};
    std::size_t alignment = 1;

    void align(std::size_t to) {
      bytes.resize((bytes.size() + to - 1) / to * to);
      alignment = std::max(alignment, to);
    }
    void add(const Laid& part) {
      align(part.alignment);
      for (const PointerMember& pointer : part.pointers)
        pointers.push_back({.at = bytes.size() + pointer.at, .to = pointer.to});
      bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
    }
  };

  /// Of two or four numbers, a vector has the alignment of all of them, up to 16 bytes.
  static std::size_t alignment_of(const TypeWord& type) {
    const std::size_t size = size_of(type.element);
    return type.lanes == 3 ? size : std::min<std::size_t>(size * static_cast<std::size_t>(type.lanes), 16);
  }

  BufferArgument address(const JobArgument& given, const JobBuffer& buffer) const {
    const auto size = static_cast<std::int64_t>(size_of(buffer.element));
    return {.buffer = renamed(buffer.name),
            .byte_offset = static_cast<std::int64_t>(given.offset.value(names_)) * size * buffer.lanes,
            .as = {}};
  }

  /// A member of a struct: a number, an array of numbers, a pointer, or a struct.
  Laid laid_out(const JobArgument& given) const {
    Laid made;
    if (given.is_null || !given.buffer.empty()) {
      made = {.bytes = Bytes(sizeof(void*)), .pointers = {}, .alignment = alignof(void*)};
      if (!given.is_null) made.pointers.push_back({.at = 0, .to = address(given, *find_buffer(job(), given.buffer))});
      return made;
    }
    const auto word = type_word(given.type);
    if (word) made.alignment = alignment_of(*word);
    for (const JobArgument& member : given.members) made.add(laid_out(member));
    if (!given.members.empty()) {
      made.align(made.alignment);
      return made;
    }
    std::vector<Expression> values = given.values;
    if (given.value) values.push_back(*given.value);
    if (!word || values.size() % static_cast<std::size_t>(word->lanes) != 0)
      given.place.fail(
          word ? fmt::format("a {} has {} \"values\", and {} are given", given.type, word->lanes, values.size())
               : fmt::format("the type {} is no number: a struct is written as its \"members\"", given.type));
    if (values.empty())
      given.place.fail(fmt::format("the member of type {} has neither \"value\" nor \"values\"", given.type));
    for (const Expression& one : values) {
      const Bytes bytes = bytes_as(*word, value(given, one, *word));
      made.add({.bytes = bytes, .pointers = {}, .alignment = bytes.size()});
    }
    return made;
  }

  /// Compares the members of a struct with those in the source, if it has only data there.
  void check_members(const JobArgument& given) const {
    const DeviceText& text = request_.lowering.text;
    const auto known = text.structs.find(meant_type(text.types, given.type));
    if (known == text.structs.end() || given.members.empty()) return;
    const std::vector<Parameter>& members = known->second;
    if (members.size() != given.members.size()) {
      std::vector<std::string> names;
      for (const Parameter& member : members) names.push_back(member.name);
      given.place.fail(fmt::format("{} has {} ({}), and \"members\" has {}", given.type,
                                   counted(static_cast<std::int64_t>(members.size()), "member"), fmt::join(names, ", "),
                                   given.members.size()));
    }
    for (std::size_t i = 0; i < members.size(); ++i) check_member(given.members[i], members[i], given.type, text);
  }

  void check_member(const JobArgument& given, const Parameter& member, const std::string& of,
                    const DeviceText& text) const {
    const bool is_pointer = given.is_null || !given.buffer.empty();
    const std::string name = fmt::format("the member {} of {}", member.name, of);
    if (member.is_pointer && !is_pointer)
      given.place.fail(fmt::format("{} is a pointer: write {{\"buffer\": \"NAME\"}}, or null", name));
    if (member.is_pointer) return;
    if (is_pointer) given.place.fail(fmt::format("{} is {}, no pointer", name, member.type));
    const auto word = type_word(meant_type(text.types, member.type)), as = type_word(given.type);
    if (word && as && (word->element != as->element || word->lanes != as->lanes))
      given.place.fail(fmt::format("{} is {}, and {} is given", name, member.type, given.type));
    const auto extent = member.extent.empty() ? std::nullopt : constant_in(member.extent);
    const std::size_t lanes = word ? static_cast<std::size_t>(word->lanes) : 1;
    if (word && extent && given.values.size() != static_cast<std::size_t>(*extent) * lanes)
      given.place.fail(fmt::format("{} is an array of {}, and \"values\" has {}", name, *extent, given.values.size()));
    check_members(given);
  }

  /// The value of an extent in the source; empty if it has names.
  static std::optional<std::int64_t> constant_in(const std::string& words) {
    try {
      const Expression extent = Expression::parse(words);
      if (!extent.names().empty()) return std::nullopt;
      return static_cast<std::int64_t>(extent.value({}));
    } catch (const ExpressionError&) {
      return std::nullopt;
    }
  }

  Argument structure(const JobArgument& given) const {
    if (given.type.empty())
      given.place.fail("a struct has its \"type\" beside its \"members\", a vector beside its \"values\"");
    check_members(given);
    const Laid laid = laid_out(given);
    return ValueArgument{.type = given.type, .bytes = laid.bytes, .pointers = laid.pointers};
  }

  const StepRequest& request_;
  Names names_;
};

}  // namespace

const GlobalFunction& function_of(const Job& job, const std::vector<GlobalFunction>& known, const JobStep& step) {
  const auto found = std::ranges::find(known, step.kernel, &GlobalFunction::name);
  if (found != known.end()) return *found;
  std::vector<std::string> names;
  for (const GlobalFunction& function : known) names.push_back(function.name);
  step.place.fail(
      fmt::format("{} has no kernel \"{}\"; it has {}", job.source.string(), step.kernel, fmt::join(names, ", ")));
}

bool take_the_same(const GlobalFunction& one, const GlobalFunction& other) {
  return std::ranges::equal(one.parameters, other.parameters, [](const Parameter& a, const Parameter& b) {
    return a.type == b.type && a.is_pointer == b.is_pointer && lower_case(a.name) == lower_case(b.name);
  });
}

std::vector<JobArgument> arguments_of(const Job& job, const GlobalFunction& function, const JobStep& step) {
  std::vector<JobArgument> arguments;
  for (const Parameter& parameter : function.parameters) {
    const bool is_known = find_buffer(job, parameter.name) != nullptr ||
                          std::ranges::find(job.extents, parameter.name, &Extent::name) != job.extents.end() ||
                          std::ranges::find(job.numbers, parameter.name, &Number::name) != job.numbers.end() ||
                          std::ranges::find(job.params, parameter.name, &Param::name) != job.params.end();
    if (!is_known)
      step.place.fail(fmt::format("nothing is called {} as the parameter of {} is: give \"arguments\" in order",
                                  parameter.name, step.kernel));
    arguments.push_back({.value = Expression::parse(parameter.name), .place = step.place});
  }
  return arguments;
}

std::vector<Step> plan_steps(const std::vector<JobStep>& steps, const StepRequest& request) {
  std::vector<Step> made = StepMaker(request).steps(steps);
  // Outputs are read when all streams are done.
  if (std::ranges::any_of(made, [](const Step& step) { return step.stream != 0; }))
    made.push_back({.what = Synchronise{}});
  std::vector<Step> uploads = texture_uploads(made);
  std::ranges::move(made, std::back_inserter(uploads));
  return uploads;
}

HostWork host_call(const JobStep& call, const HostText& text, const std::string& source, const StepRequest& request) {
  HostWork work{.source = source, .function = call.function, .arguments = {}, .accesses = {}};
  work.arguments = StepMaker(request).arguments(*call.arguments, text.function ? &*text.function : nullptr, call.place);
  return work;
}

}  // namespace warpwright::job
