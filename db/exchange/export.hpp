// Exports best configurations for use elsewhere: JSON, CSV, and a C++ header with which device code is instantiated.
#pragma once

#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {

// The settings to export: the best kernel and params per problem, for every architecture if `arch` is empty.
std::vector<Best> exported(const Store&, BestQuery);

std::string to_json(const std::vector<Best>&);
std::string to_csv(const std::vector<Best>&);
// One row per trial, in the given order.
std::string to_csv(const std::vector<TrialView>&);
// The C++ header. It includes "kernels/<pattern>/<kernel>.cuh" of every kernel that won. For each (architecture,
// pattern, types, variant and numbers) it defines a namespace such as
// warpwright::settings::sm_90::reduce::types_float::op_sum. A namespace has one struct setting_0, setting_1, ... per
// problem, all constants: kernel, params, provenance, board, certainty, mode, shape, extents, data, microseconds, and
// speedup_over_default if known. decltype(setting)::params instantiates a kernel.
// select(extent..., data, use) calls use(setting) with the setting of the nearest shape (least sum of |log2((a + 1) /
// (b + 1))| over the extents), preferring the given data. If several data sets were tuned and `data` is none of them,
// or is not given, it selects any_data_0, ...: the setting whose greatest loss over the data sets is least, with
// worst_loss (0.03: 3 % slower than the best configuration for that data) and worst_data.
// all_sizes_0, ...: for each data set with several shapes, the setting that loses least over all of them, with
// worst_loss, worst_shape and mean_loss (geometric); all_sizes_loss of a setting is what that one loses at its shape.
// deterministic_0, ...: where the setting with that number was not shown to be deterministic, the fastest that was, and
// its loss. is_deterministic of a setting: what was shown.
// The header needs C++20 and no library; g++, nvcc and NVRTC compile it, and device code may call select. Throws Error
// if a stored name or params are not valid C++.
std::string to_header(const std::vector<Best>&);

// Whether the trial is of a kernel from a job file. Such kernels have no params type that a header could name.
bool is_users_own(const TrialView& view);
// Lines `#define NAME VALUE` of one problem's best configuration, for plain CUDA source with defaults in #ifndef: `nvcc
// -include best.h kernel.cu`. The macros are those that the trial was compiled with (a job's params and extents), and
// the params that only its launch depends on, which host code reads; or else its params. Comments name the instance of
// a kernel with template arguments, and the values of constants. Throws Error if there are several problems (and lists
// them), or if a stored macro is not valid.
std::string to_defines(const Store&, const std::vector<Best>&);

// The result of an export; the text is empty if nothing matches.
struct Export {
  std::string text{};
  std::string what{};                // "3 settings"
  std::vector<Id> trials{};          // trials that it contains
  std::vector<std::string> notes{};  // what a user should know about it
};

// json, csv, hpp, defines (above), t4 and kernel-tuner (db/exchange/recording.hpp).
const std::vector<std::string>& export_formats();
// `robust`: what is least for the setting for all sizes.
Export export_as(const Store&, const std::string& format, const Filter&, Robust robust = Robust::worst);

}  // namespace warpwright::db
