// Checks the tuned shapes of a kernel, and which functions only they launch.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "conformance/properties/property.hpp"
#include "conformance/properties/shrinking.hpp"

namespace warpwright::conformance {

/// Adds the functions that the case launches; of a job with their template arguments.
void add_launched(const Case& test, const Device& usual, std::set<std::string>& functions);

/// The functions that the default configuration launches for the tuned shapes that it accepts.
std::set<std::string> tuned_launches(const Pattern& pattern, const Kernel& kernel, const Device& device,
                                     const PropertyOptions& options);

/// If the kernel is a user's and the run a suite's, runs each of `options.sampled` as a case of its own, as long as
/// that takes no long time, by what the passing cases took. Of those that are too large, checks some blocks of each
/// launch. Stops at a failure.
void check_tuned_shapes(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                        const PropertyOptions& options, const Passing& passing, const std::function<bool()>& is_over,
                        PropertyReport& report);

}  // namespace warpwright::conformance
