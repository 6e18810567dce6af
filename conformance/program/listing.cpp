// Lists the kernels.
#include "conformance/program/listing.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/property.hpp"
#include "kernels/core/target.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/json_text.hpp"

namespace warpwright::conformance {

const Device& simulated_device(const std::string& target) {
  if (is_host(target)) return host_device(target);
  return host_device(target == "native" ? host_target() : host_target(architecture_of(target)));
}

void print_kernels(const Catalogue& catalogue, const std::vector<std::string>& globs, const std::string& target,
                   Form form) {
  const Device& device = simulated_device(target);
  const auto kernels = catalogue.matching(globs);
  nlohmann::ordered_json list{{"count", kernels.size()}, {"target", target}, {"kernels", nlohmann::json::array()}};
  for (const Kernel* kernel : kernels) {
    const Problem problem = problems_of(catalogue.pattern(kernel->pattern), *kernel, device).front();
    list["kernels"].push_back({{"kernel", kernel->full_name()},
                               {"configurations", kernel->space.points(surroundings_of(problem, device)).size()}});
  }
  if (form == Form::json) {
    fmt::print("{}", json_text(list));
    return;
  }
  if (form == Form::csv) {
    Table table({{.head = "KERNEL"}, {.head = "CONFIGURATIONS"}, {.head = "TARGET"}});
    for (const auto& kernel : list["kernels"])
      table.add({kernel["kernel"].get<std::string>(), kernel["configurations"].get<std::int64_t>(), target});
    fmt::print("{}", table.csv());
    return;
  }
  fmt::print("{} on {}\n", counted(std::ssize(kernels), "kernel"), target);
  for (const auto& kernel : list["kernels"])
    fmt::print("{:<28} {:>7} configurations\n", printable(kernel["kernel"].get<std::string>()),
               kernel["configurations"].get<std::size_t>());
}

}  // namespace warpwright::conformance
