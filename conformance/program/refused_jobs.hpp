// Job files that were refused, in a run that checks the others.
#pragma once

#include <string>
#include <vector>

#include "conformance/suite/diagnostics.hpp"
#include "kernels/job/jobs.hpp"

namespace warpwright::conformance {

/// An error at the line that the message names, or at the beginning of the file.
Diagnostic diagnostic_of(const job::RefusedJob& refused);

/// What is printed before the others are checked.
std::string describe(const std::vector<job::RefusedJob>& refused);

/// What is printed at the end: "a.json, b.json were refused".
std::string reminder_of(const std::vector<job::RefusedJob>& refused);

}  // namespace warpwright::conformance
