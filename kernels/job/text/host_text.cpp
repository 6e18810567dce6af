// The source of a function that the CPU runs.
#include "kernels/job/text/host_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/job/text/selection.hpp"
#include "kernels/job/text/signatures.hpp"

namespace warpwright::job {
namespace {

/// The numbers of the declarations that define it.
std::vector<std::size_t> defining(const Items& found, const std::string& function) {
  const std::string name = function.substr(0, function.find('<'));
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < found.items.size(); ++i)
    if (const Item& item = found.items[i]; item.kind == ItemKind::function && item.is_definition && !item.is_global &&
                                           !item.names.empty() && !found.passed_by[item.first] &&
                                           is_called(item.scope + item.names.front(), name))
      numbers.push_back(i);
  return numbers;
}

GlobalFunction function_at(const Tokens& tokens, const Items& found, std::size_t number) {
  GlobalFunction function = signature_of(tokens, found.items[number]);
  const auto types = aliases_of(tokens, found);
  for (Parameter& parameter : function.parameters) parameter.type = meant_type(types, parameter.type);
  return function;
}

}  // namespace

HostText host_text(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders,
                   const std::string& function, const std::vector<std::string>& others) {
  const bool is_of_cuda = file.extension() == ".cu";
  const FlatText flat = flat_text(file, folders, is_of_cuda ? Side::device : Side::host);
  HostText made{.text = flat.text};
  try {
    const Tokens tokens(flat.text, file.string());
    const Items found = items_of(tokens);
    const std::vector<std::size_t> numbers = defining(found, function);
    if (numbers.size() == 1) made.function = function_at(tokens, found, numbers.front());
    if (!is_of_cuda) return made;
    if (numbers.empty())
      throw std::runtime_error(fmt::format("{}:1: defines no function {} for the CPU", file.string(), function));
    Selection selection(tokens, found, Side::host);
    selection.keep(numbers.front());
    for (const std::string& other : others)
      for (const std::size_t number : defining(found, other)) selection.keep(number);
    selection.keep_unnamed();
    made.text = "#include \"kernels/job/text/host.cuh\"\n" + selection.text();
  } catch (const std::runtime_error&) {
    if (is_of_cuda) throw;  // the compiler says what is wrong with other files
  }
  return made;
}

}  // namespace warpwright::job
