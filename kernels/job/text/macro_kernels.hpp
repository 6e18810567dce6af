// Expands the macros of a source that make kernels.
#pragma once

#include <string>

namespace warpwright::job {

/// The text with each use of a macro with arguments replaced by what it stands for, if that contains the word
/// __global__. Lines keep their numbers. Uses of macros with a variable number of arguments stay.
std::string with_expanded_kernels(const std::string& text);

}  // namespace warpwright::job
