// The model: problems, inputs and spaces as text and back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/hash.hpp"

namespace warpwright {
namespace {

enum class colour { red, green };
struct paint {
  int size = 1;
  colour tint = colour::red;
  bool glossy = false;
};

SpaceOf<paint> paint_space() {
  return SpaceOf<paint>{}
      .axis("size", &paint::size, {1, 2, 4})
      .axis("tint", &paint::tint, {{colour::red, "shop::colour::red"}, {colour::green, "shop::colour::green"}})
      .axis("glossy", &paint::glossy, {false, true})
      .require("large is green", [](const paint& p) { return p.size < 4 || p.tint == colour::green; });
}

TEST(Space, EnumeratesValidPointsWithTheLastAxisFastest) {
  const auto points = paint_space().space().points();
  ASSERT_EQ(points.size(), 10U);
  EXPECT_EQ(points[0], (Point{1, 0, 0}));
  EXPECT_EQ(points[1], (Point{1, 0, 1}));
}

TEST(Space, ARejectedPointNamesTheConstraint) {
  EXPECT_EQ(paint_space().space().rejected_by({4, 0, 0}), "large is green");
  EXPECT_EQ(paint_space().space().rejected_by({3, 0, 0}), "unknown value of size");
  EXPECT_EQ(paint_space().space().rejected_by({4, 1, 0}), "");
}

TEST(Space, TextIsADesignatedInitialiserAndParsesBack) {
  const Space space = paint_space().space();
  EXPECT_EQ(space.text({2, 1, 1}), "{.size = 2, .tint = shop::colour::green, .glossy = true}");
  for (const Point& point : space.points()) EXPECT_EQ(space.parse(space.text(point), {1, 0, 0}), point);
  EXPECT_EQ(space.parse("tint=green", {1, 0, 0}), (Point{1, 1, 0}));
  EXPECT_THROW((void)space.parse("{.tint = blue}", {1, 0, 0}), std::invalid_argument);
  EXPECT_THROW((void)space.parse("{.colour = red}", {1, 0, 0}), std::invalid_argument);
}

TEST(Space, AxesAndPointsHaveAJsonForm) {
  const Space space = paint_space().space();
  EXPECT_EQ(space.json({4, 1, 0}), nlohmann::json::parse(R"({"size": 4, "tint": "green", "glossy": 0})"));
  EXPECT_EQ(space.axes_json()[1]["labels"], nlohmann::json::parse(R"(["red", "green"])"));
}

TEST(Problem, TextParsesBack) {
  const Problem problem{.pattern = "reduce", .variant = {{"op", "sum"}}, .types = {ElementType::f64}, .shape = {3, 5}};
  EXPECT_EQ(problem_text(problem), "reduce[op=sum,double,3x5]");
  EXPECT_EQ(parse_problem(problem_text(problem)), problem);
  for (const char* bad : {"reduce", "reduce[]", "reduce[op=sum,1024]", "reduce[real,7]", "reduce[float,x]"})
    EXPECT_THROW((void)parse_problem(bad), std::invalid_argument) << bad;
}

TEST(Problem, SizesAreNumbersPowersAndProducts) {
  EXPECT_EQ(parse_shape("2^28"), (std::vector<std::int64_t>{1 << 28}));
  EXPECT_EQ(parse_shape("2^3x100"), (std::vector<std::int64_t>{8, 100}));
  for (const char* bad : {"", "-1", "2^", "big", "2^99", "10x", "1e6"})
    EXPECT_THROW((void)parse_shape(bad), std::invalid_argument) << bad;
}

RC_GTEST_PROP(Input, TextParsesBack, ()) {
  const Input input{.distribution = *rc::gen::elementOf(all_distributions()),
                    .seed = *rc::gen::arbitrary<std::uint64_t>()};
  RC_ASSERT(parse_input(input_text(input)) == input);
}

TEST(Kernel, PointsThatDifferInLaunchAxesAloneShareAnInstance) {
  KernelOf<paint> of{.pattern = "shop",
                     .name = "wall",
                     .default_params = {},
                     .space = paint_space(),
                     .plan =
                         [](const paint& p, const PlanRequest& request) {
                           return Plan{.buffers = {},
                                       .steps = {{.what = Launch{.entry = request.entry("wall", {}),
                                                                 .grid = {.x = static_cast<std::uint32_t>(p.size)},
                                                                 .block = {},
                                                                 .arguments = {}}}}};
                         },
                     .tile = {},
                     .launch_axes = {"size"}};
  const Kernel kernel = make_kernel(of);
  const auto launch = [&](const Point& point) { return launches_of(kernel.plan(point, {}, {})).front(); };
  EXPECT_EQ(launch({2, 1, 0}).entry, launch({4, 1, 0}).entry);
  EXPECT_EQ(launch({4, 1, 0}).grid.x, 4U);
  EXPECT_NE(launch({2, 1, 0}).entry, launch({2, 1, 1}).entry);
  of.launch_axes = {"weight"};
  EXPECT_THROW(make_kernel(of), std::invalid_argument);
}

TEST(Catalogue, RefusesAKernelWithoutAPatternAndNamesUsedTwice) {
  Kernel kernel;
  kernel.pattern = "a";
  kernel.name = "b";
  Pattern pattern;
  pattern.name = "a";
  EXPECT_THROW(Catalogue({}, {kernel}, {}), std::logic_error);
  EXPECT_THROW(Catalogue({pattern}, {kernel, kernel}, {}), std::logic_error);
  EXPECT_THROW(Catalogue({pattern, pattern}, {}, {}), std::logic_error);
  EXPECT_NO_THROW(Catalogue({pattern}, {kernel}, {}));
}

TEST(Catalogue, HashesASourceWithEverythingItIncludes) {
  const SourceTree tree{{"a.cuh", "#include \"b.cuh\"\n"}, {"b.cuh", "// b\n"}, {"c.cuh", "// c\n"}};
  EXPECT_EQ(includes_of(tree, "a.cuh"), (std::vector<std::string>{"a.cuh", "b.cuh"}));
  SourceTree changed = tree;
  changed["b.cuh"] = "// B\n";
  const Catalogue before({}, {}, tree);
  const Catalogue after({}, {}, changed);
  EXPECT_NE(before.source_hash("a.cuh"), after.source_hash("a.cuh"));
  EXPECT_EQ(before.source_hash("c.cuh"), after.source_hash("c.cuh"));
}

}  // namespace
}  // namespace warpwright
