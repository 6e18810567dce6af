// A user's code, written for format 3 of the exported settings; it uses every name of the format.
#include "settings.hpp"

#include <string_view>

namespace best = warpwright::settings::sm_90::transpose::types_float::op_transpose;
using warpwright::transpose::tiled_params;

static_assert(warpwright::settings::format == 3 && WARPWRIGHT_SETTINGS_FORMAT == 3);
static_assert(best::schema >= 1 && best::program_version[0] != 0);

constexpr auto params_of = [](auto setting) { return decltype(setting)::params; };
static_assert(best::select(8192, 8192, params_of) == tiled_params{.tile_dim = 64, .coarsening = 8});
static_assert(best::select(100, 100, "uniform", params_of).tile_dim == 64);

using Setting = best::setting_0;
static_assert(std::string_view(Setting::kernel) == "tiled" && std::string_view(Setting::provenance) == "measured");
static_assert(std::string_view(Setting::board) == "NVIDIA H100 80GB HBM3" && Setting::certainty[0] == 'c');
static_assert(Setting::mode[0] != 0 && std::string_view(Setting::shape) == "8192x8192");
static_assert(Setting::extents[0] == 8192 && Setting::extents[1] == 8192);
static_assert(std::string_view(Setting::data) == "uniform" && Setting::worst_data[0] == 0 && Setting::worst_loss == 0);
static_assert(Setting::microseconds > 181 && Setting::speedup_over_default > 1);

int main() {
  return best::select(8192, 8192, [](auto) { return 0; });
}
