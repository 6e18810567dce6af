// Parses settings.
#include "kernels/core/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpwright {

Settings parse_settings(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    const std::size_t equals = part.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == part.size() || end + 1 == text.size())
      throw std::invalid_argument(fmt::format(
          "'{}' is not a list of settings: write NAME=VALUE, several with commas, e.g. op=sum,data=uniform", text));
    const std::string name(part.substr(0, equals));
    if (!settings.emplace(name, part.substr(equals + 1)).second)
      throw std::invalid_argument(fmt::format("'{}' is set twice: leave one", name));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return settings;
}

}  // namespace warpwright
