// Drafts texture and tensor map arguments.
#include "kernels/job/draft_textures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

#include "kernels/job/draft_words.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/questions.hpp"
#include "kernels/job/tensor_maps.hpp"
#include "kernels/job/text/tokens.hpp"
#include "kernels/job/textures.hpp"

namespace warpwright::job {
namespace {

struct Fetch {
  std::string function;     ///< "tex2D"
  std::string type;         ///< the type of its result
  bool is_of_name = false;  ///< whether its texture has the parameter's name
};

/// The fetch from the texture of that name, or else any fetch.
std::optional<Fetch> fetch_of(const std::string& text, const std::string& name) {
  const Tokens tokens(text, "");
  std::optional<Fetch> any;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const std::string_view word = tokens.view(i);
    if (!word.starts_with("tex") || word.size() < 5 || std::isdigit(static_cast<unsigned char>(word[3])) == 0) continue;
    std::size_t at = i + 1;
    std::string type = "float";
    if (tokens.is(at, "<")) {
      while (at < tokens.size() && !tokens.is(at, ">")) ++at;
      type = tokens.spelling(i + 2, at++);
    }
    if (!tokens.is(at, "(")) continue;
    const auto parts = split_at_commas(tokens, at + 1, closing_bracket(tokens, at), false);
    Fetch found{.function = std::string(word), .type = type};
    found.is_of_name =
        std::ranges::any_of(parts, [&](const auto& part) { return tokens.spelling(part.first, part.second) == name; });
    if (found.is_of_name) return found;
    if (!any) any = found;
  }
  return any;
}

/// The enumerator among `words` that the host code mentions, as a word of job files. If it mentions none or several,
/// the first.
std::string mode_of(const DeviceText& text, const std::string& kind, std::span<const char* const> words) {
  std::vector<std::string> named;
  for (const std::string word : words) {
    std::string capital = word == "element" ? "ElementType" : word == "normalized" ? "NormalizedFloat" : word;
    capital.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(capital.front())));
    if (text.texture_modes.contains(kind + capital)) named.push_back(word);
  }
  return named.size() == 1 ? named.front() : words.front();
}

/// The extents in the order width, height, depth, as their names say. If names do not say it, the fastest one comes
/// first.
std::vector<std::string> sizes_of(std::vector<std::string> extents, std::size_t dimensions) {
  std::vector<std::string> sizes(dimensions);
  for (std::size_t i = 0; i < dimensions && dimensions > 1; ++i) {
    sizes[i] = size_in_dimension(extents, i);
    std::erase(extents, sizes[i]);
  }
  for (std::string& size : sizes)
    if (size.empty() && !extents.empty()) {
      size = extents.back();
      extents.pop_back();
    }
  // All elements in one row.
  if (dimensions == 1 && !extents.empty())
    sizes.front() = fmt::format("{} * {}", fmt::join(extents, " * "), sizes.front());
  for (std::string& size : sizes)
    if (size.empty()) size = "1";
  return sizes;
}

DraftTexture draft_tensor_map(const Parameter& parameter, const std::vector<std::string>& extents) {
  const std::vector<std::string> sizes = sizes_of(extents, 2);
  return {.argument =
              fmt::format(R"({{"tensor_map": {}, "extents": [{}, {}], "box": ["{}", "{}"], "swizzle": 0}})",
                          in_quotes(parameter.name), in_quotes(sizes[0]), in_quotes(sizes[1]), kOpenMark, kOpenMark),
          .type = "float",
          .count = fmt::format("{} * {}", sizes[0], sizes[1]),
          .note = fmt::format("??? What matrix does the tensor map {} describe (see cuTensorMapEncodeTiled of the host "
                              "code): type of elements, elements of a row and rows, box, swizzle, pitch? Is the buffer "
                              "in or out?",
                              parameter.name)};
}

}  // namespace

bool is_bound_type(const std::string& type) {
  return is_texture_type(type) || is_tensor_map_type(type);
}

DraftTexture draft_texture(const DeviceText& text, const Parameter& parameter,
                           const std::vector<std::string>& extents) {
  if (is_tensor_map_type(meant_type(text.types, parameter.type))) return draft_tensor_map(parameter, extents);
  const auto fetch = fetch_of(text.text, parameter.name);
  const std::string function = fetch ? fetch->function : "tex2D";
  const auto dimensions = static_cast<std::size_t>(function[3] - '0');
  const std::string read = mode_of(text, "cudaReadMode", std::array{"element", "normalized"});
  DraftTexture made{
      .argument = {}, .type = fetch ? meant_type(text.types, fetch->type) : "float", .count = {}, .note = {}};
  const auto type = type_word(made.type);
  if (!type) made.type = "float";
  // A fetch has a known result type, which is floating.
  if (read == "normalized" && type && is_floating(type->element))
    made.type = type->lanes == 1 ? "unsigned char" : fmt::format("uchar{}", type->lanes);
  constexpr std::array<const char*, 3> kNames{"width", "height", "depth"};
  std::string argument = fmt::format("{{\"texture\": {}", in_quotes(parameter.name));
  const std::vector<std::string> sizes = sizes_of(extents, std::clamp<std::size_t>(dimensions, 1, 3));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    argument += fmt::format(", \"{}\": {}", kNames.at(i), in_quotes(sizes[i]));
  if (function == "tex1D") argument += R"(, "memory": "array")";
  if (function != "tex1Dfetch")
    argument += fmt::format(R"(, "filter": "{}", "address": "{}", "normalized": {}, "read": "{}")",
                            mode_of(text, "cudaFilterMode", texture_filters),
                            mode_of(text, "cudaAddressMode", texture_addresses),
                            text.texture_modes.contains("normalizedCoords"), read);
  else if (read == "normalized")
    argument += R"(, "read": "normalized")";
  made.argument = argument + "}";
  made.count = fmt::format("{}", fmt::join(sizes, " * "));
  made.note = fmt::format(
      "??? What is the texture {} made of (see cudaResourceDesc and cudaTextureDesc of the host code): number and type "
      "of elements, sizes in texels, filter, address, normalized?",
      parameter.name);
  return made;
}

}  // namespace warpwright::job
