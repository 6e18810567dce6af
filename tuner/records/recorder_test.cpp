// Tests of storing a session.
#include "tuner/records/recorder.hpp"

#include <gtest/gtest.h>

#include "kernels/core/boards.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {
namespace {

TEST(RaiseRates, KeepsTheHighestRatesOfASessionAndTheBusOnlyIfDataCrossedIt) {
  db::Session session;
  raise_rates(session, {.copy_gbs = 4000, .read_gbs = 4400});
  EXPECT_EQ(session.copy_gbs, 4000);
  EXPECT_EQ(session.read_gbs, 4400);
  EXPECT_FALSE(session.bus_to_device_gbs);
  EXPECT_FALSE(session.bus_to_host_gbs);
  raise_rates(
      session,
      {.copy_gbs = 3000, .read_gbs = 4500, .float_gflops = 60e3, .bus = {.to_device_gbs = 55, .to_host_gbs = 50}});
  raise_rates(session, {.copy_gbs = 3000, .read_gbs = 4400, .bus = {.to_device_gbs = 54, .to_host_gbs = 52}});
  EXPECT_EQ(session.copy_gbs, 4000);
  EXPECT_EQ(session.read_gbs, 4500);
  EXPECT_EQ(session.bus_to_device_gbs, 55);
  EXPECT_EQ(session.bus_to_host_gbs, 52);
  EXPECT_EQ(session.float_gflops, 60e3);
  EXPECT_FALSE(session.double_gflops);
}

TEST(Recorder, IdentifiesAConfigurationByOneKeyPerGpuItsOwnFirst) {
  const TemporaryFolder folder;
  db::Store store(folder / "a.db");
  const Kernel& kernel = *catalogue().matching(std::vector<std::string>{"transpose/copy"}).front();
  const Problem problem =
      make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", "copy"}}, {64, 64});
  const Device device = default_board(90).device;
  const CompiledConfiguration configuration = prepare(kernel, kernel.default_point, problem, device);
  const auto recorder_on = [&](const std::string& uuid) {
    return Recorder(store, catalogue(), device, "device", {.gpu_uuid = uuid}, {.command = "test"});
  };
  Recorder one = recorder_on("one");
  Recorder two = recorder_on("two");
  const std::vector<std::string> uuids{"one", "two"};
  const auto keys = one.measured_keys(configuration, problem, uuids);
  ASSERT_EQ(keys.size(), 2U) << "its own is one of them";
  EXPECT_EQ(keys[0], one.config_key(configuration, problem, "measured"));
  EXPECT_EQ(keys[1], two.config_key(configuration, problem, "measured"));
  EXPECT_NE(keys[0], keys[1]);
  EXPECT_EQ(one.trial(configuration, problem, "measured").config_key, keys[0]);
  EXPECT_EQ(one.trial(configuration, problem, "measured", "known").config_key, "known");
}

TEST(Recorder, NamesTheStepsThatAreNotInTheTime) {
  const TemporaryFolder folder;
  db::Store store(folder / "a.db");
  const Kernel& kernel = *catalogue().matching(std::vector<std::string>{"transpose/copy"}).front();
  const Problem problem =
      make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", "copy"}}, {64, 64});
  const Device device = default_board(90).device;
  Recorder recorder(store, catalogue(), device, "device", {.gpu_uuid = "one"}, {.command = "test"});
  CompiledConfiguration configuration = prepare(kernel, kernel.default_point, problem, device);
  EXPECT_EQ(recorder.trial(configuration, problem, "measured").warnings, "");
  Step upload{.what = ConstantUpload{.symbol = "weights", .buffer = "in", .bytes = 4}, .timed = false};
  configuration.plan.steps.insert(configuration.plan.steps.begin(), std::move(upload));
  EXPECT_EQ(recorder.trial(configuration, problem, "measured").warnings,
            "not in the time, as for each kernel of its pattern: constant weights");
  for (const char* entry : {"a::fill<int>", "a::b::fill<float>", "one", "two", "three", "four"}) {
    Launch launch;
    launch.entry = entry;
    configuration.plan.steps.push_back({.what = launch, .timed = false});
  }
  Kernel job = kernel;
  job.file = "job.json";
  configuration.kernel = &job;
  EXPECT_EQ(recorder.trial(configuration, problem, "measured").warnings,
            "not in the time: constant weights, launch fill, launch one, launch two and 2 more");
  configuration.plan.steps.resize(configuration.plan.steps.size() - 6);
  configuration.kernel = &kernel;
  configuration.plan.steps[0].timed = true;
  EXPECT_EQ(recorder.trial(configuration, problem, "measured").warnings, "");
}

}  // namespace
}  // namespace warpwright::tuner
