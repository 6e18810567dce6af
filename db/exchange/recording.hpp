// Recordings: every configuration of one kernel on one problem and board, as the files of other tuners hold them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/exchange/json.hpp"
#include "db/query/query.hpp"

namespace warpwright::db {

// One configuration of a recording and what became of it.
struct Recorded {
  Json params = Json::object();         // param -> number, or text where it has labels
  std::string verdict{};                // one of verdicts.hpp
  std::string created_at{};             // as the file has it; may be empty
  std::optional<double> time_us{};      // of configurations that ran
  std::vector<double> samples_us{};     // may be empty
  std::optional<double> verified_ms{};  // how long the answer was looked at, where the file says it
  Id trial_id = 0;                      // of one that is exported
};

// A whole recording.
struct Recording {
  std::string board{};              // the model; empty where the file does not say
  std::string kernel{};             // empty where the file does not say
  std::string problem{};            // in words
  std::string mode{};               // how it was measured; empty where the file does not say
  Shape shape{};                    // empty where the file does not say
  Json params = Json::object();     // param -> its values, in the order of the file
  std::vector<Recorded> results{};  // in the order of the file; for export by time of day
  std::size_t other_modes = 0;      // exported: trials left out, since times of other modes are not comparable
};

// The newest measured trial of every configuration that matches, host runs and undecided ones left out: nothing where
// none matches. Throws Error, which lists them, where they are of several kernels, problems or boards.
std::optional<Recording> recording_of(const Store&, Filter);

// The results format of the autotuning community (T4, schema 1.0.0): times in ms; `correctness` is 1 of what passed.
std::string to_t4(const Recording&);
// The cache file of Kernel Tuner: `time` is the median in ms, `times` the samples; what a database does not know of an
// evaluation (compile_time, ...) is 0; `verdict` holds our word beside Kernel Tuner's. Throws Error where two
// configurations would have one key.
std::string to_kernel_tuner(const Recording&);

// Reads either of the two. Throws Error, "FILE: what: what to do", for anything else.
Recording read_recording(std::string_view text, const std::string& file);

}  // namespace warpwright::db
