// For tests: checks jobs, given as text, on the simulator.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/properties/property.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::conformance {

class CheckedJobs : public HostFixture {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  /// The result of some cases of the job's default configuration and of its last one.
  PropertyReport checked(const std::string& job, const std::string& text, int cases = 20,
                         std::optional<int> drawn_before = std::nullopt) {
    write("kernel.cu", text);
    jobs_.push_back(std::make_unique<job::Jobs>(catalogue(), std::vector<std::string>{write("kernel.json", job)}));
    const Catalogue& all = jobs_.back()->catalogue();
    const Kernel& kernel = *all.matching(jobs_.back()->globs()).front();
    const Pattern& pattern = all.pattern(kernel.pattern);
    const auto points = kernel.space.points({.types = pattern.types.front(), .device = host_device()});
    PropertyOptions options;
    options.cases = cases;
    options.drawn_before = drawn_before;
    options.params = {kernel.default_point};
    options.max_steps = max_steps_;
    options.sampled = pattern.tuning_shapes;
    if (points.back() != kernel.default_point) options.params.push_back(points.back());
    options.problems = {make_problem(pattern, pattern.types.front(), {}, pattern.tuning_shapes.front())};
    options.shrink = false;
    options.longest_seconds = longest_seconds_;
    worker::Compiler compiler(pool_, cache_, all.sources());
    worker::Process process;
    Checker checker(all, process, compiler);
    return run_property(all, checker, kernel, options);
  }

  TemporaryFolder folder_;
  double max_steps_ = 2048;
  double longest_seconds_ = PropertyOptions{}.longest_seconds;
  std::vector<std::unique_ptr<job::Jobs>> jobs_;
};

}  // namespace warpwright::conformance
