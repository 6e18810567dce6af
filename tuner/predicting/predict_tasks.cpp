// Predicting problem after problem: first the defaults of all, then what the time is enough for.
#include "tuner/predicting/predict_tasks.hpp"

#include <algorithm>
#include <list>

#include "tuner/predicting/prediction_loop.hpp"
#include "tuner/predicting/rank.hpp"
#include "tuner/predicting/check_best.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kRankingShare = 0.2, kRankingSeconds = 3;  ///< of a problem's time, for judging its best

/// One problem on its way.
struct Way {
  const TuneItem& item;
  RowStore rows;
  Look look;

  Way(const Workshop& shop, const TuneItem& asked, const TuneRequest& request, Recorder& recorder, db::Claims& claims)
      : item(asked), rows(recorder, shop.host()), look(shop, asked, request, rows, claims) {}
};

PredictedItem conclude(const Workshop& shop, const TuneRequest& request, db::Claims& claims, Way& way,
                       Budget::End end) {
  PredictedItem result{.outcome = {}, .searched = way.look.searched()};
  auto& rows = way.look.rows();
  auto best = judge_best(shop, way.item, way.rows, claims, end, rows);
  if (!shop.stop) rank_predicted(way.rows.recorder(), way.item, request, shop.device, std::move(best));
  Faults faults;
  for (const PredictedRow& row : rows) faults.add(verdict_of(row.trial.verdict));
  result.outcome = {.configurations = static_cast<int>(rows.size()) - way.look.resumed(),
                    .resumed = way.look.resumed(),
                    .shared = way.look.shared(),
                    .faults = std::move(faults)};
  return result;
}

}  // namespace

void predict_items(const Workshop& shop, const std::vector<TuneItem>& items, const TuneRequest& request,
                   Recorder& recorder, db::Claims& claims, const Budget& budget,
                   const std::function<void(const TuneItem&, const PredictedItem&)>& done) {
  const auto begin = Budget::Clock::now();
  std::list<Way> ways;
  const auto begin_with = [&](const TuneItem& item) -> Way& {
    return ways.emplace_back(shop, item, request, recorder, claims);
  };
  if (budget.end()) {
    // Of one problem too: nothing is known before all that is on its way beside it is compiled.
    const Budget::End end =
        leaving(budget.end(), begin, kRankingShare, kRankingSeconds * static_cast<double>(items.size()));
    for (const TuneItem& item : items) {
      if (shop.stop) break;
      begin_with(item).look.go_on(Look::At::defaults, end);
    }
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (ways.empty()) {
      if (shop.stop) break;
      begin_with(items[i]);
    }
    Way& way = ways.front();
    const Budget::End end = budget.end_of_share(share_of_first(std::span(items).subspan(i)));
    way.look.go_on(Look::At::all, leaving(end, Budget::Clock::now(), kRankingShare, kRankingSeconds));
    way.look.leave();
    done(way.item, conclude(shop, request, claims, way, end));
    if (way.item.progress != nullptr) way.item.progress->finish(way.item.title);
    ways.pop_front();
  }
}

}  // namespace warpwright::tuner
