// Finds completions for a command line, and writes the scripts for shells.
#include "kernels/system/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace warpwright::program {
namespace {

// PROGRAM is replaced by the program's name. Each script asks the program on the line for completions. If it has none,
// the shell completes file names.
constexpr std::string_view bash_script = R"(# Completion of PROGRAM in bash: source <(PROGRAM --completion bash)
_PROGRAM_complete() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    [[ $word == *' '* ]] && printf -v word %q "$word"
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _PROGRAM_complete PROGRAM
)";

constexpr std::string_view zsh_script = R"(#compdef PROGRAM
# Completion of PROGRAM in zsh: source <(PROGRAM --completion zsh), after compinit
_PROGRAM_complete() {
  local -a found
  found=("${(@f)$(${~words[1]} --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found[1] ]]; then compadd -- "${(@)found}"; else _files; fi
}
compdef _PROGRAM_complete PROGRAM
)";

constexpr std::string_view fish_script = R"(# Completion of PROGRAM in fish: PROGRAM --completion fish | source
function _PROGRAM_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] --complete $words[2..-1] 2>/dev/null)
    and test -n "$found"; and string collect -- $found; or __fish_complete_path $words[-1]
end
complete -c PROGRAM -f -a '(_PROGRAM_complete)'
)";

using Words = std::vector<std::string>;

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

// Whether several values may follow the option, or the option may be repeated.
bool takes_values(const CLI::Option& option) {
  return option.get_items_expected_max() > 1;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> found = app.get_options();
  if (app.get_parent() != nullptr && app.get_parent()->get_fallthrough()) {
    const auto more = options_of(*app.get_parent());
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

const CLI::Option* option_named(const CLI::App& app, const std::string& name) {
  const auto all = options_of(app);
  const auto found = std::ranges::find_if(
      all, [&](const CLI::Option* option) { return option->nonpositional() && option->check_name(name); });
  return found == all.end() ? nullptr : *found;
}

// The values of a CLI::IsMember, which the app shows in its help as "{first,all}".
Words listed_values(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

Words values_of(const CLI::Option& option, const OptionValues& values) {
  Words found = values ? values(option.get_name()) : Words{};
  return found.empty() ? listed_values(option) : found;
}

Words option_names(const CLI::App& app, const std::set<const CLI::Option*>& given) {
  Words names;
  for (const CLI::Option* option : options_of(app)) {
    if (given.contains(option) && !takes_values(*option)) continue;
    if (option->get_group().empty()) continue;  // hidden: an old name
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The words that may be next if no option waits for its value.
Words words_of(const CLI::App& app, const OptionValues& values) {
  Words words;
  for (const CLI::App* command : app.get_subcommands(std::function<bool(const CLI::App*)>()))
    words.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) std::ranges::copy(values_of(*option, values), std::back_inserter(words));
  return words;
}

const CLI::App* subcommand_named(const CLI::App& app, const std::string& name) {
  const auto all = app.get_subcommands(std::function<bool(const CLI::App*)>());
  const auto found = std::ranges::find(all, name, [](const CLI::App* command) { return command->get_name(); });
  return found == all.end() ? nullptr : *found;
}

}  // namespace

Words completions(const CLI::App& app, const Words& words, const OptionValues& values) {
  const CLI::App* at = &app;
  const CLI::Option* waiting = nullptr;
  std::set<const CLI::Option*> given;
  const std::size_t before = words.empty() ? 0 : words.size() - 1;
  for (std::size_t i = 0; i < before; ++i) {
    const std::string& word = words[i];
    if (word == "=") continue;  // bash splits --name=value
    if (word.starts_with("-")) {
      waiting = option_named(*at, word.substr(0, word.find('=')));
      given.insert(waiting);
      if (waiting != nullptr && (!takes_value(*waiting) || word.find('=') != std::string::npos)) waiting = nullptr;
    } else if (waiting != nullptr) {
      if (!takes_values(*waiting)) waiting = nullptr;
    } else if (const CLI::App* command = subcommand_named(*at, word)) {
      at = command;
    }
  }

  std::string last = words.empty() || words.back() == "=" ? "" : words.back();
  Words found;
  if (const std::size_t equals = last.find('='); last.starts_with("-") && equals != std::string::npos) {
    if (const CLI::Option* option = option_named(*at, last.substr(0, equals)))
      for (const std::string& value : values_of(*option, values)) found.push_back(last.substr(0, equals + 1) + value);
  } else if (last.starts_with("-")) {
    found = option_names(*at, given);
  } else {
    found = waiting != nullptr ? values_of(*waiting, values) : words_of(*at, values);
  }
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(last); });
  return found;
}

const Words& completion_shells() {
  static const Words shells{"bash", "zsh", "fish"};
  return shells;
}

std::string completion_script(std::string_view shell, std::string_view program) {
  std::string script{shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script};
  if (std::ranges::find(completion_shells(), shell) == completion_shells().end())
    throw std::invalid_argument(fmt::format("no completion for the shell '{}'", shell));
  constexpr std::string_view mark = "PROGRAM";
  for (std::size_t at = 0; (at = script.find(mark, at)) != std::string::npos; at += program.size())
    script.replace(at, mark.size(), program);
  return script;
}

}  // namespace warpwright::program
