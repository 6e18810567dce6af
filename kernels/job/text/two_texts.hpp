// Finds device code that differs between the simulator and a GPU's compiler.
#pragma once

#include <string>

namespace warpwright::job {

/// If the source has a branch of the preprocessor on a macro that tells compilers apart, such as __CUDACC_RTC__ or
/// __GNUC__, what the simulator runs may be another text than what a GPU runs. Its kernels then begin with a call that
/// says so, and that ends them in the simulator only. `file` is the name in positions.
void mark_two_texts(std::string& text, const std::string& file);

}  // namespace warpwright::job
