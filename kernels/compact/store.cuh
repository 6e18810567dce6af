// How compactions write the kept elements.
#pragma once

namespace warpwright::compact {

/// How kept elements get from registers to the output.
enum class store {
  direct,  ///< each thread writes its own
  staged   ///< through shared memory, so that neighbouring threads write neighbouring elements
};

}  // namespace warpwright::compact
