// The whole property of what is predicted best.
#pragma once

#include <string>
#include <vector>

#include "db/claims.hpp"
#include "tuner/tune/budget.hpp"
#include "tuner/tune/predict/row_store.hpp"
#include "tuner/tune/request.hpp"

namespace warpwright::tuner {

class BestJudge {
 public:
  /// All must outlive it.
  BestJudge(const Workshop& shop, const TuneItem& item, RowStore& rows, db::Claims& claims, Budget::End end)
      : shop_(shop), item_(item), row_store_(rows), claims_(claims), end_(end) {}

  /// Orders by the model what may be best, and judges the best by their whole property until one has passed, where
  /// there is who judges and as far as the time goes. What other runs have judged is taken over. Gives the trials that
  /// are left, the best first.
  std::vector<db::Trial> judge(std::vector<PredictedRow>& rows);

 private:
  bool is_ours_to_judge(PredictedRow& row, const std::string& key);
  void judge_whole(PredictedRow& row, const std::string& key);

  const Workshop& shop_;
  const TuneItem& item_;
  RowStore& row_store_;
  db::Claims& claims_;
  const Budget::End end_;
};

}  // namespace warpwright::tuner
