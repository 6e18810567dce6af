// Names of kernel instances.
#include "kernels/model/kernel.hpp"

namespace warpwright {

std::string PlanRequest::entry(const std::string& function, const std::vector<std::string>& arguments) const {
  std::string text = "warpwright::" + pattern + "::" + function + "<";
  for (const std::string& argument : arguments) text += argument + ", ";
  return text + params + ">";
}

}  // namespace warpwright
