// Names of kernel instances.
#include "kernels/model/kernel.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpwright {

Point instance_point(const Space& space, const Point& point, const Point& default_point,
                     const std::vector<std::string>& launch_axes) {
  Point instance = point;
  for (const std::string& name : launch_axes) {
    const auto axis = std::ranges::find(space.axes(), name, &Axis::name);
    if (axis == space.axes().end()) throw std::invalid_argument("the space has no axis " + name);
    const auto i = static_cast<std::size_t>(axis - space.axes().begin());
    instance[i] = default_point[i];
  }
  return instance;
}

void check_tolerated_rules(const std::string& kernel, const std::vector<ToleratedRule>& lenient) {
  for (const ToleratedRule& one : lenient) {
    const std::string what(word_of(one.what));
    if (one.reason.find_first_not_of(" \t\n") == std::string::npos)
      throw std::invalid_argument(kernel + " tolerates '" + what + "' and gives no reason");
    if (std::ranges::count(lenient, one.what, &ToleratedRule::what) > 1)
      throw std::invalid_argument(kernel + " tolerates '" + what + "' twice");
  }
}

std::string PlanRequest::entry(const std::string& function, const std::vector<std::string>& arguments) const {
  std::string text = "warpwright::" + pattern + "::" + function + "<";
  for (const std::string& argument : arguments) text += argument + ", ";
  return text + params + ">";
}

}  // namespace warpwright
