// Drafting a job from the text of a .cu file.
#include "kernels/job/draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "kernels/job/draft_words.hpp"
#include "kernels/job/expression.hpp"
#include "kernels/job/host_words.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/lowering.hpp"

namespace warpwright::job {
namespace {

class Draft {
 public:
  Draft(const DeviceText& text, const GlobalFunction& kernel) : text_(text), kernel_(kernel) {
    const auto launch = std::ranges::find(text.launches, kernel.name, &HostLaunch::kernel);
    is_launched_ = launch != text.launches.end();
    if (is_launched_) launch_ = *launch;
    read_template();
    read_arguments(kernel_, host_, arguments_, true);
    if (extents_.empty()) extents_.push_back({"n", 0});
    read_launch();
  }

  std::string job(const std::string& source) const {
    std::string text = fmt::format("{{\n  // Drafted by `tune init`: see to what is marked with ???\n  \"file\": {},\n",
                                   in_quotes(source));
    text += fmt::format("  // The dimensions of the problem, slowest first ???\n  \"extents\": [{}],\n",
                        listed(names_of_extents()));
    text += fmt::format("  // What is tuned, and the values that are tried ???\n  \"params\": {{{}}},\n", params());
    text += "  // Conditions on the params, e.g. \"block_x * block_y <= 1024\"\n  \"constraints\": [],\n";
    text += fmt::format("  \"buffers\": {{{}}},\n", buffers());
    text += fmt::format("  \"steps\": [{}],\n", step());
    text += takes();
    text += "  // What is tuned, and small shapes at which it may break ???\n";
    text += fmt::format("  \"shapes\": [[{}]],\n  \"judge\": [[{}], [{}]],\n", shape(), repeated("1"), repeated("33"));
    text += oracle();
    text +=
        "  // {\"depth\": \"k\"} where k terms are added up, \"equal\" where nothing is rounded; this is a guess ???\n";
    return text + "  \"bound\": {\"relative\": 1e-4, \"absolute\": 1e-5}\n}\n";
  }

 private:
  struct DraftExtent {
    std::string name;
    std::int64_t size = 0;  ///< in the host code; 0 where that does not say it
  };

  std::vector<std::string> names_of_extents() const {
    std::vector<std::string> names;
    for (const DraftExtent& extent : extents_) names.push_back(extent.name);
    return names;
  }

  std::string repeated(const std::string& number) const {
    return fmt::format("{}", fmt::join(std::vector<std::string>(extents_.size(), number), ", "));
  }

  std::string shape() const {
    constexpr std::array<std::int64_t, 5> kSizes{1 << 20, 1 << 10, 1 << 8, 1 << 5, 1 << 4};
    std::vector<std::int64_t> sizes;
    for (const DraftExtent& extent : extents_)
      sizes.push_back(extent.size > 1 ? extent.size : kSizes.at(std::min(extents_.size(), kSizes.size()) - 1));
    return fmt::format("{}", fmt::join(sizes, ", "));
  }

  /// What the launch gives for each template parameter.
  void read_template() {
    const std::vector<std::string> names = template_names(kernel_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& spelt = kernel_.template_parameters[i];
      const std::string given = i < launch_.template_arguments.size() ? launch_.template_arguments[i] : "";
      if (spelt.starts_with("typename") || spelt.starts_with("class")) {
        types_[names[i]] = given.empty() ? "float" : given;
        template_.push_back(types_[names[i]]);
        continue;
      }
      if (given == "true" || given == "false") {
        param(names[i], R"("values": [false, true], "default": )" + given);
      } else if (const auto number = given.empty() ? std::nullopt : host_.number(given)) {
        param(names[i], fmt::format("\"values\": [{0}], \"default\": {0}", *number));
        host_.call(given, names[i]);
      } else if (given.empty() || host_.expression(given)) {
        param(names[i], R"("values": [1, 2, 4])");
        if (!given.empty()) host_.call(given, names[i]);
      } else {
        template_.push_back(given);
        continue;
      }
      template_.push_back(names[i]);
    }
  }

  void param(const std::string& name, const std::string& values, const char* reach = "template") {
    if (contains(param_names_, name)) return;
    param_names_.push_back(name);
    params_.push_back(fmt::format("\n    {}: {{{}, \"as\": \"{}\"}}", in_quotes(name), values, reach));
  }

  bool is_whole_number(const Parameter& parameter) const {
    const auto type = type_word(meant(parameter.type));
    return type && type->lanes == 1 && !is_floating(type->element) && parameter.type != "bool";
  }

  std::string meant(const std::string& type) const {
    const auto found = types_.find(type);
    return found == types_.end() ? type : found->second;
  }

