// Words other than verdicts that rows of the database hold. All code uses these.
#pragma once

#include <string_view>

namespace warpwright {

// Where a trial's time comes from.
namespace provenance {
inline constexpr std::string_view measured = "measured";
inline constexpr std::string_view predicted = "predicted";
inline constexpr std::string_view imported = "imported";  // from the recording of another tuner; never certified
}  // namespace provenance

// How a mutant ended.
namespace outcome {
inline constexpr std::string_view killed = "killed";
inline constexpr std::string_view survived = "survived";
inline constexpr std::string_view equivalent = "equivalent";
inline constexpr std::string_view not_compiled = "not compiled";
inline constexpr std::string_view not_modelled = "not modelled";
}  // namespace outcome

// How a session or a run ended.
namespace ending {
inline constexpr std::string_view complete = "complete";
inline constexpr std::string_view out_of_time = "out of time";  // a run of conform that reached its deadline
inline constexpr std::string_view interrupted = "interrupted";
inline constexpr std::string_view failed = "failed";
}  // namespace ending

// Kernels of job files get the value of a constant by a macro with this prefix; plans in the database name it.
inline constexpr std::string_view param_macro_prefix = "WARPWRIGHT_PARAM_";

// The version of exported files, raised when readers would have to change. Each export contains it, and the versions of
// the program and of the database schema.
inline constexpr int export_format = 3;

}  // namespace warpwright
