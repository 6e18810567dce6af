// Tests of problems, inputs and spaces, and of their texts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/core/hash.hpp"
#include "kernels/model/catalogue.hpp"

namespace shop {

enum class colour { red, green };

}  // namespace shop

namespace warpwright {
namespace {

using shop::colour;

struct paint {
  int size = 1;
  colour tint = colour::red;
  bool glossy = false;
};

SpaceOf<paint> paint_space() {
  return SpaceOf<paint>{}
      .axis("size", &paint::size, {1, 2, 4})
      .axis("tint", &paint::tint, {colour::red, colour::green})
      .axis("glossy", &paint::glossy, {false, true})
      .require("large is green", [](const paint& p) { return p.size < 4 || p.tint == colour::green; });
}

Surroundings anywhere(ElementType type = ElementType::f32) {
  return {.types = {type}, .device = {}};
}

TEST(Space, EnumeratesValidPointsWithTheLastAxisFastest) {
  const auto points = paint_space().space().points(anywhere());
  ASSERT_EQ(points.size(), 10U);
  EXPECT_EQ(points[0], (Point{1, 0, 0}));
  EXPECT_EQ(points[1], (Point{1, 0, 1}));
}

TEST(Space, ARejectedPointNamesTheConstraint) {
  EXPECT_EQ(paint_space().space().rejected_by({4, 0, 0}, anywhere()), "large is green");
  EXPECT_EQ(paint_space().space().rejected_by({3, 0, 0}, anywhere()), "unknown value of size");
  EXPECT_EQ(paint_space().space().rejected_by({4, 1, 0}, anywhere()), "");
}

TEST(Space, TextIsADesignatedInitialiserAndParsesBack) {
  const Space space = paint_space().space();
  EXPECT_EQ(space.text({2, 1, 1}), "{.size = 2, .tint = shop::colour::green, .glossy = true}");
  for (const Point& point : space.points(anywhere())) EXPECT_EQ(space.parse(space.text(point), {1, 0, 0}), point);
  EXPECT_EQ(space.parse("tint=green", {1, 0, 0}), (Point{1, 1, 0}));
  EXPECT_THROW((void)space.parse("{.tint = blue}", {1, 0, 0}), std::invalid_argument);
  EXPECT_THROW((void)space.parse("{.colour = red}", {1, 0, 0}), std::invalid_argument);
}

TEST(Space, TextsWithFormerParamsAreReadAndWrongOnesRefused) {
  const Space space = paint_space()
                          .renamed("amount", "size")
                          .renamed_value("tint", "crimson", "red")
                          .removed("smell", "nobody noticed it")
                          .implied("lid", "closed", "open paint dries")
                          .removed_value("tint", "blue", "it was grey")
                          .space();
  EXPECT_EQ(space.parse("{.amount = 2, .tint = shop::colour::green, .smell = 7, .glossy = true}", {1, 0, 0}),
            (Point{2, 1, 1}));
  EXPECT_EQ(space.parse("tint=crimson,smell=none", {1, 1, 0}), (Point{1, 0, 0}));
  EXPECT_EQ(space.parse("size=4,lid=closed", {1, 1, 0}), (Point{4, 1, 0}));
  for (const char* gone : {"amount=3", "lid=open", "tint=blue"})
    EXPECT_THROW((void)space.parse(gone, {1, 0, 0}), std::invalid_argument) << gone;
  EXPECT_EQ(space.points(anywhere()).size(), 10U);
  EXPECT_EQ(space.find_former("smell")->why_gone, "nobody noticed it");
  EXPECT_EQ(space.find_former("size"), nullptr);

  EXPECT_THROW((void)paint_space().renamed("size", "tint").space(), std::invalid_argument);
  EXPECT_THROW((void)paint_space().renamed("amount", "volume").space(), std::invalid_argument);
  EXPECT_THROW((void)paint_space().removed("size", "").space(), std::invalid_argument);
  EXPECT_THROW((void)paint_space().renamed_value("tint", "crimson", "blue").space(), std::invalid_argument);
  EXPECT_THROW((void)paint_space().renamed_value("tint", "red", "green").space(), std::invalid_argument);
}

TEST(Space, AxesAndPointsHaveAJsonForm) {
  const Space space = paint_space().space();
  EXPECT_EQ(space.json({4, 1, 0}), nlohmann::json::parse(R"({"size": 4, "tint": "green", "glossy": 0})"));
  EXPECT_EQ(space.axes_json()[1]["labels"], nlohmann::json::parse(R"(["red", "green"])"));
}

TEST(Space, ConstraintsMaySeeTypeAndDevice) {
  const Space space = SpaceOf<paint>{}
                          .axis("size", &paint::size, {1, 2, 4})
                          .require("fits shared memory",
                                   [](const paint& p, const Surroundings& around) {
                                     const auto bytes = static_cast<int>(size_of(around.type())) * p.size;
                                     return bytes <= around.device.compute_capability / 4;
                                   })
                          .space();
  Device newer;
  newer.compute_capability = 90;
  EXPECT_EQ(space.points(anywhere()).size(), 3U);
  EXPECT_EQ(space.points(anywhere(ElementType::f64)).size(), 2U);
  EXPECT_EQ(space.rejected_by({4}, anywhere(ElementType::f64)), "fits shared memory");
  EXPECT_EQ(space.points({.types = {ElementType::f64}, .device = newer}).size(), 2U);
}

Pattern counts() {
  Pattern pattern;
  pattern.name = "counts";
  pattern.extents = {"keys"};
  pattern.variants = {{"finish", {"atomic", "merge"}}};
  pattern.numbers = {{.name = "bins", .low = 2, .high = 4096, .preferred = 256},
                     {.name = "filter", .low = 3, .high = 33, .step = 2, .preferred = 5},
                     {.name = "alpha", .low = 0, .high = 1, .step = 0, .preferred = 0.5}};
  pattern.types = {{ElementType::u8}, {ElementType::u32, ElementType::f32}};
  pattern.data = {{.name = "uniform"}, {.name = "kept:0.1"}};
  pattern.inputs = [](const Problem&) { return std::vector<InputKind>{{.name = "exact", .exact = true}}; };
  return pattern;
}

TEST(Problem, AllTypesNumbersAndDataSurviveARoundTrip) {
  const Problem problem = make_problem(counts(), {ElementType::u32, ElementType::f32},
                                       {{"bins", "64"}, {"alpha", "0.1"}, {"data", "kept:0.1"}}, {1000});
  const std::string text = "counts[finish=atomic,alpha=0.1,bins=64,filter=5,data=kept:0.1,unsigned int/float,1000]";
  EXPECT_EQ(problem_text(problem), text);
  EXPECT_EQ(checked_problem(counts(), parse_problem(text)), problem);
  EXPECT_EQ(problem.integer("bins"), 64);
  EXPECT_EQ(numbers_text(problem), "alpha=0.1,bins=64,filter=5");
  EXPECT_EQ(make_problem(counts(), {ElementType::u8}, parse_settings(settings_text(problem)), {3}).numbers,
            problem.numbers);
}

TEST(Problem, UnknownNamesAreRefusedWithTheKnownOnes) {
  const auto message = [](const std::vector<ElementType>& types, const Settings& settings) {
    try {
      (void)make_problem(counts(), types, settings, {1});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::vector<ElementType> keys{ElementType::u8};
  EXPECT_EQ(message(keys, {}), "accepted");
  EXPECT_EQ(message({ElementType::u32}, {}),
            "counts has no type unsigned int; it has unsigned char, unsigned int/float");
  EXPECT_EQ(message(keys, {{"bins", "1"}}), "bins of counts cannot be '1'; it is 2 to 4096");
  EXPECT_EQ(message(keys, {{"filter", "4"}}), "filter of counts cannot be '4'; it is 3, 5 and so on to 33");
  EXPECT_EQ(message(keys, {{"alpha", "2"}}), "alpha of counts cannot be '2'; it is any number from 0 to 1");
  EXPECT_EQ(message(keys, {{"data", "zipf"}}), "counts has no data 'zipf'; it has uniform, kept:0.1");
  EXPECT_EQ(message(keys, {{"op", "sum"}}), "counts has no setting 'op'; it has finish, bins, filter, alpha, data");
  EXPECT_THROW((void)parse_settings("op"), std::invalid_argument);
  EXPECT_THROW((void)parse_settings("op=sum,op=min"), std::invalid_argument);
  EXPECT_THROW((void)parse_settings("op="), std::invalid_argument);
}

TEST(Problem, AnInputIsOneOfThePatternsKindsOrItsOwnData) {
  const Problem problem = make_problem(counts(), {ElementType::u8}, {{"data", "kept:0.1"}}, {1});
  EXPECT_TRUE(input_kind(counts(), problem, "exact").exact);
  EXPECT_EQ(input_kind(counts(), problem, std::string(kOwnData)).name, "kept:0.1");
  EXPECT_THROW((void)input_kind(counts(), problem, "sorted"), std::invalid_argument);
  EXPECT_EQ(parse_input("kept:0.1:7"), (Input{.kind = "kept:0.1", .seed = 7}));
}

TEST(Catalogue, RefusesAPatternWhoseSettingsCannotBeRead) {
  Pattern doubled = counts();
  doubled.numbers.push_back({.name = "finish", .low = 0, .high = 1});
  EXPECT_THROW(Catalogue({doubled}, {}, {}), std::logic_error);
  Pattern digits = counts();
  digits.variants["dim"] = {"2d"};
  EXPECT_THROW(Catalogue({digits}, {}, {}), std::logic_error);
  Pattern outside = counts();
  outside.numbers[0].preferred = 1;
  EXPECT_THROW(Catalogue({outside}, {}, {}), std::logic_error);
  EXPECT_NO_THROW(Catalogue({counts()}, {}, {}));
}

TEST(Problem, TextParsesBack) {
  const Problem problem{.pattern = "reduce", .variant = {{"op", "sum"}}, .types = {ElementType::f64}, .shape = {3, 5}};
  EXPECT_EQ(problem_text(problem), "reduce[op=sum,data=uniform,double,3x5]");
  EXPECT_EQ(parse_problem(problem_text(problem)), problem);
  for (const char* bad : {"reduce", "reduce[]", "reduce[op=sum,1024]", "reduce[real,7]", "reduce[float,x]"})
    EXPECT_THROW((void)parse_problem(bad), std::invalid_argument) << bad;
}

TEST(Problem, SizesAreNumbersPowersAndProducts) {
  EXPECT_EQ(parse_shape("2^28"), (std::vector<std::int64_t>{1 << 28}));
  EXPECT_EQ(parse_shape("2^3x100"), (std::vector<std::int64_t>{8, 100}));
  for (const char* bad : {"1^9000000000000000000", "0^64", "", "-1", "2^", "big", "2^99", "10x", "1e-6"})
    EXPECT_THROW((void)parse_shape(bad), std::invalid_argument) << bad;
}

RC_GTEST_PROP(Input, TextParsesBack, ()) {
  const Input input{.kind = *rc::gen::element<std::string>("exact", "data", "kept:0.1", "all_equal"),
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
  const auto launch = [&](const Point& point) { return launches_of(kernel.plan(point, {}, {})).front().launch; };
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
  Pattern other = pattern;
  other.name = "other";
  other.aliases = {{pattern.name, {}}};
  EXPECT_THROW(Catalogue({pattern, other}, {}, {}), std::logic_error);
  other.aliases = {{"another", {}}};
  EXPECT_NO_THROW(Catalogue({pattern, other}, {}, {}));
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
  const SourceTree of_driver{{"a.cuh", "#include <cuda.h>\n"}, {std::string(kDriverTypes), "// types\n"}};
  EXPECT_EQ(includes_of(of_driver, "a.cuh"), (std::vector<std::string>{"a.cuh", std::string(kDriverTypes)}));
}

}  // namespace
}  // namespace warpwright
