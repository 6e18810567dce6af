// Reads what a .cu file says about a kernel for which a job is drafted.
#include "kernels/job/draft_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "kernels/core/text.hpp"
#include "kernels/job/draft_words.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/lowering.hpp"
#include "kernels/job/questions.hpp"
#include "kernels/job/text/signatures.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {
namespace {

bool is_a_name(const std::string& text) {
  return is_one_word(text) && std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

}  // namespace

DraftReading::DraftReading(const DeviceText& text, const GlobalFunction& kernel) : text_(text), kernel_(kernel) {
  if (const HostLaunch* found = launch()) launched_ = *found;
  if (!launched_.loop_variable.empty()) host_.call(launched_.loop_variable, launched_.loop_variable);
  read_template();
  read_arguments();
  if (extents_.empty()) extents_.push_back({"n", 0});
  read_launch();
  add_macros();
  name_numbers();
  name_block();
  drop_tuned_sizes();
  read_textures();
}

std::vector<std::string> DraftReading::names_of_extents() const {
  std::vector<std::string> names;
  for (const DraftExtent& extent : extents_) names.push_back(extent.name);
  return names;
}

const HostLaunch* DraftReading::launch_of(const GlobalFunction& kernel) const {
  const auto found = std::ranges::find_if(
      text_.launches, [&](const HostLaunch& launch) { return is_called(kernel.name, launch.kernel); });
  return found == text_.launches.end() ? nullptr : &*found;
}

std::string DraftReading::given(std::size_t argument) const {
  return argument < launched_.arguments.size() ? launched_.arguments[argument] : "";
}

void DraftReading::read_template() {
  const std::vector<std::string> names = template_names(kernel_);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& spelt = kernel_.template_parameters[i];
    const std::string given = i < launched_.template_arguments.size() ? launched_.template_arguments[i] : "";
    if (spelt.starts_with("typename") || spelt.starts_with("class")) {
      const std::string type = given.empty() ? deduced_type(names[i]) : given;
      if (type.empty()) open_types_.push_back(names[i]);
      types_[names[i]] = type.empty() ? kOpenType : type;
      template_.push_back(types_[names[i]]);
      continue;
    }
    if (given == "true" || given == "false") {
      add_param({.name = names[i],
                 .value = given == "true" ? 1 : 0,
                 .reach = "template",
                 .values = "[false, true]",
                 .preferred = given});
    } else if (const auto number = given.empty() ? std::nullopt : host_.number(given)) {
      add_param({.name = names[i], .value = *number, .reach = "template"});
      host_.call(given, names[i]);
    } else if (given.empty() || host_.expression(given)) {
      add_param({.name = names[i], .reach = "template", .values = fmt::format("[\"{}\"]", kOpenMark), .is_open = true});
      if (!given.empty()) host_.call(given, names[i]);
    } else {
      template_.push_back(given);
      continue;
    }
    template_.push_back(names[i]);
  }
}

/// The type that the pointers of the launch give to a parameter of the template; empty if they do not say it.
std::string DraftReading::deduced_type(const std::string& name) const {
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
    if (const auto found = launched_.pointees.find(given(i));
        kernel_.parameters[i].is_pointer && kernel_.parameters[i].type == name && found != launched_.pointees.end() &&
        type_word(meant_type(text_.types, found->second)))
      return found->second;
  return {};
}

void DraftReading::add_extent(const std::string& name, std::int64_t size) {
  if (!is_extent(name)) extents_.push_back({name, size});
}

bool DraftReading::is_whole_number(const Parameter& parameter) const {
  const auto type = type_word(meant(parameter.type));
  return type && type->lanes == 1 && !is_floating(type->element) && parameter.type != "bool";
}

std::string DraftReading::meant(const std::string& type) const {
  return meant_type(text_.types, meant_type(types_, type));
}

