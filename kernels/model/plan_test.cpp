// Tests of plans: their JSON, what can be derived from them, and the arguments of compiled kernels.
#include "kernels/model/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/model/signature.hpp"

namespace warpwright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Window {
  double low = 0, high = 1;
  int steps = 3;
};

Launch launch_of(std::string entry, std::vector<Argument> arguments) {
  return {.entry = std::move(entry), .grid = {.x = 7}, .block = {.x = 32}, .arguments = std::move(arguments)};
}

Plan plan_with_every_step() {
  Launch launch = launch_of("k<float>", {pointer_to("in", 8), value(1.5), value(std::int64_t{1} << 40),
                                         value_of("shop::window", Window{}), IndexArgument{}});
  launch.block.y = 2;
  launch.cluster = {.x = 7};
  launch.shared_bytes = 16;
  launch.cooperative = true;
  return {
      .buffers = {{.name = "in", .count = 3},
                  {.name = "state", .role = Role::scratch, .count = 2, .self_restoring = true}},
      .steps = {{.what = Memset{.buffer = "state", .count = 2, .value = value(2.5F)}, .timed = false},
                {.what = Copy{.from = "in", .to = "state", .bytes = 8}},
                {.what = ConstantUpload{.symbol = "shop::filter<float>", .buffer = "in", .bytes = 4}},
                {.what = Repeat{.times = 3,
                                .steps = {{.what = launch},
                                          {.what = Repeat{.times = 2, .steps = {{.what = launch_of("inner", {})}}}}},
                                .swaps = {{"in", "state"}}}},
                {.what = ConstantUpload{.symbol = "shop::filter<float>", .buffer = "in", .bytes = 4}},
                {.what = Repeat{.times = 0, .steps = {{.what = launch_of("never", {})}}}}}};
}

TEST(Plan, JsonParsesBackWithEveryKindOfStep) {
  const Plan plan = plan_with_every_step();
  const nlohmann::json json = plan;
  EXPECT_EQ(nlohmann::json::parse(json.dump()).get<Plan>(), plan);
  EXPECT_THROW((void)nlohmann::json::parse("{}").get<Plan>(), nlohmann::json::exception);
}

TEST(Plan, ValuesOfAnySizeParseBackAndOtherJsonIsRefused) {
  const ValueArgument window = value_of("shop::window", Window{.low = -1.5});
  EXPECT_EQ(nlohmann::json(window).get<ValueArgument>(), window);
  EXPECT_NE(nlohmann::json(window).get<ValueArgument>(), value_of("shop::window", Window{}));
  for (const char* bad : {"0", "0g", "zz"}) {
    const nlohmann::json json = {{"type", "int"}, {"bytes", bad}};
    EXPECT_THROW((void)json.get<ValueArgument>(), std::invalid_argument) << bad;
  }
}

TEST(Plan, PointersInAValueParseBackAndAreTold) {
  const ValueArgument value{.type = "Table",
                            .bytes = Bytes(16),
                            .pointers = {{.at = 8, .to = {.buffer = "x", .byte_offset = 4, .as = "float4"}}}};
  const nlohmann::json json = value;
  EXPECT_EQ(nlohmann::json::parse(json.dump()).get<ValueArgument>(), value);
  EXPECT_FALSE(nlohmann::json(ValueArgument{.type = "int", .bytes = Bytes(4)}).contains("pointers"));
  const Argument argument = value;
  ASSERT_EQ(pointers_of(argument).size(), 1U);
  EXPECT_EQ(pointers_of(argument).front()->buffer, "x");
}

TEST(Plan, ValuesCarryTheCppNameOfTheirType) {
  EXPECT_EQ(value(1).type, "int");
  EXPECT_EQ(value(1U).type, "unsigned int");
  EXPECT_EQ(value(std::int64_t{1}).type, "long long");
  EXPECT_EQ(value(std::uint64_t{1}).type, "unsigned long long");
  EXPECT_EQ(value(1.0F).type, "float");
  EXPECT_EQ(value(1.0).type, "double");
  EXPECT_EQ(value(std::int64_t{1}).bytes.size(), 8U);
}

