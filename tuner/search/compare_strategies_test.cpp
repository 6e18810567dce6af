// Tests of the tables of `compare_strategies`.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::tuner {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A space of 64 points on two axes, whose times grow with both. Each evaluation takes 3 s.
std::string plain_space(const std::string& second_axis = "b") {
  nlohmann::json space{{"tune_params_keys", {"a", second_axis}}, {"cache", nlohmann::json::object()}};
  for (const std::string& axis : {std::string("a"), second_axis})
    for (int i = 0; i < 8; ++i) space["tune_params"][axis].push_back(i);
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b)
      space["cache"][std::to_string(a) + "," + std::to_string(b)] = {
          {"a", a}, {second_axis, b}, {"time", 1.0 + a * 8 + b}, {"compile_time", 2000}, {"benchmark_time", 1000}};
  return space.dump();
}

class CompareStrategies : public testing::Test {
 protected:
  std::string run(const std::string& options) const {
    const auto result = simulator::run_process(
        {"sh", "-c",
         "cd " + folder.path().string() + " && " WARPWRIGHT_BINARY_DIR "/bin/compare_strategies " + options},
        "", time_factor * std::chrono::minutes(1));
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.output;
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

  const TemporaryFolder folder;
};

TEST_F(CompareStrategies, PrintsBothTablesAsTextAsCsvAndAsJson) {
  write("plain.json", plain_space());
  const std::string two = "plain.json --strategy random --strategy local --seeds 2 ";
  const auto tables = nlohmann::json::parse(run(two + "--json"));
  ASSERT_EQ(tables.at("strategies").size(), 2U) << tables;
  EXPECT_EQ(tables["strategies"][1]["strategy"], "local");
  EXPECT_TRUE(tables["strategies"][1]["mean"].is_number()) << tables;
  EXPECT_EQ(tables.at("spaces").at(0)["space"], "plain");
  EXPECT_THAT(run(two), HasSubstr("plain"));
  const std::string csv = run(two + "--csv --out tables");
  EXPECT_THAT(csv, StartsWith("outstanding,strategy,mean,"));
  EXPECT_THAT(csv, HasSubstr("\n\noutstanding,space,known,random,random_error,random_evaluations_to_95_percent,"));
  EXPECT_TRUE(std::filesystem::exists(folder / "tables/strategies_by_space.csv"));
  const std::string help = run("--help");
  for (const char* part : {"What to compare:", "Output:", "Examples:", "--csv", "--json"})
    EXPECT_THAT(help, HasSubstr(part));
}

TEST_F(CompareStrategies, EvaluatesTheFastestOfOtherBoardsBeforeTheStrategyIsAsked) {
  write("plain.json", plain_space());
  write("same_best.json", plain_space());
  write("other_axes.json", plain_space("c"));
  const auto row_of = [&](const std::string& options) {
    return nlohmann::json::parse(run("plain.json --strategy random --seeds 25 --json " + options)).at("spaces").at(0);
  };
  const auto unknown = row_of(""), own = row_of("--known plain.json --known other_axes.json"),
             known = row_of("--known same_best.json");
  EXPECT_EQ(unknown.at("known"), 0);
  EXPECT_EQ(own, unknown) << "neither the space itself nor one with other axes tells anything";
  EXPECT_EQ(known.at("known"), 1);
  EXPECT_EQ(known.at("random_evaluations_to_95_percent"), 2) << "after the default";
  EXPECT_EQ(known.at("random_seconds_to_95_percent"), 6);
  EXPECT_GT(unknown.at("random_evaluations_to_95_percent"), 10);
  EXPECT_EQ(unknown.at("random_seconds_to_95_percent"), 3 * unknown["random_evaluations_to_95_percent"].get<int>());
}

}  // namespace
}  // namespace warpwright::tuner
