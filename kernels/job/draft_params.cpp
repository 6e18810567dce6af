// The params that a draft offers, and their values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "kernels/core/text.hpp"
#include "kernels/job/draft_reading.hpp"
#include "kernels/job/draft_words.hpp"

namespace warpwright::job {
namespace {

constexpr std::int64_t kUsualThreads = 256;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kWarp = 32;

/// Whether the name is that of a block size: BLOCK, kThreads, TILE_X.
bool is_of_block(const std::string& name) {
  const std::string lower = lower_case(name);
  return std::ranges::any_of(std::array{"block", "thread", "tile"},
                             [&](const char* word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

void DraftReading::add_param(DraftParam param) {
  if (std::ranges::find(params_, param.name, &DraftParam::name) == params_.end()) params_.push_back(std::move(param));
}

bool DraftReading::is_of_launch(const std::string& name) const {
  const auto has_it = [&](const std::string& part) { return Expression::parse(part).names().contains(name); };
  return std::ranges::any_of(block_, has_it) || std::ranges::any_of(grid_, has_it) ||
         (!shared_.empty() && has_it(shared_));
}

/// With the other params as in the code, a block must have at most 1024 threads, and whole warps if it has them now.
std::vector<std::int64_t> DraftReading::valid_values(const DraftParam& param) const {
  if (lower_case(param.name).find("unroll") != std::string::npos) {
    // How often a loop is unrolled changes no result.
    std::vector<std::int64_t> values{1, 2, 4, 8, param.value};
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  if (!is_of_launch(param.name)) return {param.value};
  std::vector<std::int64_t> values = around(param.value);
  const Value usual = threads({param.name}, param.value);
  std::erase_if(values, [&](std::int64_t value) {
    const Value number = threads({param.name}, value);
    const bool splits_warps = std::fmod(usual, kWarp) == 0 && std::fmod(number, kWarp) != 0;
    return value != param.value && (number < 1 || number > kMostThreads || splits_warps);
  });
  return values;
}

std::vector<std::string> DraftReading::params() const {
  std::vector<std::string> lines;
  for (const DraftParam& param : params_) {
    std::string members = "\"values\": " + param.values;
    if (param.values.empty()) members += fmt::format("[{}]", fmt::join(valid_values(param), ", "));
    if (!param.is_open)
      members += ", \"default\": " + (param.preferred.empty() ? std::to_string(param.value) : param.preferred);
    if (*param.reach != '\0') members += fmt::format(", \"as\": \"{}\"", param.reach);
    lines.push_back(fmt::format("\n    {}{}: {{{}}}",
                                param.is_open ? "// ??? At which values is it tuned? No launch says one\n    " : "",
                                in_quotes(param.name), members));
  }
  return lines;
}

/// Macros and constants with numbers that the launch depends on become params. Those that only host code uses are
/// params only if the block depends on them.
void DraftReading::keep_constants() {
  HostWords by_name = host_;
  for (const auto* all : {&text_.constants, &text_.host_constants, &text_.host_macros})
    for (const auto& [name, value] : *all)
      if (!by_name.is_called(name) && whole_number(value)) by_name.call(name, name);
  const auto keep = [&](const std::string& configuration, bool is_block) {
    for (const std::string& part : by_name.extent(configuration).value_or(std::vector<std::string>{}))
      for (const std::string& name : host_.unknown(part)) {
        const bool is_of_device = text_.constants.contains(name);
        const bool is_constant =
            is_of_device || (is_block && (text_.host_constants.contains(name) || text_.host_macros.contains(name)));
        const auto number = is_constant ? host_.number(name) : std::nullopt;
        if (!number || is_named(name)) continue;
        add_param({.name = name, .value = *number, .reach = is_of_device ? "" : "plan"});
        host_.call(name, name);
      }
  };
  keep(launched_.configuration[1], true);
  keep(launched_.configuration[0], false);
}

/// Macros with numbers become params. A hexadecimal number that the launch does not use is probably a mask or a
/// constant of a hash.
void DraftReading::add_macros() {
  for (const auto& [macro, value] : text_.macros) {
    if (is_named(macro)) continue;
    const auto number = whole_number(value);
    if (number == kWarp && lower_case(macro).find("warp") != std::string::npos) continue;
    if (number && (!is_hexadecimal(value) || is_of_launch(macro))) add_param({.name = macro, .value = *number});
    if (!number && value.empty())
      add_param({.name = macro,
                 .value = macro.starts_with("block_size") ? 16 : 1,
                 .values = macro.starts_with("block_size") ? "[16]" : "[1]"});
  }
}

/// A literal number of threads in a launch may be the value of exactly one param or constant of the device code. It
/// then means this one, if it is a template parameter or if its name says so: kernel<256><<<n, 256>>>.
void DraftReading::name_numbers() {
  std::vector<DraftParam> candidates = params_;
  for (const auto& [name, value] : text_.constants)
    if (const auto number = whole_number(value); number && !is_named(name) && launch() != nullptr)
      candidates.push_back({.name = name, .value = *number});
  for (const DraftParam& param : candidates) {
    const std::string spelt = std::to_string(param.value);
    if (param.value < kWarp || is_of_launch(param.name) || std::ranges::count(block_, spelt) != 1 ||
        std::ranges::count(candidates, param.value, &DraftParam::value) != 1 ||
        (std::string_view(param.reach) != "template" && !is_of_block(param.name)))
      continue;
    add_param(param);
    named_numbers_.push_back(param);
    for (std::vector<std::string>* parts : {&block_, &grid_})
      for (std::string& part : *parts) part = with_name(part, param.value, param.name);
    if (!shared_.empty()) shared_ = with_name(shared_, param.value, param.name);
  }
}

/// If the kernel asks for the size of its block, and has no such number itself, a literal size in the launch becomes a
/// param: k<<<(n + 255) / 256, 256>>>.
void DraftReading::name_block() {
  constexpr std::array<const char*, 3> kMembers{"x", "y", "z"};
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const auto number = whole_number(block_[i]);
    const std::string name = block_.size() == 1 ? "block_size" : fmt::format("block_{}", kMembers.at(i));
    if (!number || *number < 4 || is_named(name)) continue;
    if (text_.text.find(fmt::format("blockDim.{}", kMembers.at(i))) == std::string::npos) continue;
    if (with_name(text_.text, *number, name) != text_.text || !shared_.empty()) continue;
    add_param({.name = name, .value = *number, .reach = "plan"});
    block_[i] = name;
    if (i < grid_.size()) grid_[i] = with_name(grid_[i], *number, name);
  }
}

bool DraftReading::is_tuned(const std::string& name) const {
  return std::ranges::any_of(params_, [&](const DraftParam& param) {
    return param.name == name && (!param.values.empty() || valid_values(param).size() > 1);
  });
}

/// Removes sizes of allocations that change with the params of the launch, such as one result per block.
void DraftReading::drop_tuned_sizes() {
  const auto is_tuned = [&](const std::string& count, const std::string& bytes) {
    const auto changes = [&](const DraftParam& param) { return with_name(count, param.value, param.name) != count; };
    const auto words = host_.expression(bytes);
    const auto names = words ? Expression::parse(*words).names() : std::set<std::string, std::less<>>{};
    return std::ranges::any_of(named_numbers_, changes) || std::ranges::any_of(params_, [&](const DraftParam& param) {
             return names.contains(param.name) && is_of_launch(param.name);
           });
  };
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
    if (const auto found = allocated_.find(kernel_.parameters[i].name);
        found != allocated_.end() && is_tuned(found->second, launched_.allocations.at(given(i))))
      allocated_.erase(found);
}

/// Unknown names in the block become params. The values that give about 256 threads are the default.
void DraftReading::add_block_params() {
  std::set<std::string> names;
  for (const std::string& part : block_)
    for (const std::string& name : host_.unknown(part))
      if (!is_named(name)) names.insert(name);
  for (const std::string& name : names) {
    const auto number = host_.number(name);
    if (number) add_param({.name = name, .value = *number, .reach = "plan"});
    if (number) host_.call(name, name);
  }
  std::erase_if(names, [&](const std::string& name) { return is_named(name); });
  if (names.empty()) return;
  std::int64_t most = kUsualThreads;
  while (most > 1 && threads(names, most) > kUsualThreads) most /= 2;
  most = std::max<std::int64_t>(most, 4);
  for (const std::string& name : names)
    add_param({.name = name,
               .value = most,
               .reach = "plan",
               .values = fmt::format("[{}, {}, {}]", most / 4, most / 2, most)});
}

/// The number of threads in the block, if all these names have the same value and other params have their own values.
Value DraftReading::threads(const std::set<std::string>& unknown, std::int64_t number) const {
  Names names;
  for (const DraftParam& param : params_) names[param.name] = static_cast<Value>(param.value);
  for (const std::string& name : unknown) names[name] = static_cast<Value>(number);
  Value all = 1;
  for (const std::string& part : block_) all *= *host_.value_of(Expression::parse(part), names, 1);
  return all;
}

}  // namespace warpwright::job