  void extent(const std::string& name, std::int64_t size) {
    if (!is_extent(name)) extents_.push_back({name, size});
  }

  /// One for each parameter. Whole numbers that are a name or a number to the host code are extents; others are made of
  /// such. Of another kernel than the drafted one nothing new is named.
  void read_arguments(const GlobalFunction& kernel, HostWords& host, std::vector<std::string>& made, bool names) {
    const auto given = [&](std::size_t i) { return i < launch_.arguments.size() ? launch_.arguments[i] : ""; };
    for (std::size_t i = 0; names && i < kernel.parameters.size(); ++i) {
      const Parameter& parameter = kernel.parameters[i];
      if (parameter.is_pointer || !is_whole_number(parameter)) continue;
      const auto words = host.expression(given(i));
      const auto number = words ? host.number(given(i)) : std::nullopt;
      const bool is_name = words_are_one(given(i));
      if (is_name || number || !words || words->empty()) {
        extent(parameter.name, number.value_or(0));
        if (is_name) host.call(given(i), parameter.name);
      }
    }
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const Parameter& parameter = kernel.parameters[i];
      if (parameter.is_pointer || is_extent(parameter.name)) {
        made.push_back(in_quotes(parameter.name));
      } else if (is_whole_number(parameter)) {
        const auto words = host.expression(given(i));
        for (const std::string& name : words ? host.unknown(*words) : std::set<std::string>{}) extent(name, 0);
        made.push_back(words ? in_quotes(*words) : "1");
      } else {
        const std::string value = given(i).substr(0, given(i).find_last_not_of("fF") + 1);
        const bool is_number = !value.empty() && value.find_first_not_of("0123456789.-") == std::string::npos;
        made.push_back(value == "true"    ? "1"
                       : value == "false" ? "0"
                       : is_number        ? fmt::format("{}", std::stod(value))
                                          : "1");
      }
    }
  }

  static bool words_are_one(const std::string& text) {
    return !text.empty() && (std::isdigit(static_cast<unsigned char>(text.front())) == 0) &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  }

  /// Grid, block and shared bytes. What the block needs and nothing names is a param, what the grid does an extent.
  void read_launch() {
    if (launch_.configuration.size() < 2) return;
    const auto block = host_.extent(launch_.configuration[1]);
    const auto grid = host_.extent(launch_.configuration[0]);
    if (block) {
      block_ = *block;
      add_block_params();
    }
    if (grid) {
      for (const std::string& part : *grid)
        for (const std::string& name : host_.unknown(part))
          if (!is_named(name)) extent(name, 0);
      grid_ = *grid;
    }
  }

  /// What the block is made of and nothing names: about 256 threads are the first to be tried.
  void add_block_params() {
    std::set<std::string> names;
    for (const std::string& part : block_)
      for (const std::string& name : host_.unknown(part))
        if (!is_named(name)) names.insert(name);
    if (names.empty()) return;
    std::int64_t most = 256;
    for (; most > 1 && threads(names, most) > 256; most /= 2) {
    }
    for (const std::string& name : names)
      param(name,
            fmt::format("\"values\": [{}, {}, {}], \"default\": {}", std::max<std::int64_t>(most / 4, 1),
                        std::max<std::int64_t>(most / 2, 2), std::max<std::int64_t>(most, 4),
                        std::max<std::int64_t>(most, 4)),
            "plan");
  }

  /// Of a block in which these names all stand for one number.
  Value threads(const std::set<std::string>& unknown, std::int64_t number) const {
    Value all = 1;
    for (const std::string& part : block_) {
      const Expression expression = Expression::parse(part);
      Names names;
      for (const std::string& name : expression.names()) {
        const auto macro = text_.macros.find(name);
        names[name] = unknown.contains(name)        ? static_cast<Value>(number)
                      : macro == text_.macros.end() ? Value{1}
                                                    : static_cast<Value>(whole_number(macro->second).value_or(1));
      }
      all *= expression.value(names);
    }
    return all;
  }

  /// A launch's dynamic shared memory, as a member of a step; empty where it has none, or what that needs has no name.
  std::string shared_of(const HostWords& host, const HostLaunch& launch) const {
    if (launch.configuration.size() < 3) return {};
    const auto shared = host.expression(launch.configuration[2]);
    if (!shared || *shared == "0") return {};
    if (!std::ranges::all_of(host.unknown(*shared), [&](const auto& name) { return is_named(name); })) return {};
    return ", \"shared\": " + in_quotes(*shared);
  }

  bool is_extent(const std::string& name) const {
    return std::ranges::find(extents_, name, &DraftExtent::name) != extents_.end();
  }
  bool is_named(const std::string& name) const { return contains(param_names_, name) || is_extent(name); }

