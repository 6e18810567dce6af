// Recordings: every configuration of one kernel on one problem and board, in the file formats of other tuners.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/exchange/json.hpp"
#include "db/query/query.hpp"

namespace warpwright::db {

// One configuration of a recording and its result.
struct Recorded {
  Json params = Json::object();         // param -> number, or its label
  std::string verdict{};                // one of the words of kernels/core/verdict.hpp
  std::string created_at{};             // as in the file; may be empty
  std::optional<double> time_us{};      // for configurations that ran
  std::vector<double> samples_us{};     // may be empty
  std::optional<double> verified_ms{};  // how long the check of the output took, if the file says so
  Id trial_id = 0;                      // for export: the trial
};

// A complete recording.
struct Recording {
  std::string board{};              // the model; empty if the file does not say
  std::string kernel{};             // empty if the file does not say
  std::string problem{};            // in words
  std::string mode{};               // how it was measured; empty if the file does not say
  Shape shape{};                    // empty if the file does not say
  Json params = Json::object();     // param -> its values, in the order of the file
  std::vector<Recorded> results{};  // in the order of the file; for export in order of time
  std::size_t other_modes = 0;      // for export: trials left out because times of different modes cannot be compared
};

// The newest measured trial of every configuration that matches, without simulator runs and undecided trials; nothing
// if none matches. Throws Error, which lists them, if they are of several kernels, problems or boards.
std::optional<Recording> recording_of(const Store&, Filter);

// The results format T4 of the auto-tuning community (schema 1.0.0): times in ms; `correctness` is 1 if the trial
// passed.
std::string to_t4(const Recording&);
// The cache file format of Kernel Tuner: `time` is the median in ms, `times` the samples. Fields that a database does
// not have (compile_time, ...) are 0; `verdict` has our word in addition to Kernel Tuner's. Throws Error if two
// configurations would have the same key.
std::string to_kernel_tuner(const Recording&);

// Reads either format. Throws Error, "FILE: what: what to do", for anything else.
Recording read_recording(std::string_view text, const std::string& file);

}  // namespace warpwright::db
