// Judging configurations on the host.
#include "tuner/tune_judge.hpp"

#include <algorithm>

namespace warpwright::tuner {

conformance::Checker host_checker(const Workshop& shop, worker::Process& process) {
  return {shop.catalogue, process, {.built = [&shop](const std::string& target, const Program& program) {
            return shop.compiler.compile_one(target, program);
          }}};
}

conformance::PropertyOptions host_cases(const std::string& target, const Prepared& prepared, const Problem& problem,
                                        int cases, const std::atomic<bool>& stop) {
  return {.target = target,
          .cases = cases,
          .seed = 1,
          .params = {prepared.params},
          .problems = {problem},
          .draw_numbers = false,
          .max_steps = 4096,
          .deadline = std::nullopt,
          .stop = &stop,
          .determinism = true};
}

conformance::PropertyReport judge_cases(const Workshop& shop, worker::Process& process, const Prepared& prepared,
                                        const Problem& problem, int cases) {
  conformance::Checker checker = host_checker(shop, process);
  return conformance::run_property(shop.catalogue, checker, *prepared.kernel,
                                   host_cases(shop.host(), prepared, problem, cases, shop.stop));
}

std::string cannot_judge(const Workshop& shop) {
  if (std::string error = shop.compiler.toolchain().host_error; !error.empty()) return error;
  const std::vector<int> known = supported_architectures();
  return std::ranges::find(known, shop.device.compute_capability) == known.end()
             ? "the host does not stand in for " + shop.device.arch()
             : "";
}

}  // namespace warpwright::tuner
