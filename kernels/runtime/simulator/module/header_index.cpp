// Finds the built-ins that device code mentions.
#include "kernels/runtime/simulator/module/header_index.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/simulator/module/compiler_log.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace warpwright::simulator {
namespace {

bool is_of_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

void add_words(std::string_view text, std::set<std::string, std::less<>>& words) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_of_a_word(text[end])) ++end;
    if (end > begin) words.emplace(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// The words after the mark, in lines that begin with it.
std::vector<std::string> words_behind(std::string_view mark, std::string_view text) {
  std::vector<std::string> words;
  for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    std::istringstream line{std::string(text.substr(begin, text.find('\n', begin) - begin))};
    for (std::string word; line >> word;) words.push_back(word);
  }
  return words;
}

}  // namespace

std::vector<std::string> declared_names(std::string_view header) {
  return words_behind("// Declares: ", header);
}

std::map<std::string, std::string> header_replacements(const std::map<std::string, std::string>& sources) {
  std::map<std::string, std::string> found;
  for (const auto& [path, text] : sources)
    if (path.starts_with("kernels/runtime/"))
      for (const std::string& header : words_behind("// Replaces: ", text)) found.emplace(header, path);
  return found;
}

std::vector<std::string> needed_built_ins(const std::map<std::string, std::string>& sources,
                                          const std::set<std::string>& files, const std::vector<std::string>& names) {
  std::set<std::string, std::less<>> words;
  for (const std::string& name : names) add_words(name, words);
  bool pastes = false;
  for (const std::string& file : files) {
    // What these mention is meant for a CUDA compiler.
    static const std::set<std::string> of_gpus = {"device.cuh",          "async.cuh",
                                                  "matrix.cuh",          "warpgroup.cuh",
                                                  "warpgroup_tf32.cuh",  "warpgroup_float8.cuh",
                                                  "warpgroup_bytes.cuh", "warpgroup_half_sums.cuh",
                                                  "named_barriers.cuh",  "clusters.cuh",
                                                  "programmatic.cuh"};
    const std::string folder = "kernels/runtime/";
    if (is_cpu_model(file) || (file.starts_with(folder) && of_gpus.contains(file.substr(folder.size())))) continue;
    const std::string& text = sources.at(file);
    add_words(text, words);
    pastes = pastes || text.find("##") != std::string::npos;
  }
  std::vector<std::string> needed;
  for (auto source = sources.lower_bound(std::string(kCpuModel));
       source != sources.end() && source->first.starts_with(kCpuModel); ++source) {
    const auto patterns = declared_names(source->second);
    const bool is_mentioned = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      // Words are sorted: only those that begin like the pattern are compared.
      const std::string start = pattern.substr(0, pattern.find_first_of("*?["));
      for (auto word = words.lower_bound(start); word != words.end() && word->starts_with(start); ++word) {
        if (fnmatch(pattern.c_str(), word->c_str(), 0) == 0) return true;
      }
      return false;
    });
    if (is_mentioned || (pastes && !patterns.empty())) needed.push_back(source->first);
  }
  return needed;
}

std::string missing_header(const std::map<std::string, std::string>& sources, const std::string& log) {
  constexpr std::string_view mark = ": fatal error: ", left_out = "\n// Not found: <";
  const auto at = log.find(mark);
  if (at == std::string::npos) {
    // The text lacks what a header declares.
    if (!is_about_source(log)) return {};
    for (const auto& [file, text] : sources)
      if (const auto line = text.find(left_out); !is_cpu_model(file) && line != std::string::npos)
        return text.substr(line + left_out.size(), text.find('>', line) - line - left_out.size());
    return {};
  }
  const auto begin = at + mark.size();
  const std::string name = log.substr(begin, log.find(": No such file", begin) - begin);
  const std::string named = '<' + name + '>';
  const bool is_included = std::any_of(sources.begin(), sources.end(), [&](const auto& source) {
    return !is_cpu_model(source.first) && source.second.find(named) != std::string::npos;
  });
  return is_included ? name : "";
}

}  // namespace warpwright::simulator
