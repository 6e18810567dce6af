// Searches device files for functions.
#include "conformance/properties/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "conformance/properties/property.hpp"

namespace warpwright::conformance {
namespace {

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether the name occurs in the text as a word. A macro may define the function, so nothing stricter can be checked.
bool names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

std::set<std::string> launched_functions(const Catalogue& catalogue, const Kernel& kernel, const Device& device) {
  std::set<std::string> functions;
  for (const Problem& problem : problems_of(catalogue.pattern(kernel.pattern), kernel, device)) {
    if (!kernel.refuses(kernel.default_point, problem, device).empty()) continue;
    for (const auto& [launch, times] : launches_of(kernel.plan(kernel.default_point, problem, device)))
      functions.insert(function_of(launch.entry));
  }
  return functions;
}

}  // namespace

std::string function_of(const std::string& entry) {
  const std::string name = entry.substr(0, entry.find('<'));
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

void require_functions(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels, const Device& device) {
  for (const Kernel* kernel : kernels) {
    // Skipped here, because the run reports it.
    if (!fault_of_default(catalogue.pattern(kernel->pattern), *kernel, device).empty()) continue;
    const auto files = includes_of(catalogue.sources(), kernel->source);
    for (const std::string& function : launched_functions(catalogue, *kernel, device))
      if (std::ranges::none_of(files,
                               [&](const std::string& file) { return names(catalogue.sources().at(file), function); }))
        throw std::invalid_argument(
            fmt::format("{} does not define the function '{}', and nothing that it includes does: the plan of {} "
                        "launches it. Write its name in the plan as in the file",
                        kernel->source, function, kernel->full_name()));
  }
}

}  // namespace warpwright::conformance