  /// A macro that the block is made of is tried at half and at twice its value too: threads follow it.
  std::string params() const {
    std::vector<std::string> lines = params_;
    for (const auto& [macro, value] : text_.macros) {
      if (is_named(macro)) continue;
      const auto number = whole_number(value);
      if (!number) {
        if (value.empty())
          lines.push_back(
              fmt::format("\n    {}: [{}]", in_quotes(macro), macro.starts_with("block_size") ? "16" : "1"));
        continue;
      }
      const bool is_of_block = std::ranges::any_of(block_, [&, &name = macro](const std::string& part) {
        return Expression::parse(part).names().contains(name);
      });
      lines.push_back(fmt::format("\n    {}: {{\"values\": [{}], \"default\": {}}}", in_quotes(macro),
                                  is_of_block ? around(*number) : std::to_string(*number), *number));
    }
    return lines.empty() ? "" : fmt::format("{}\n  ", fmt::join(lines, ","));
  }

  /// Matrices that are called as everybody calls those of a product have the sizes of a product's.
  std::string count(const std::string& buffer) const {
    std::map<std::string, std::string> by_letter;
    for (const DraftExtent& extent : extents_) by_letter[lower_case(extent.name)] = extent.name;
    std::string letter = lower_case(buffer);
    if (letter.starts_with("d_")) letter = letter.substr(2);
    const bool is_product =
        extents_.size() == 3 && by_letter.contains("m") && by_letter.contains("n") && by_letter.contains("k");
    if (is_product && letter == "a") return by_letter["m"] + " * " + by_letter["k"];
    if (is_product && letter == "b") return by_letter["k"] + " * " + by_letter["n"];
    if (is_product && letter == "c") return by_letter["m"] + " * " + by_letter["n"];
    return fmt::format("{}", fmt::join(names_of_extents(), " * "));
  }

  std::string buffers() const {
    std::vector<std::string> lines;
    for (const Parameter& parameter : kernel_.parameters) {
      if (!parameter.is_pointer) continue;
      const std::string type = type_word(meant(parameter.type)) ? meant(parameter.type) : "float";
      const std::string kind = drafted_role(parameter);
      lines.push_back(fmt::format("\n    // {}\n    {}: {{\"role\": {}, \"type\": {}, \"count\": {}}}",
                                  what_to_see_to(kind, parameter), in_quotes(parameter.name), in_quotes(kind),
                                  in_quotes(type), in_quotes(count(parameter.name))));
    }
    for (const ConstantSymbol& symbol : text_.symbols) lines.push_back(constant(symbol));
    return fmt::format("{}\n  ", fmt::join(lines, ","));
  }

  std::string constant(const ConstantSymbol& symbol) const {
    const bool is_known = type_word(symbol.type).has_value();
    const auto size = host_.number(symbol.count);
    return fmt::format("\n    // {}\n    {}: {{\"role\": \"constant\", \"type\": {}, \"count\": {}, \"symbol\": {}}}",
                       !size || !is_known ? "Its type and number of elements ???" : "A __constant__ variable",
                       in_quotes(symbol.name.substr(symbol.name.rfind(':') + 1)),
                       in_quotes(is_known ? symbol.type : "float"), size.value_or(1), in_quotes(symbol.name));
  }

  std::string step() const {
    std::string note;
    if (is_launched_)
      note = fmt::format("\n    // The host code launches <<<{}>>>({}) at line {}",
                         fmt::join(launch_.configuration, ", "), fmt::join(launch_.arguments, ", "), launch_.line);
    const std::string marks = grid_.empty() || block_.empty() ? "\n    // ???" : "";
    const std::string grid = grid_.empty()
                                 ? in_quotes(fmt::format("ceil_div({}, 256)", fmt::join(names_of_extents(), " * ")))
                                 : "[" + listed(grid_) + "]";
    return fmt::format(
        "{{{}\n    \"kernel\": {},{}\n    \"arguments\": [{}],{}\n    \"grid\": {},\n    \"block\": {}{}\n  }}", note,
        in_quotes(kernel_.name), template_.empty() ? "" : fmt::format("\n    \"template\": [{}],", listed(template_)),
        fmt::join(arguments_, ", "), marks, grid, block_.empty() ? "256" : "[" + listed(block_) + "]",
        shared_of(host_, launch_));
  }

