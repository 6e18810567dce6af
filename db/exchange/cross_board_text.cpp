// Formats problems timed on several boards as text for people and as JSON.
#include "db/exchange/cross_board_text.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

std::string describe(const std::optional<Cost>& cost) {
  if (!cost) return "not timed there";
  if (cost->loss == 0 || cost->tied) return fmt::format("{:.2f} us, {}", cost->us, cost->tied ? "equal" : "best");
  return fmt::format("{:.2f} us, + {}", cost->us, percents(cost->loss));
}

}  // namespace

std::string text_of(const std::vector<CrossBoard>& all) {
  std::string text = printable(sentence_of(all)) + "\n";
  for (const CrossBoard& one : all) {
    text += fmt::format("\n{}{}\n", printable(one.title()),
                        one.provenance == provenance::measured ? "" : ", " + one.provenance);
    for (const OnBoard& on : one.boards) {
      text += printable(fmt::format("  best on {} ({}): {}, trial {}", on.board.model, on.board.arch,
                                    on.best.settings(), on.best.trial.id)) +
              "\n";
      for (std::size_t to = 0; to < one.boards.size(); ++to)
        text += printable(fmt::format("    on {}: {}", one.boards[to].board.model, describe(on.costs[to]))) + "\n";
    }
    if (const auto& least = one.compromise) {
      const double loss = least->costs[least->worst].loss;
      text += printable(fmt::format("  one for all: {}, {}; {} timed on all boards", least->setting.settings(),
                                    loss < 0.0005 ? "best on each"
                                                  : fmt::format("slower by {} at most (on {})", percents(loss),
                                                                one.boards[least->worst].board.model),
                                    counted(static_cast<std::int64_t>(least->among), "setting"))) +
              "\n";
    } else {
      text += "  one for all: no setting was timed on all boards; tune with one --seed on each, or without a budget\n";
    }
  }
  return text;
}

Json json_of(const CrossBoard& one) {
  const auto cost_json = [](const std::optional<Cost>& cost) {
    return cost ? Json{{"us", cost->us}, {"loss", cost->loss}, {"tied", cost->tied}} : Json(nullptr);
  };
  Json boards = Json::array();
  for (const OnBoard& on : one.boards) {
    Json costs = Json::object();
    for (std::size_t to = 0; to < one.boards.size(); ++to) costs[one.boards[to].board.model] = cost_json(on.costs[to]);
    boards.push_back(
        {{"board", on.board.model}, {"arch", on.board.arch}, {"best", json_of(on.best)}, {"costs", costs}});
  }
  Json compromise = nullptr;
  if (const auto& least = one.compromise) {
    Json costs = Json::object();
    for (std::size_t to = 0; to < one.boards.size(); ++to)
      costs[one.boards[to].board.model] = cost_json(least->costs[to]);
    compromise = {{"kernel", least->setting.kernel},
                  {"params", least->setting.params},
                  {"axes", axes_of(least->setting)},
                  {"worst_loss", least->costs[least->worst].loss},
                  {"worst_board", one.boards[least->worst].board.model},
                  {"settings_on_all_boards", least->among},
                  {"costs", costs}};
  }
  return {{"pattern", one.problem.pattern}, {"variant", one.problem.variant}, {"numbers", one.problem.numbers},
          {"types", one.problem.types},     {"shape", one.problem.shape},     {"data", one.problem.data},
          {"provenance", one.provenance},   {"moves", one.moves()},           {"boards", boards},
          {"one_for_all", compromise}};
}

}  // namespace warpwright::db
