// Best settings as files for others: JSON, CSV, and a C++ header that device code is instantiated with.
#pragma once

#include <string>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// The version of all three formats, raised when a reader would have to change. Each export holds it, with the versions
// of the program and of the database's schema that it came from.
inline constexpr int export_format = 2;

// What is exported for a query: the best kernel and params per problem, for every architecture where `arch` is empty.
std::vector<Best> exported(const Store&, BestQuery);

std::string to_json(const std::vector<Best>&);
std::string to_csv(const std::vector<Best>&);
// One row a trial, in their order.
std::string to_csv(const std::vector<TrialView>&);
// Includes "kernels/<pattern>/<kernel>.cuh" of every kernel that won and defines, per (architecture, pattern, types,
// variant and numbers), the namespace warpwright::settings::sm_90::reduce::types_float::op_sum with
//   struct setting_0 { kernel, params, provenance, board, certainty, mode, shape, extents, data, microseconds };
// and one more per problem, all constants (with speedup_over_default where that is known), and
//   select(extent..., data, use)
// which calls use(setting) with the one of the nearest shape (the sum of |log2((a + 1) / (b + 1))| over the extents),
// one of that data before the others. Where several data sets were tuned and the asked one is none of them, or none is
// asked, it is any_data_0, ...: the setting that loses least on the data that suits it least, with worst_loss (0.03: 3
// % slower than the best setting for that data) and worst_data. A kernel is instantiated with
// decltype(setting)::params. The header needs C++20 and no library: g++, nvcc and NVRTC read it, and device code may
// call select too. Throws Error where a stored name or params are no C++.
std::string to_header(const std::vector<Best>&);

// Whether it is of a job file: such have no params that a header could spell.
bool is_users_own(const TrialView& view);
// `#define NAME VALUE` lines of one problem's best setting, for a plain CUDA text whose defaults stand in #ifndef:
// `nvcc -include best.h kernel.cu`. The macros are those that the trial was compiled with (a job's params and extents);
// of a trial without any, its params. Throws Error, which lists the problems, where there are several, and where a
// macro of the database is none.
std::string to_defines(const Store&, const std::vector<Best>&);

// What an export gives; an empty text where nothing matches.
struct Export {
  std::string text{};
  std::string what{};                // "3 settings"
  std::vector<Id> trials{};          // what it rests on
  std::vector<std::string> notes{};  // what a user should know of it
};

// json, csv, hpp, defines (above), t4 and kernel-tuner (db/exchange/recording.hpp).
const std::vector<std::string>& export_formats();
Export export_as(const Store&, const std::string& format, const Filter&);

}  // namespace warpwright::db
