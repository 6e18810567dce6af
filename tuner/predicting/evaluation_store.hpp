// The rows of one problem on their way into the database.
#pragma once

#include <map>
#include <optional>

#include "tuner/predicting/evaluation.hpp"

namespace warpwright::tuner {

class EvaluationStore {
 public:
  /// Of a target that simulator.
  EvaluationStore(Recorder& recorder, std::string host) : recorder_(recorder), host_(std::move(host)) {}

  /// Stores a row, with the first few counterexamples of every kernel: all of them stand in the trials.
  void keep(Evaluation& row);

  Recorder& recorder() const { return recorder_; }

 private:
  Recorder& recorder_;
  std::string host_;
  std::map<const Kernel*, int> kept_;  ///< counterexamples
};

}  // namespace warpwright::tuner