/// Reads one argument for each parameter. An integer that the host code passes as a name or number becomes an extent.
/// Others become expressions of extents.
void DraftReading::read_arguments() {
  const auto name_extents = [&](bool of_rows) {
    const auto name = [&](const Parameter& parameter, const std::string& passed) {
      if (is_pitch(parameter.name) == of_rows) name_extent(parameter, passed);
    };
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const Parameter& parameter = kernel_.parameters[i];
      if (parameter.is_pointer) continue;
      const std::vector<Parameter> members = members_of(parameter);
      for (std::size_t k = 0; k < members.size(); ++k)
        if (!members[k].is_pointer && members[k].extent.empty())
          name(members[k], given_member(given(i), members[k].name, k));
      if (meant(parameter.type) == "dim3")
        for (const std::string& part : host_.parts_of_extent(given(i)).value_or(std::vector<std::string>{}))
          if (is_a_name(part)) name({.type = "unsigned int", .name = part}, part);
      name(parameter, given(i));
    }
  };
  name_extents(false);
  if (extents_.size() < 2) name_extents(true);
  name_sizes();
  read_allocations();
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Parameter& parameter = kernel_.parameters[i];
    if (parameter.is_pointer) {
      arguments_.push_back(pointer(parameter, given(i)));
    } else if (is_bound_type(meant(parameter.type))) {
      arguments_.emplace_back();  // filled in by read_textures
    } else if (const auto members = members_of(parameter); !members.empty()) {
      arguments_.push_back(structure(parameter, members, given(i)));
    } else if (const std::string made = vector(parameter, given(i)); !made.empty()) {
      arguments_.push_back(made);
    } else {
      arguments_.push_back(scalar(parameter, given(i)));
    }
  }
}

/// Called when all extents are known, since the sizes of textures are extents.
void DraftReading::read_textures() {
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Parameter& parameter = kernel_.parameters[i];
    if (parameter.is_pointer || !is_bound_type(meant(parameter.type))) continue;
    textures_[parameter.name] = draft_texture(text_, parameter, names_of_extents());
    arguments_[i] = textures_[parameter.name].argument;
  }
}

/// The variables in a text of the host code that have numbers as values, also those in the values of others.
void DraftReading::add_numbers_in(const std::string& spelt, std::set<std::string>& names, int depth) const {
  constexpr int deepest = 4;
  for (const std::string& word : words_in(spelt)) {
    const auto local = launched_.locals.find(word);
    if (local == launched_.locals.end() || depth > deepest || host_.is_called(word)) continue;
    if (const auto value = host_.expression(local->second); value && whole_number(*value))
      names.insert(word);
    else
      add_numbers_in(local->second, names, depth + 1);
  }
}

/// A variable that is in the size of an allocation and in the grid, and in nothing else, is an extent that the kernel
/// does not get: the number of rows, say, of which each has a block.
void DraftReading::name_sizes() {
  if (launched_.configuration.size() < 2) return;
  constexpr std::int64_t kLeastSize = 16;
  std::set<std::string> allocated, grid, others;
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    if (const auto found = launched_.allocations.find(given(i)); found != launched_.allocations.end())
      add_numbers_in(found->second, allocated);
    else
      add_numbers_in(given(i), others);
  }
  add_numbers_in(launched_.configuration[0], grid);
  for (std::size_t i = 1; i < launched_.configuration.size(); ++i) add_numbers_in(launched_.configuration[i], others);
  for (const std::string& argument : launched_.template_arguments) add_numbers_in(argument, others);
  for (const std::string& name : allocated) {
    const std::int64_t number = host_.number(name).value_or(0);
    if (!grid.contains(name) || others.contains(name) || number < kLeastSize) continue;
    if (text_.constants.contains(name) || text_.host_constants.contains(name) || is_named(name)) continue;
    add_extent(name, number);
    host_.call(name, name);
  }
}

/// The names in the sizes of allocations are extents too.
void DraftReading::read_allocations() {
  constexpr Value largest_constant = 4096;  // a larger one probably comes from a fixed problem size
  HostWords host = host_;
  // A buffer that all configurations share has the numbers of params.
  const std::vector<std::string> templates = template_names(kernel_);
  for (std::size_t i = 0; i < std::min(templates.size(), launched_.template_arguments.size()); ++i)
    if (const auto param = std::ranges::find(params_, templates[i], &DraftParam::name);
        param != params_.end() && param->value != 0)
      host.call(launched_.template_arguments[i], std::to_string(param->value));
  for (const auto& [macro, value] : text_.macros)
    if (const auto number = whole_number(value); number && !host.is_called(macro))
      host.call(macro, std::to_string(*number));
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Parameter& parameter = kernel_.parameters[i];
    const auto found = launched_.allocations.find(given(i));
    const auto type = type_word(meant(parameter.type));
    if (!parameter.is_pointer || found == launched_.allocations.end() || !type) continue;
    const auto bytes = host.expression(found->second);
    if (!bytes) continue;
    const std::string count = elements_in(*bytes, size_of(type->element) * static_cast<std::size_t>(type->lanes));
    if (count.empty()) continue;
    const Expression elements = Expression::parse(count);
    const auto number = host_.value_of(elements, {});
    const auto is_size = [&](const std::string& name) {
      return is_extent(name) || (host_.unknown(name).contains(name) && !is_row_length(name) &&
                                 !text_.constants.contains(name) && !text_.host_constants.contains(name));
    };
    if (number ? *number > largest_constant : !std::ranges::all_of(elements.names(), is_size)) continue;
    for (const std::string& name : elements.names()) add_extent(name, 0);
    allocated_[parameter.name] = count;
  }
}

