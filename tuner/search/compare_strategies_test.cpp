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

/// A space of 64 points on two axes, whose times grow with both.
std::string plain_space() {
  nlohmann::json space{{"tune_params_keys", {"a", "b"}}, {"cache", nlohmann::json::object()}};
  for (const char* axis : {"a", "b"})
    for (int i = 0; i < 8; ++i) space["tune_params"][axis].push_back(i);
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b)
      space["cache"][std::to_string(a) + "," + std::to_string(b)] = {{"a", a}, {"b", b}, {"time", 1.0 + a * 8 + b}};
  return space.dump();
}

TEST(CompareStrategies, PrintsBothTablesAsTextAsCsvAndAsJson) {
  const TemporaryFolder folder;
  std::ofstream(folder / "plain.json") << plain_space();
  const auto run = [&](const std::string& options) {
    const auto result = simulator::run_process(
        {"sh", "-c",
         "cd " + folder.path().string() + " && " WARPWRIGHT_BINARY_DIR "/bin/compare_strategies " + options},
        "", time_factor * std::chrono::minutes(1));
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.output;
  };
  const std::string two = "plain.json --strategy random --strategy local --seeds 2 ";
  const auto tables = nlohmann::json::parse(run(two + "--json"));
  ASSERT_EQ(tables.at("strategies").size(), 2U) << tables;
  EXPECT_EQ(tables["strategies"][1]["strategy"], "local");
  EXPECT_TRUE(tables["strategies"][1]["mean"].is_number()) << tables;
  EXPECT_EQ(tables.at("spaces").at(0)["space"], "plain");
  EXPECT_THAT(run(two), HasSubstr("plain"));
  const std::string csv = run(two + "--csv --out tables");
  EXPECT_THAT(csv, StartsWith("outstanding,strategy,mean,"));
  EXPECT_THAT(csv, HasSubstr("\n\noutstanding,space,random,random_error,local,"));
  EXPECT_TRUE(std::filesystem::exists(folder / "tables/strategies_by_space.csv"));
  const std::string help = run("--help");
  for (const char* part : {"What to compare:", "Output:", "Examples:", "--csv", "--json"})
    EXPECT_THAT(help, HasSubstr(part));
}

}  // namespace
}  // namespace warpwright::tuner
