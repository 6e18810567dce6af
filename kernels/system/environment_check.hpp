// What every run needs of the machine, looked at before anything begins.
#pragma once

namespace warpwright::worker {

/// Throws EnvironmentFault, with what to do, where the stack, the descriptors or the temporary folder are too small for
/// compilers and kernels, or the folder cannot be written. Removes what killed runs left in that folder.
void check_environment();

}  // namespace warpwright::worker
