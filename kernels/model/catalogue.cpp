// Finds patterns and kernels by name, and hashes their sources.
#include "kernels/model/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "kernels/core/hash.hpp"

namespace warpwright {
namespace {

/// A problem's text is parsed without its pattern, so no variant may look like a number, and names must differ.
void require_readable(const Pattern& pattern) {
  std::set<std::string> names{std::string(kOwnData)};
  const auto require_new = [&](const std::string& name) {
    if (!names.insert(name).second)
      throw std::logic_error("pattern '" + pattern.name + "' has the setting '" + name + "' twice");
  };
  for (const auto& [axis, options] : pattern.variants) {
    require_new(axis);
    for (const std::string& option : options)
      if (option.empty() || std::isalpha(static_cast<unsigned char>(option.front())) == 0)
        throw std::logic_error("pattern '" + pattern.name + "': the option '" + option +
                               "' does not begin with a letter");
  }
  for (const Number& number : pattern.numbers) {
    require_new(number.name);
    if (!number.allows(number.preferred))
      throw std::logic_error("pattern '" + pattern.name + "': " + number.name + " may not be what it is by itself");
  }
}

/// The names that a source includes in quotes.
std::vector<std::string> named_by(const std::string& text) {
  std::vector<std::string> names;
  constexpr std::string_view kInclude = "#include \"";
  for (std::size_t at = text.find(kInclude); at != std::string::npos; at = text.find(kInclude, at + 1)) {
    const std::size_t begin = at + kInclude.size();
    names.push_back(text.substr(begin, text.find('"', begin) - begin));
  }
  return names;
}

/// The part of a glob that stands for a pattern.
std::string pattern_in(const std::string& glob) {
  return glob.substr(0, glob.find('/'));
}

}  // namespace

Catalogue::Catalogue(std::vector<Pattern> patterns, std::vector<Kernel> kernels, SourceTree sources)
    : patterns_(std::move(patterns)), kernels_(std::move(kernels)), sources_(std::move(sources)) {
  std::set<std::string> names;
  for (const Pattern& pattern : patterns_) {
    if (!names.insert(pattern.name).second) throw std::logic_error("pattern '" + pattern.name + "' stands twice");
    require_readable(pattern);
  }
  std::set<std::string> taken = names;
  for (const Pattern& pattern : patterns_)
    for (const auto& [alias, settings] : pattern.aliases)
      if (!taken.insert(alias).second)
        throw std::logic_error("'" + alias + "', another name of pattern '" + pattern.name + "', is taken");
  for (const Kernel& kernel : kernels_) {
    if (!names.contains(kernel.pattern))
      throw std::logic_error("kernel '" + kernel.full_name() + "' has no pattern: add " + kernel.pattern +
                             "/pattern.cpp");
    if (!names.insert(kernel.full_name()).second)
      throw std::logic_error("kernel '" + kernel.full_name() + "' stands twice");
  }
  for (const auto& [path, text] : sources_) {
    if (!is_mutants_file(path)) continue;
    const std::string device_file = device_file_of(path);
    if (!sources_.contains(device_file))
      throw std::logic_error(path + " speaks of " + device_file + ", which is not there");
    equivalences_[device_file] = parse_equivalences(path, text);
  }
}

const Pattern& Catalogue::pattern(std::string_view name) const {
  std::vector<std::string> known;
  for (const Pattern& pattern : patterns_) {
    if (pattern.name == name) return pattern;
    known.push_back(pattern.name);
  }
  throw std::invalid_argument(fmt::format("no pattern '{}'; there are: {}", name, fmt::join(known, ", ")));
}

const Kernel& Catalogue::kernel(std::string_view full_name) const {
  std::vector<std::string> known;
  for (const Kernel& kernel : kernels_) {
    known.push_back(kernel.full_name());
    if (known.back() == full_name) return kernel;
  }
  throw std::invalid_argument(fmt::format("no kernel '{}'; there are: {}", full_name, fmt::join(known, ", ")));
}

std::vector<const Kernel*> Catalogue::matching(const std::string& text) const {
  const std::string alias = pattern_in(text);
  std::string glob = text;
  for (const Pattern& pattern : patterns_)
    if (pattern.aliases.contains(alias)) glob.replace(0, alias.size(), pattern.name);
  std::vector<const Kernel*> found;
  std::vector<std::string> known;
  for (const Kernel& kernel : kernels_) {
    known.push_back(kernel.full_name());
    if (fnmatch(glob.c_str(), kernel.pattern.c_str(), 0) == 0 || fnmatch(glob.c_str(), known.back().c_str(), 0) == 0)
      found.push_back(&kernel);
  }
  if (found.empty())
    throw std::invalid_argument(fmt::format("nothing matches '{}'; there are: {}", text, fmt::join(known, ", ")));
  return found;
}

std::vector<Settings> Catalogue::settings_of_aliases(const Pattern& pattern,
                                                     const std::vector<std::string>& globs) const {
  std::vector<Settings> found;
  for (const std::string& glob : globs) {
    const auto alias = pattern.aliases.find(pattern_in(glob));
    if (alias != pattern.aliases.end()) {
      found.push_back(alias->second);
      continue;
    }
    for (const Kernel* kernel : matching(glob))
      if (kernel->pattern == pattern.name) return {};
  }
  return found;
}

std::vector<const Kernel*> Catalogue::matching(const std::vector<std::string>& globs) const {
  if (globs.empty()) return matching("*");
  std::vector<const Kernel*> found;
  for (const std::string& glob : globs)
    for (const Kernel* kernel : matching(glob))
      if (std::ranges::find(found, kernel) == found.end()) found.push_back(kernel);
  std::ranges::sort(found);  // pointers into one vector, so this is the catalogue's order
  return found;
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> found;
  for (const Pattern& pattern : patterns_) {
    found.push_back(pattern.name);
    for (const auto& [alias, settings] : pattern.aliases) found.push_back(alias);
    for (const Kernel& kernel : kernels_)
      if (kernel.pattern == pattern.name) found.push_back(kernel.full_name());
  }
  return found;
}

const std::vector<Equivalence>& Catalogue::equivalences_of(const std::string& device_file) const {
  static const std::vector<Equivalence> none;
  const auto found = equivalences_.find(device_file);
  return found == equivalences_.end() ? none : found->second;
}

Catalogue Catalogue::with(const std::vector<Pattern>& patterns, const std::vector<Kernel>& kernels,
                          const SourceTree& sources) const {
  std::vector<Pattern> all_patterns = patterns_;
  all_patterns.insert(all_patterns.end(), patterns.begin(), patterns.end());
  std::vector<Kernel> all_kernels = kernels_;
  all_kernels.insert(all_kernels.end(), kernels.begin(), kernels.end());
  SourceTree all_sources = sources_;
  for (const auto& [path, text] : sources)
    if (const auto [known, is_new] = all_sources.emplace(path, text); !is_new && known->second != text)
      throw std::logic_error("two texts are called " + path);
  return {std::move(all_patterns), std::move(all_kernels), std::move(all_sources)};
}

std::string Catalogue::source_hash(const std::string& source) const {
  std::string text;
  for (const std::string& path : includes_of(sources_, source)) text += path + '\0' + sources_.at(path) + '\0';
  return hash_text(text);
}

std::string include_lines(const SourceTree& tree, const std::string& header, const Definitions& definitions) {
  std::string before;
  std::string behind;
  if (const auto text = tree.find(header); text != tree.end() && !definitions.empty())
    for (const std::string& included : named_by(text->second))
      if (tree.contains(included)) before += fmt::format("#include \"{}\"\n", included);
  for (const auto& [name, text] : definitions) {
    before += fmt::format("#define {} {}\n", name, text);
    behind += fmt::format("#undef {}\n", name);
  }
  return fmt::format("{}#include \"{}\"\n{}", before, header, behind);
}

std::vector<std::string> includes_of(const SourceTree& tree, const std::string& source) {
  std::vector<std::string> found;
  std::vector<std::string> pending{source};
  while (!pending.empty()) {
    const std::string path = pending.back();
    pending.pop_back();
    if (!tree.contains(path) || std::ranges::find(found, path) != found.end()) continue;
    found.push_back(path);
    const std::string& text = tree.at(path);
    const auto named = named_by(text);
    pending.insert(pending.end(), named.begin(), named.end());
    if (text.find("#include <cuda.h>") != std::string::npos) pending.emplace_back(kDriverTypes);
  }
  return found;
}

}  // namespace warpwright
