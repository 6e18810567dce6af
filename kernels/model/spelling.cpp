// Finds the names of enumerators in the compiler's text for a function that has all of them as template arguments.
#include "kernels/model/spelling.hpp"

#include <stdexcept>

namespace warpwright::detail {

std::string value_in(std::string_view signature, std::int64_t index) {
  constexpr std::string_view kName = "Values = ";
  constexpr std::string_view kComma = ", ";
  const std::size_t name = signature.find(kName);
  std::string_view rest = signature.substr(name + kName.size() + 1);  // also skips the bracket
  for (std::int64_t left = index; left > 0 && !rest.empty(); --left) {
    const std::size_t comma = rest.find(kComma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + kComma.size());
  }
  const std::string_view value = rest.substr(0, rest.find_first_of(",}>]"));
  if (index < 0 || value.empty() || value.find_first_of("(<{") != std::string_view::npos)
    throw std::logic_error("not an enumerator from -1 to 127 of a namespace with a name: value number " +
                           std::to_string(index) + " of " + std::string(signature.substr(0, name)));
  return std::string(value);
}

}  // namespace warpwright::detail
