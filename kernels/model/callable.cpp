// Finds callables by name.
#include "kernels/model/callable.hpp"

#include <algorithm>

namespace warpwright {

const Callable& find_callable(const std::vector<Callable>& callables, const std::string& pattern,
                              const std::string& name) {
  std::string known;
  for (const Callable& callable : callables) {
    if (callable.pattern != pattern) continue;
    if (callable.name() == name) return callable;
    known += (known.empty() ? "" : ", ") + callable.name();
  }
  throw std::invalid_argument("this worker holds no callable " + name + " of " + pattern + "; it holds " +
                              (known.empty() ? "none of this pattern" : known));
}

}  // namespace warpwright
