// Formats the help of a program, and messages on wrong command lines.
#include "kernels/system/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/core/text.hpp"
#include "kernels/system/nearest.hpp"

namespace warpwright::program {
namespace {

// The column in which descriptions begin.
constexpr std::size_t kNameColumns = 28;

using Words = std::vector<std::string>;

// "  NAME    description", with the description in its own column.
std::string entry(const std::string& name, const std::string& what) {
  std::string first = "  " + name;
  if (what.empty()) return first + '\n';
  std::string above;
  if (first.size() + 2 > kNameColumns) above = std::exchange(first, "") + '\n';
  first.resize(kNameColumns, ' ');
  return above + wrapped(first + what, kHelpColumns, kNameColumns);
}

// The choices a and b from the type "TEXT:{a,b}", as CLI::IsMember writes it.
Words choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  return open == std::string::npos ? Words()
                                   : CLI::detail::split(type.substr(open + 1, type.rfind('}') - open - 1), ',');
}

// The placeholder for an option's value: its own name, or NUMBER or TEXT.
std::string value_word(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  std::string word = type.substr(0, type.find_first_of(":{ "));
  if (word == "INT" || word == "UINT" || word == "FLOAT") word = "NUMBER";
  return word.empty() ? "VALUE" : word;
}

std::string names_of(const CLI::Option& option) {
  Words names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string positional_word(const CLI::Option& option) {
  std::string word = option.get_name(true, false);
  std::ranges::transform(word, word.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return option.get_items_expected_max() > 1 ? word + "..." : word;
}

std::string list_of(const std::set<CLI::Option*>& options) {
  Words names;
  for (const CLI::Option* option : options) names.push_back("--" + option->get_lnames().front());
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

std::string entry(const CLI::Option& option) {
  std::string name = option.nonpositional() ? names_of(option) : positional_word(option);
  if (const std::string word = value_word(option); option.nonpositional() && !word.empty()) name += " " + word;
  std::string what = option.get_description();
  if (const Words all = choices(option); !all.empty())
    what = sentence(what) + fmt::format(" One of: {}", fmt::join(all, ", "));
  if (!option.get_default_str().empty()) what += fmt::format(" (default: {})", option.get_default_str());
  if (option.get_required() && option.nonpositional()) what += " (must be given)";
  if (!option.get_needs().empty()) what = sentence(what) + fmt::format(" Needs {}.", list_of(option.get_needs()));
  return entry(name, what);
}

std::string group_of(const CLI::Option& option) {
  if (option.get_group() != "Options") return option.get_group();
  return option.get_positional() ? "Arguments" : "Options";
}

Words groups_of(const std::vector<const CLI::Option*>& options) {
  Words groups;
  for (const CLI::Option* option : options)
    if (const std::string one = group_of(*option); !one.empty() && std::ranges::find(groups, one) == groups.end())
      groups.push_back(one);
  // Options that every program has come last.
  const auto about = std::ranges::find(groups, group::kAbout);
  if (about != groups.end()) std::rotate(about, about + 1, groups.end());
  return groups;
}

std::string text_of_groups(const std::vector<const CLI::Option*>& options) {
  std::string text;
  for (const std::string& one : groups_of(options)) {
    text += fmt::format("\n{}:\n", one);
    for (const bool positional : {true, false})
      for (const CLI::Option* option : options)
        if (group_of(*option) == one && option->get_positional() == positional) text += entry(*option);
  }
  return text;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands(std::function<bool(const CLI::App*)>());
}

std::string usage_of(const CLI::App& app, const std::string& name) {
  std::string line = name;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional())
      line += option->get_required() ? " " + positional_word(*option) : fmt::format(" [{}]", positional_word(*option));
  const bool has_commands = !commands_of(app).empty();
  const std::string command = name + " SUB-COMMAND [OPTIONS]";
  if (has_commands && line == name) return fmt::format("Usage: {}\n", command);
  return fmt::format("Usage: {} [OPTIONS]\n{}", line, has_commands ? fmt::format("       {}\n", command) : "");
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::string text = wrapped(sentence(app->get_description()), kHelpColumns) + '\n' + usage_of(*app, name);
    if (const auto commands = commands_of(*app); !commands.empty()) {
      text += "\nSub-commands, each with its own --help:\n";
      for (const CLI::App* command : commands) text += entry(command->get_name(), command->get_description());
    }
    std::vector<const CLI::Option*> options = app->get_options({});
    if (const CLI::App* parent = app->get_parent(); parent != nullptr && parent->get_fallthrough())
      std::ranges::copy_if(parent->get_options(), std::back_inserter(options),
                           [](const CLI::Option* option) { return option->get_group() != group::kAbout; });
    text += text_of_groups(options);
    if (!app->get_footer().empty()) text += app->get_footer() + '\n';
    return text;
  }
};

// The sub-command that the command line selected, or the app itself; `name` becomes its name.
const CLI::App& deepest(const CLI::App& app, std::string& name) {
  for (const CLI::App* command : commands_of(app)) {
    if (command->count() == 0) continue;
    name += " " + command->get_name();
    return deepest(*command, name);
  }
  return app;
}

Words option_names(const CLI::App& app) {
  Words names;
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent())
    for (const CLI::Option* option : at->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Words command_names(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

// About words that are neither options nor positionals.
std::string about_extras(const CLI::App& at, const Words& extras) {
  // If the first word is not a sub-command, that explains why the options after it are unknown.
  if (const Words commands = command_names(at);
      !commands.empty() && !extras.empty() && !extras.front().starts_with("-"))
    return unknown("sub-command", extras.front(), commands);
  const auto flag = std::ranges::find_if(extras, [](const std::string& word) { return word.starts_with("-"); });
  if (flag != extras.end()) {
    const std::string option = flag->substr(0, flag->find('='));
    const std::size_t name = option.find_first_not_of('-');
    const std::string meant =
        nearest("--" + option.substr(name == std::string::npos ? option.size() : name), option_names(at));
    if (meant == option) return fmt::format("{} belongs after the sub-command", option);
    return fmt::format("there is no option {}{}", option, meant.empty() ? "" : "; did you mean " + meant + "?");
  }
  return fmt::format("'{}' is one word too many", extras.empty() ? "" : extras.front());
}

const CLI::Option* option_called(const CLI::App& app, const std::string& name) {
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent())
    for (const CLI::Option* option : at->get_options())
      if (option->get_name(false, true) == name || option->get_name() == name || option->get_name(true, true) == name ||
          option->check_name(name))
        return option;
  return nullptr;
}

std::string shown(const CLI::Option& option) {
  return option.nonpositional() ? "--" + option.get_lnames().front() : positional_word(option);
}

// About a value that an option does not accept.
std::string about_value(const CLI::Option& option) {
  std::string given = option.results().empty() ? "" : option.results().back();
  if (const Words known = choices(option); !known.empty()) {
    const auto is_wrong = [&](const std::string& one) { return std::ranges::find(known, one) == known.end(); };
    if (const auto wrong = std::ranges::find_if(option.results(), is_wrong); wrong != option.results().end())
      given = *wrong;
    const std::string meant = nearest(given, known);
    return fmt::format("{} does not take '{}'; {}", shown(option), given,
                       meant.empty() ? fmt::format("it takes one of: {}", fmt::join(known, ", "))
                                     : fmt::format("did you mean {}?", meant));
  }
  const std::string type = option.get_type_name();
  const std::string what = type.starts_with("FLOAT") ? "a number" : "a whole number";
  const std::size_t range = type.find(" in [");
  const std::string wanted = type.find("NONNEGATIVE") != std::string::npos ? what + " of 0 or more"
                             : type.find("POSITIVE") != std::string::npos  ? what + " above 0"
                             : range != std::string::npos                  ? what + type.substr(range)
                                                                           : what;
  return fmt::format("{} takes {}, not '{}'", shown(option), wanted, given);
}

}  // namespace

void format_help(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  if (CLI::Option* help = app.get_help_ptr(); help != nullptr) {
    help->description("Print this help");
    help->group(group::kAbout);
  }
  for (CLI::App* command : app.get_subcommands(std::function<bool(CLI::App*)>())) format_help(*command);
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  std::string name = app.get_name();
  const CLI::App& at = deepest(app, name);
  const Words extras = app.remaining(true);
  const bool has_wrong_flag =
      std::ranges::any_of(extras, [](const std::string& word) { return word.starts_with("-"); });
  const std::string kind = error.get_name();
  std::string what = error.what();
  // CLI11 says "--seed: ..." or "--a excludes --b". The option is the first word.
  const CLI::Option* option = option_called(at, what.substr(0, what.find_first_of(": ")));
  if (kind == "ConversionError" && what.starts_with("Could not convert: "))
    option = option_called(at, what.substr(19, what.find(" = ") - 19));
  const auto last_word = [&] { return what.substr(what.rfind(' ') + 1); };
  // CLI11 gives this error the name of the app.
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (is_extra || has_wrong_flag) {
    what = about_extras(at, extras);
  } else if (kind == "ExcludesError" && option != nullptr) {
    what = fmt::format("{} and {} do not go together: leave one of them out", shown(*option), last_word());
  } else if (kind == "RequiresError" && option != nullptr) {
    what = fmt::format("{} needs {} too", shown(*option), last_word());
  } else if (kind == "ArgumentMismatch" && option != nullptr) {
    const bool is_flag = option->get_items_expected_max() == 0;
    what = shown(*option) + (is_flag ? " takes no value" : " takes a value: " + option->get_description());
  } else if (kind == "RequiredError" && option != nullptr) {
    what = fmt::format("{} must be given ({})", shown(*option), option->get_description());
  } else if ((kind == "ValidationError" || kind == "ConversionError") && option != nullptr) {
    what = about_value(*option);
  }
  return fmt::format("{}: {}{} See: {} --help\n", name, what, what.ends_with('?') || what.ends_with('.') ? "" : ".",
                     name);
}

}  // namespace warpwright::program
