// Tests of what a command line requests: sizes, params, patterns, and what is refused.
#include "tuner/tasks/tuning_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "kernels/core/boards.hpp"
#include "kernels/core/error_of.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::tuner {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::UnorderedElementsAre;

const Device kDevice = default_board(75).device;

std::string refusal(const TuningRequest& request) {
  return error_of([&] { tuning_tasks(catalogue(), request, kDevice); });
}

TEST(Shares, GrowWithTheNumberOfKernelsAndTheLogarithmOfTheSpace) {
  const auto tasks = tuning_tasks(catalogue(), {.globs = {"transpose/tiled", "reduce/*"}}, kDevice);
  std::vector<TuningTask> two;
  for (const TuningTask& task : tasks)
    if (two.empty() || two.back().problem.pattern != task.problem.pattern) two.push_back(task);
  ASSERT_EQ(two.size(), 2U);
  two[0].configurations = 14;
  two[1].configurations = 254;
  const auto first = static_cast<double>(two[0].kernels.size()), second = static_cast<double>(two[1].kernels.size());
  EXPECT_DOUBLE_EQ(share_of_first(two), (first + 4) / (first + 4 + second + 8));
  EXPECT_THAT(smallest_first(two), ElementsAre(0, 1));
  two[0].configurations = 255;
  EXPECT_THAT(smallest_first(two), ElementsAre(1, 0));
  two[1].is_for_all_sizes = true;
  EXPECT_THAT(smallest_first(two), ElementsAre(0, 1));
  EXPECT_DOUBLE_EQ(share_of_first(std::span(two).subspan(1)), 1);
}

TEST(Aliases, SelectThePatternWithTheirSettings) {
  const auto options = [](const TuningRequest& request) {
    std::vector<std::string> found;
    for (const TuningTask& task : tuning_tasks(catalogue(), request, kDevice))
      found.push_back(task.problem.pattern + " " + task.problem.option("op"));
    return found;
  };
  EXPECT_THAT(options({.globs = {"softmax"}, .types = {"float"}}), ElementsAre("rows softmax"));
  EXPECT_THAT(options({.globs = {"rmsnorm/online", "softmax"}, .types = {"float"}}),
              UnorderedElementsAre("rows rmsnorm", "rows softmax"));
  EXPECT_THAT(options({.globs = {"softmax"}, .types = {"float"}, .with = {"epsilon=0.001"}}),
              ElementsAre("rows softmax"));
  EXPECT_THAT(options({.globs = {"softmax", "rows"}, .types = {"float"}}), SizeIs(3));
  EXPECT_EQ(catalogue().matching("softmax/online"), catalogue().matching("rows/online"));
  EXPECT_THAT(catalogue().names(), Contains("layernorm"));
  EXPECT_THAT(refusal({.globs = {"softmax/no_such_kernel"}}), HasSubstr("nothing matches 'softmax/no_such_kernel'"));
}

TEST(AllSizes, EverySizeButTheLastOfAProblemHasATaskAfterAllOthers) {
  auto tasks =
      tuning_tasks(catalogue(), {.globs = {"reduce/sequential", "scan/*"}, .sizes = {"64", "128", "256"}}, kDevice);
  const std::size_t before = tasks.size();
  const auto own = tasks;
  add_tasks_for_all_sizes(tasks);
  ASSERT_EQ(3 * (tasks.size() - before), 2 * before);
  for (std::size_t i = 0; i < tasks.size(); ++i) EXPECT_EQ(tasks[i].is_for_all_sizes, i >= before);
  for (const TuningTask& task : std::span(tasks).subspan(before)) EXPECT_NE(task.problem.shape, Shape{256});
  EXPECT_LT(share_of_first(tasks), share_of_first(own));
  auto one = tuning_tasks(catalogue(), {.globs = {"reduce"}, .sizes = {"64"}}, kDevice);
  EXPECT_THAT(error_of([&] { add_tasks_for_all_sizes(one); }), HasSubstr("give --size more than once"));
}

TEST(Sizes, OfARangeGoByTheirFactor) {
  EXPECT_THAT(parse_sizes("2^26"), ElementsAre(ElementsAre(1 << 26)));
  EXPECT_THAT(parse_sizes("2^10..2^14:x4"), ElementsAre(ElementsAre(1024), ElementsAre(4096), ElementsAre(16384)));
  EXPECT_THAT(parse_sizes("512x256..2048x1024"),
              ElementsAre(ElementsAre(512, 256), ElementsAre(1024, 512), ElementsAre(2048, 1024)));
  for (const char* wrong : {"1..8:x1", "1..8x8", "0..8", "1..8:", "1..8:xx", "..8", "1.."})
    EXPECT_NE(error_of([&] { parse_sizes(wrong); }), "no error") << wrong;
  EXPECT_THAT(error_of([] { parse_sizes("8..4"); }), HasSubstr("is empty"));
}

TEST(Requests, NameTheSizeOrTypeThatFitsNoPattern) {
  EXPECT_THAT(refusal({.globs = {"reduce"}, .sizes = {"2^20", "64x64"}}), HasSubstr("sizes like '64x64'"));
  EXPECT_THAT(refusal({.globs = {"transpose"}, .types = {"float", "unsigned int"}}),
              HasSubstr("takes 'unsigned int'; they take double, float"));
  EXPECT_THAT(refusal({.globs = {"matmul"}, .types = {"short"}}), HasSubstr("__half/float, __nv_bfloat16/float"));
  EXPECT_EQ(refusal({.globs = {"matmul"}, .types = {"__half", "__nv_bfloat16/float"}}), "no error");
  EXPECT_EQ(refusal({.globs = {"reduce", "transpose"}, .sizes = {"2^20", "64x64"}}), "no error");
}