  /// A grid that is none for the least problem was rounded down: whole blocks are meant.
  std::string takes() const {
    Names least;
    for (const DraftExtent& extent : extents_) least[extent.name] = 1;
    for (const auto& [macro, value] : text_.macros) least[macro] = static_cast<Value>(whole_number(value).value_or(1));
    std::vector<std::string> rules;
    for (const std::string& part : grid_) {
      const Expression expression = Expression::parse(part);
      Names names = least;
      for (const std::string& name : expression.names()) names.emplace(name, 16);
      if (expression.value(names) >= 1) continue;
      rules.push_back(fmt::format("{{\"name\": \"whole blocks\", \"holds\": {}, \"python\": true}}",
                                  in_quotes("(" + part + ") % 1 == 0")));
    }
    if (rules.empty()) return {};
    return fmt::format(
        "  // The host code rounds its grid down, so that whole blocks are meant ???\n  \"takes\": [{}],\n",
        fmt::join(rules, ", "));
  }

  /// The first kernel before this one that takes the same and whose launch is understood.
  std::string oracle() const {
    const auto same = [&](const GlobalFunction& other) {
      if (other.name == kernel_.name || other.parameters.size() != kernel_.parameters.size()) return false;
      for (std::size_t i = 0; i < other.parameters.size(); ++i)
        if (other.parameters[i].type != kernel_.parameters[i].type ||
            other.parameters[i].is_pointer != kernel_.parameters[i].is_pointer ||
            lower_case(other.parameters[i].name) != lower_case(kernel_.parameters[i].name))
          return false;
      return other.template_parameters.empty();
    };
    for (const GlobalFunction& other : text_.kernels) {
      if (other.name == kernel_.name) break;
      if (!same(other)) continue;
      const auto launch = std::ranges::find(text_.launches, other.name, &HostLaunch::kernel);
      if (launch == text_.launches.end() || launch->configuration.size() < 2) continue;
      HostWords host(text_, *launch);
      for (std::size_t i = 0; i < launch->arguments.size() && i < kernel_.parameters.size(); ++i)
        if (!kernel_.parameters[i].is_pointer) host.call(launch->arguments[i], kernel_.parameters[i].name);
      const auto grid = host.extent(launch->configuration[0]);
      const auto block = host.extent(launch->configuration[1]);
      const auto is_known = [&](const std::vector<std::string>& parts) {
        return std::ranges::all_of(parts, [&](const std::string& part) {
          return std::ranges::all_of(host.unknown(part), [&](const auto& name) { return is_named(name); });
        });
      };
      if (!grid || !block || !is_known(*grid) || !is_known(*block)) continue;
      return fmt::format(
          "  // Another kernel of the text that takes the same: is it the plain one, and are its answers these ???\n"
          "  \"oracle\": {{\"kernel\": {}, \"arguments\": [{}], \"grid\": [{}], \"block\": [{}]{}}},\n",
          in_quotes(other.name), fmt::join(arguments_, ", "), listed(*grid), listed(*block), shared_of(host, *launch));
    }
    return no_oracle();
  }

  const DeviceText& text_;
  const GlobalFunction& kernel_;
  HostLaunch launch_;
  bool is_launched_ = false;
  HostWords host_{text_, launch_};
  std::map<std::string, std::string> types_;  ///< of template parameters
  std::vector<std::string> template_;
  std::vector<DraftExtent> extents_;
  std::vector<std::string> param_names_, params_, arguments_;
  std::vector<std::string> grid_, block_;
};

}  // namespace

Drafted draft_of(const std::filesystem::path& source, const std::filesystem::path& output, const std::string& wanted) {
  DeviceText text;
  try {
    text = device_text(source);
    if (!wanted.empty()) (void)device_text(source, {.kernels = {wanted}});
  } catch (const std::runtime_error& error) {
    throw JobError(error.what());
  }
  auto kernel = text.kernels.begin();
  if (!wanted.empty()) {
    kernel = std::ranges::find_if(text.kernels, [&](const GlobalFunction& one) {
      return one.name == wanted || one.name.ends_with("::" + wanted);
    });
  } else if (!text.launches.empty()) {
    const auto launched = std::ranges::find_if(
        text.kernels, [&](const GlobalFunction& one) { return one.name == text.launches.front().kernel; });
    if (launched != text.kernels.end()) kernel = launched;
  }
  if (kernel == text.kernels.end())
    throw JobError(
        fmt::format("{}: what defines {} is not compiled: see to its #if and #ifdef", source.string(), wanted));
  const auto beside =
      std::filesystem::absolute(source).lexically_relative(std::filesystem::absolute(output).parent_path());
  Drafted drafted{.text = Draft(text, *kernel).job(beside.string()), .kernel = kernel->name, .missing = text.missing};
  for (const GlobalFunction& other : text.kernels)
    if (other.name != kernel->name) drafted.others.push_back(other.name);
  return drafted;
}

}  // namespace warpwright::job