std::string DraftReading::allocated(const std::string& buffer) const {
  const auto found = allocated_.find(buffer);
  return found == allocated_.end() ? "" : found->second;
}

/// For an integer that the host code passes as a name or number. A hexadecimal number is a mask, not a size. A count
/// that depends on the machine is no extent either.
void DraftReading::name_extent(const Parameter& parameter, const std::string& given) {
  if (!is_whole_number(parameter) || is_hexadecimal(given) || is_loop_variable(given)) return;
  const auto words = host_.expression(given);
  const auto number = words ? host_.number(given) : std::nullopt;
  const bool is_name = is_a_name(given);
  if (!is_name && !number && words && !words->empty()) return;
  // One that is computed from other arguments is no extent of its own, and neither is a small literal, as of a radius.
  constexpr std::int64_t kLeastSize = 16;
  if (host_.is_of_machine(given) || is_product_of_others(given)) return;
  const std::int64_t size = number.value_or(0);
  const auto is_small = [&](const std::string& text) {
    const std::int64_t value = host_.number(text).value_or(0);
    return value > 0 && value < kLeastSize;
  };
  // If all are small, they are the sizes.
  if (is_small(given))
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      if (!kernel_.parameters[i].is_pointer && is_whole_number(kernel_.parameters[i]) && !this->given(i).empty() &&
          !is_small(this->given(i)))
        return;
  add_extent(parameter.name, size);
  if (is_name) host_.call(given, parameter.name);
}

/// Whether a variable of the host code is computed from several others, of which the launch passes at least one too.
bool DraftReading::is_product_of_others(const std::string& given) const {
  if (!is_a_name(given) || !launched_.locals.contains(given)) return false;
  const auto words = host_.expression(given);
  if (!words || words->empty()) return false;
  const auto names = Expression::parse(*words).names();
  return names.size() > 1 && std::ranges::any_of(names, [&](const std::string& name) {
           return std::ranges::find(launched_.arguments, name) != launched_.arguments.end();
         });
}

std::vector<Parameter> DraftReading::members_of(const Parameter& parameter) const {
  const auto found = text_.structs.find(meant(parameter.type));
  return found == text_.structs.end() ? std::vector<Parameter>() : found->second;
}

/// The value that the host code gives to a member of a variable: `Params p{rows, 0.5f}`, or `p.rows = rows`.
std::string DraftReading::given_member(const std::string& variable, const std::string& member,
                                       std::size_t number) const {
  if (const auto found = launched_.locals.find(variable + "." + member); found != launched_.locals.end())
    return found->second;
  const auto found = launched_.locals.find(variable);
  const Tokens tokens(found == launched_.locals.end() ? variable : found->second, "");
  const std::size_t open = tokens.is(0, "{") ? 0 : 1;
  if (!tokens.is(open, "{")) return {};
  const auto parts = split_at_commas(tokens, open + 1, closing_bracket(tokens, open), false);
  if (number >= parts.size()) return {};
  auto [first, last] = parts[number];
  if (tokens.is(first, ".")) first += 3;  // .rows = rows
  return tokens.spelling(first, last);
}

