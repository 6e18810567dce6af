// Checks before a run that the environment has what every run needs.
#pragma once

namespace warpwright::worker {

/// Throws EnvironmentFault, with advice, if the limits of stack size or open files are too low for compilers and
/// kernels. Also if the temporary folder is too full or not writable. Deletes what killed runs left in that folder.
void check_environment();

}  // namespace warpwright::worker