TEST(Requests, RefuseProblemsLargerThanTheBoardsMemory) {
  EXPECT_THAT(refusal({.globs = {"reduce"}, .sizes = {"2^50"}}), HasSubstr("the Tesla T4 has"));
  EXPECT_EQ(refusal({.globs = {"reduce"}, .sizes = {"2^30"}}), "no error");
}

TEST(Requests, ForSeveralPatternsHaveEachOnce) {
  const auto both = catalogue().matching({"transpose/tiled", "reduce", "reduce/*"});
  const auto reduce = catalogue().matching(std::string("reduce"));
  EXPECT_EQ(both.size(), reduce.size() + 1);
  EXPECT_EQ(std::set<const Kernel*>(both.begin(), both.end()).size(), both.size());
  EXPECT_EQ(catalogue().matching(std::vector<std::string>()).size(), catalogue().kernels().size());

  auto tasks = tuning_tasks(catalogue(), {}, kDevice);
  keep_one_a_pattern(tasks);
  std::set<std::string> patterns;
  for (const TuningTask& task : tasks) EXPECT_TRUE(patterns.insert(task.problem.pattern).second);
}

TEST(Params, AreRestrictedToValuesRangesAndChoices) {
  const Kernel& kernel = catalogue().kernel("reduce/grid_stride");
  const Problem problem = make_problem(catalogue().pattern("reduce"), {ElementType::f32}, {}, {1 << 20});
  const auto all = points_for(kernel, problem, kDevice);
  const auto& axes = kernel.space.axes();
  const auto values_of = [&](const ParamFilter& filter) {
    std::set<std::int64_t> values;
    for (const Point& point : points_for(kernel, problem, kDevice, filter)) values.insert(point.at(0));
    return values;
  };
  ASSERT_EQ(axes.at(0).name, "block_size");
  EXPECT_THAT(values_of(ParamFilter({"block_size=256"})), ElementsAre(256));
  EXPECT_THAT(values_of(ParamFilter({"block_size=128..512"})), ElementsAre(128, 256, 512));
  EXPECT_THAT(values_of(ParamFilter({"block_size=128|1024,nothing_here=3"})), ElementsAre(128, 1024));
  EXPECT_EQ(points_for(kernel, problem, kDevice, ParamFilter()).size(), all.size());
}

TEST(Params, AreThoseThatAFileLists) {
  const Kernel& kernel = catalogue().kernel("transpose/tiled");
  const Problem problem = make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {}, {512, 512});
  const TemporaryFolder folder;
  const std::string file = folder / "listed.txt";
  const auto all = points_for(kernel, problem, kDevice);
  const auto text_of = [&](const Point& point) {
    std::string text;
    for (std::size_t i = 0; i < point.size(); ++i)
      text += (i > 0 ? "," : "") + kernel.space.axes()[i].name + "=" + kernel.space.axes()[i].label(point[i]);
    return text;
  };
  std::ofstream(file) << "transpose/tiled " << text_of(all.at(3)) << "\n\nreduce/grid_stride block_size=64\n"
                      << "transpose/tiled " << text_of(all.at(7)) << "\n";
  EXPECT_THAT(points_for(kernel, problem, kDevice, ParamFilter({"@" + file})), ElementsAre(all.at(3), all.at(7)));
  EXPECT_THAT(refusal({.globs = {"scan"}, .params = ParamFilter({"@" + file})}), HasSubstr("lists no configuration"));
  std::ofstream(file) << "transpose/tiled\n";
  EXPECT_THAT(error_of([&] { ParamFilter({"@" + file}); }), HasSubstr("is no configuration"));
  EXPECT_THAT(error_of([&] { ParamFilter({"@" + file + ".absent"}); }), HasSubstr("cannot be read"));
}

TEST(Params, ThatAKernelHadBeforeAreRefusedWithWhatTookTheirPlaceAndReadFromAFile) {
  const auto of = [](const std::string& set) {
    return refusal({.globs = {"map", "transpose"}, .params = ParamFilter({set})});
  };
  EXPECT_THAT(of("read_only=true"),
              AllOf(HasSubstr("no longer has the param 'read_only'"), HasSubstr("read-only cache")));
  EXPECT_THAT(of("load=read_only"), HasSubstr("load=read_only of map/axpy is called plain now"));

  const Kernel& kernel = catalogue().kernel("transpose/tiled");
  const Problem problem = make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {}, {512, 512});
  const TemporaryFolder folder;
  const std::string file = folder / "listed.txt";
  std::ofstream(file) << "transpose/tiled tile_dim=64,coarsening=8,bank_pad=1,read_only=true,order=along_rows\n";
  EXPECT_THAT(
      points_for(kernel, problem, kDevice, ParamFilter({"@" + file})),
      ElementsAre(kernel.space.parse("tile_dim=64,coarsening=8,bank_pad=1,order=along_rows", kernel.default_point)));
}

TEST(Params, ThatNoKernelHasAreRefusedWithTheKnownOnes) {
  for (const char* wrong : {"block_size", "=3", "block_size=", "block_size=1..", "block_size=a..b"})
    EXPECT_NE(error_of([&] { ParamFilter({wrong}); }), "no error") << wrong;
  EXPECT_THAT(refusal({.globs = {"reduce"}, .params = ParamFilter({"no_such_param=3"})}), HasSubstr("block_size"));
  EXPECT_THAT(refusal({.globs = {"reduce"}, .params = ParamFilter({"block_size=33"})}), HasSubstr("cannot be 33"));
}

}  // namespace
}  // namespace warpwright::tuner