DraftStruct DraftReading::parts_of(const std::string& type) const {
  const auto found = text_.structs.find(meant(type));
  DraftStruct parts;
  if (found == text_.structs.end()) return parts;
  for (const Parameter& member : found->second) {
    DraftStruct inner{.type = meant(member.type), .count = 1};
    if (!type_word(inner.type)) inner = parts_of(member.type);
    const auto number = member.extent.empty() ? std::optional<std::int64_t>(1) : host_.number(member.extent);
    const bool is_first = parts.count == 0;
    const auto word = type_word(inner.type), of_all = type_word(is_first ? inner.type : parts.type);
    const bool fits =
        word && of_all && size_of(word->element) * word->lanes == size_of(of_all->element) * of_all->lanes;
    if (member.is_pointer || !number || *number < 1 || inner.count == 0 || !fits) return {};
    if (is_first) parts.type = inner.type;
    parts.is_uniform = parts.is_uniform && inner.is_uniform && parts.type == inner.type;
    parts.count += inner.count * static_cast<std::size_t>(*number);
  }
  return parts;
}

/// An extent, an expression of extents, or a number that does not depend on the problem.
std::string DraftReading::scalar(const Parameter& parameter, const std::string& given) {
  if (is_extent(parameter.name)) return in_quotes(parameter.name);
  if (is_whole_number(parameter) && is_row_length(parameter.name)) return pitch(parameter, given);
  if (is_whole_number(parameter))
    if (const auto words = host_.expression(given)) {
      for (const std::string& name : host_.unknown(*words))
        if (!is_loop_variable(name)) add_extent(name, 0);
      return in_quotes(*words);
    }
  // One that depends on the sizes: dx = 3.0f / width
  if (const auto words = host_.expression(given)) {
    const std::set<std::string> names = host_.unknown(*words);
    if (!names.empty() && std::ranges::all_of(names, [&](const std::string& name) { return is_named(name); }))
      return in_quotes(*words);
  }
  if (const auto number = host_.value(given); number && std::isfinite(*number))
    return fmt::format("{}", static_cast<double>(*number));
  not_understood_.push_back(given.empty() || given == parameter.name ? parameter.name
                                                                     : fmt::format("{} ({})", parameter.name, given));
  return in_quotes(std::string(kOpenMark));
}

/// Whether the name is that of a row's length in memory. A problem of one dimension has no rows.
bool DraftReading::is_row_length(const std::string& name) const {
  return extents_.size() > 1 && is_pitch(name);
}

/// The length of a row in memory: as the host code computes it from extents, or else without padding.
std::string DraftReading::pitch(const Parameter& parameter, const std::string& given) {
  const auto words = host_.expression(given);
  const auto is_known = [&](const std::string& name) { return is_named(name); };
  if (words && std::ranges::all_of(host_.unknown(*words), is_known)) return in_quotes(*words);
  pitches_.push_back(parameter.name);
  return in_quotes(row_length());
}

std::string DraftReading::row_length() const {
  const std::string width = size_in_dimension(names_of_extents(), 0);
  return !width.empty() ? width : extents_.empty() ? "n" : extents_.back().name;
}

/// Reads grid, block and shared bytes. Unknown names in the block become params, those in the grid become extents.
void DraftReading::read_launch() {
  if (launched_.configuration.size() < 2) return;
  keep_constants();
  if (const auto block = host_.extent(launched_.configuration[1])) {
    block_ = *block;
    add_block_params();
  }
  if (const auto grid = host_.extent(launched_.configuration[0])) {
    const auto is_size = [&](const std::string& part) {
      return std::ranges::all_of(host_.unknown(part),
                                 [&](const auto& name) { return is_named(name) || !is_row_length(name); });
    };
    if (std::ranges::all_of(*grid, is_size)) grid_ = *grid;
    for (const std::string& part : grid_)
      for (const std::string& name : host_.unknown(part))
        if (!is_named(name)) add_extent(name, 0);
  }
  shared_ = shared_of(host_, launched_);
}

std::string DraftReading::shared_of(const HostWords& host, const HostLaunch& launch) const {
  if (launch.configuration.size() < 3) return {};
  const auto shared = host.expression(launch.configuration[2]);
  if (!shared || *shared == "0") return {};
  if (!std::ranges::all_of(host.unknown(*shared), [&](const auto& name) { return is_named(name); })) return {};
  return *shared;
}

bool DraftReading::is_extent(const std::string& name) const {
  return std::ranges::find(extents_, name, &DraftExtent::name) != extents_.end();
}

bool DraftReading::is_named(const std::string& name) const {
  return std::ranges::find(params_, name, &DraftParam::name) != params_.end() || is_extent(name) ||
         is_loop_variable(name);
}

}  // namespace warpwright::job