TEST(Plan, LaunchesInRepeatsCountAsOftenAsTheyRun) {
  const Plan plan = plan_with_every_step();
  const auto launches = launches_of(plan);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].launch.entry, "k<float>");
  EXPECT_EQ(launches[0].times, 3);
  EXPECT_EQ(launches[1].launch.entry, "inner");
  EXPECT_EQ(launches[1].times, 6);
  EXPECT_EQ(threads_of(plan), 3 * 7 * 64 + 6 * 7 * 32);
  EXPECT_THAT(constants_of(plan), ElementsAre("shop::filter<float>"));
}

TEST(Plan, DescriptionsNameWhatEveryStepDoes) {
  const std::string text = describe(plan_with_every_step());
  for (const char* part :
       {"state scratch float x 2 self-restoring", "cluster 7x1x1", "repeat 3 times, then in and state",
        "shop::window of 24 B", "iteration", "upload 4 B of in to constant shop::filter<float>"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(ElementTypes, HaveNamesSizesAndRoundings) {
  EXPECT_EQ(all_element_types().size(), 15U);
  for (const ElementType type : all_element_types()) {
    EXPECT_EQ(element_type_named(name_of(type)), type);
    EXPECT_EQ(is_floating(type), unit_roundoff(type) > 0);
    EXPECT_EQ(is_floating(type), smallest_normal(type) > 0);
  }
  EXPECT_EQ(size_of(ElementType::i8), 1U);
  EXPECT_EQ(size_of(ElementType::bf16), 2U);
  EXPECT_EQ(size_of(ElementType::u64), 8U);
  EXPECT_EQ(unit_roundoff(ElementType::f16), 0x1p-11);
  EXPECT_EQ(size_of(ElementType::tf32), 4U);
  EXPECT_EQ(unit_roundoff(ElementType::tf32), 0x1p-11);
  EXPECT_EQ(size_of(ElementType::e4m3), 1U);
  EXPECT_EQ(unit_roundoff(ElementType::e4m3), 0x1p-4);
  EXPECT_EQ(smallest_normal(ElementType::e5m2), 0x1p-14);
  EXPECT_EQ(name_of(ElementType::i16), "short");
  EXPECT_EQ(name_of(ElementType::e4m3), "__nv_fp8_e4m3");
  EXPECT_FALSE(element_type_named("half"));
}

TEST(Signature, OneSpellingForEveryType) {
  EXPECT_EQ(normal_type("const unsigned *"), "unsigned int const*");
  EXPECT_EQ(normal_type("long long int"), "long long");
  EXPECT_EQ(normal_type("long long unsigned int"), "unsigned long long");
  EXPECT_EQ(normal_type("long unsigned"), "unsigned long");
  EXPECT_EQ(normal_type("signed char"), "signed char");
  EXPECT_EQ(normal_type("char"), "char");
  EXPECT_EQ(normal_type("float const volatile * const"), "float const volatile* const");
  EXPECT_EQ(normal_type("struct ::ns::box<const float*,3u> "), "ns::box<float const*, 3>");
  EXPECT_EQ(normal_type("ns::outer<int>::inner"), "ns::outer<int>::inner");
  EXPECT_EQ(normal_type("ns::box<ns::pair{4, (ns::mode)0, true}>"), "ns::box<ns::pair{4, (ns::mode)0, true}>");
  EXPECT_EQ(normal_type("warpwright::cuda::float4*"), "float4*");
  EXPECT_NE(normal_type("long"), normal_type("long long"));
}

TEST(Signature, ParametersAreReadFromAMangledName) {
  EXPECT_THAT(*parameters_of("_ZN2ns2ntEPfPas"), ElementsAre("float*", "signed char*", "short"));
  EXPECT_THAT(
      *parameters_of("_ZN2ns1kIfXtlNS_6paramsELi4ELNS_1eE0ELb1EEELj3EEEvPKT_PS3_NS_3boxIS3_Li3EEExPVjP5uint4"),
      ElementsAre("float const*", "float*", "ns::box<float, 3>", "long long", "unsigned int volatile*", "uint4*"));
  EXPECT_TRUE(parameters_of("_Z1kv")->empty());
  EXPECT_FALSE(parameters_of("kernel"));
  EXPECT_FALSE(parameters_of("_ZN2ns6filterIfEE"));
}

/// The message on one launch with the buffers in (const float), out (float) and state (scratch of unsigned char), of a
/// kernel with these parameters.
std::string mismatch(const std::vector<std::string>& parameters, std::vector<Argument> arguments,
                     std::optional<std::vector<std::size_t>> bytes = {}) {
  const Plan plan{.buffers = {{.name = "in", .role = Role::in},
                              {.name = "out", .role = Role::out},
                              {.name = "half", .role = Role::out, .type = ElementType::f16},
                              {.name = "state", .role = Role::scratch, .type = ElementType::u8}},
                  .steps = {{.what = launch_of("k", std::move(arguments))}}};
  const Signature signature{.types = parameters, .bytes = std::move(bytes)};
  return argument_mismatch(plan, [&](const std::string&) { return &signature; });
}

TEST(Arguments, ThatFitAreNoMismatch) {
  EXPECT_EQ(mismatch({"float const*", "float*", "long long", "ns::box<float, 3>"},
                     {pointer_to("in"), pointer_to("out"), value(std::int64_t{1}), value_of("::ns::box<float,3>", 1)}),
            "");
  EXPECT_EQ(mismatch({"float const*", "ns::state*"}, {pointer_to("out"), pointer_to("state")}), "");
  const Argument device = BufferArgument{.buffer = "state", .as = "cuda::atomic<unsigned,cuda::thread_scope_device>"};
  EXPECT_EQ(mismatch({"cuda::atomic<unsigned int, (cuda::thread_scope)1>*"}, {device}), "");
  EXPECT_EQ(mismatch({"cuda::__4::atomic<unsigned int, (cuda::std::__4::thread_scope)1>*"}, {device}), "");
  EXPECT_NE(mismatch({"cuda::atomic<unsigned int, (cuda::thread_scope)2>*"}, {device}), "");
  const Argument system = BufferArgument{.buffer = "state", .as = "cuda::atomic<int>"};
  EXPECT_EQ(mismatch({"cuda::atomic<int, (cuda::thread_scope)0>*"}, {system}), "");
  EXPECT_EQ(mismatch({"__half*", "warpwright::float16*"}, {pointer_to("half"), pointer_to("half")}), "");
}

TEST(Arguments, OneTooManyOrTooFewIsAMismatch) {
  EXPECT_EQ(mismatch({"float*"}, {pointer_to("out"), value(1)}), "k takes 1 arguments, the plan passes 2");
  EXPECT_EQ(mismatch({"float*", "int"}, {pointer_to("out")}), "k takes 2 arguments, the plan passes 1");
}

TEST(Arguments, OfAnotherTypeAreAMismatch) {
  EXPECT_EQ(mismatch({"float*", "int"}, {pointer_to("out"), value(std::int64_t{1})}),
            "argument 2 of k is int, the plan passes long long");
  EXPECT_THAT(mismatch({"float*"}, {value(1)}), HasSubstr("is float*, the plan passes int"));
  EXPECT_THAT(mismatch({"int"}, {pointer_to("out")}), HasSubstr("is int, the plan passes float*, the buffer out"));
  for (const char* other : {"double*", "float4*", "unsigned char*", "void*", "float**", "float"})
    EXPECT_NE(mismatch({other}, {pointer_to("out")}), "") << other;
  for (const char* other : {"int*", "float const*", "void*", "ns::state**"})
    EXPECT_NE(mismatch({other}, {pointer_to("state")}), "") << other;
  EXPECT_THAT(mismatch({"float*"}, {pointer_to("nowhere")}), HasSubstr("nowhere"));
}

TEST(Arguments, OfTheTwoTypesOf64BitsAreAlike) {
  const auto mismatch = [](const char* parameter, const Argument& passed) {
    Plan plan{.buffers = {{.name = "x", .role = Role::out, .type = ElementType::i64, .count = 1}}, .steps = {}};
    plan.steps.push_back({.what = Launch{.entry = "f", .grid = {}, .block = {}, .arguments = {passed}}});
    const Signature signature{.types = std::vector<std::string>{parameter}};
    return argument_mismatch(plan, [&](const std::string&) { return &signature; });
  };
  EXPECT_EQ(mismatch("long long", ValueArgument{.type = "long", .bytes = Bytes(8)}), "");
  EXPECT_EQ(mismatch("unsigned long", value(std::uint64_t{1})), "");
  EXPECT_EQ(mismatch("long*", pointer_to("x")), "");
  EXPECT_EQ(mismatch("long long*", BufferArgument{.buffer = "x", .byte_offset = 0, .as = "long"}), "");
  EXPECT_NE(mismatch("unsigned long", ValueArgument{.type = "long", .bytes = Bytes(8)}), "");
  EXPECT_NE(mismatch("int", ValueArgument{.type = "long", .bytes = Bytes(8)}), "");
}

TEST(Arguments, NullPointersFitPointersOnly) {
  const auto mismatch = [](const char* parameter) {
    Plan plan{.buffers = {}, .steps = {}};
    const ValueArgument null{.type = std::string(kNullPointer), .bytes = Bytes(sizeof(void*))};
    plan.steps.push_back({.what = Launch{.entry = "f", .grid = {}, .block = {}, .arguments = {null}}});
    const Signature signature{.types = std::vector<std::string>{parameter}};
    return argument_mismatch(plan, [&](const std::string&) { return &signature; });
  };
  EXPECT_EQ(mismatch("float const*"), "");
  EXPECT_EQ(mismatch("long"), "argument 1 of f is long, the plan passes nullptr");
}

TEST(Arguments, AnInputMustBeConst) {
  EXPECT_EQ(mismatch({"float*"}, {pointer_to("in")}),
            "argument 1 of k is float*, the plan passes const float*, the buffer in");
}

TEST(Arguments, OfAnotherSizeAreAMismatch) {
  EXPECT_EQ(mismatch({"ns::window"}, {value_of("ns::window", Window{})}, {{24}}), "");
  EXPECT_EQ(mismatch({"ns::window"}, {value_of("ns::window", Window{})}, {{32}}),
            "argument 1 of k has 32 bytes, the plan passes 24");
}

TEST(Arguments, OfMoreThanFourKilobytesAreAMismatch) {
  const ValueArgument half{.type = "ns::half_of_all", .bytes = Bytes(2048)};
  EXPECT_EQ(mismatch({"ns::half_of_all", "ns::half_of_all"}, {half, half}), "");
  EXPECT_THAT(mismatch({"ns::half_of_all", "ns::half_of_all", "int"}, {half, half, value(1)}), HasSubstr("4100 bytes"));
}

TEST(Arguments, TheNumberOfAnIterationIsAnIntWithinARepeat) {
  EXPECT_THAT(mismatch({"int"}, {IndexArgument{}}), HasSubstr("outside of every repeat"));
  const Signature wide{.types = {{"long long"}}};
  const Signature right{.types = {{"int"}}};
  const Plan plan{.buffers = {},
                  .steps = {{.what = Repeat{.times = 2, .steps = {{.what = launch_of("k", {IndexArgument{}})}}}}}};
  EXPECT_EQ(argument_mismatch(plan, [&](const std::string&) { return &right; }), "");
  EXPECT_THAT(argument_mismatch(plan, [&](const std::string&) { return &wide; }), HasSubstr("is long long"));
}

TEST(Arguments, BuffersThatSwapAreOfOneTypeSizeAndDirection) {
  const auto swapped = [](Buffer other) {
    other.name = "b";
    const Plan plan{.buffers = {{.name = "a", .role = Role::out, .count = 4}, other},
                    .steps = {{.what = Repeat{.times = 2, .steps = {}, .swaps = {{"a", "b"}}}}}};
    return argument_mismatch(plan, [](const std::string&) { return nullptr; });
  };
  EXPECT_EQ(swapped({.name = {}, .role = Role::scratch, .count = 4}), "");
  EXPECT_NE(swapped({.name = {}, .role = Role::scratch, .count = 5}), "");
  EXPECT_NE(swapped({.name = {}, .role = Role::in, .count = 4}), "");
  EXPECT_NE(swapped({.name = {}, .role = Role::scratch, .type = ElementType::i32, .count = 4}), "");
}

TEST(Arguments, AMemsetWritesWholeElements) {
  const Plan plan{.buffers = {},
                  .steps = {{.what = Memset{.buffer = "a", .count = 1, .value = {.type = "rgb", .bytes = Bytes(3)}}}}};
  EXPECT_THAT(argument_mismatch(plan, [](const std::string&) { return nullptr; }), HasSubstr("3 bytes"));
}

}  // namespace
}  // namespace warpwright
