// Tests of textures: their JSON, their descriptions, and messages on wrong textures and plans.
#include "kernels/model/texture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/model/plan.hpp"
#include "kernels/model/signature.hpp"

namespace warpwright {
namespace {

using testing::HasSubstr;

const Texture kImage{.buffer = "image",
                     .type = ElementType::u8,
                     .channels = 4,
                     .extent = {6, 5, 0},
                     .filter = Texture::Filter::linear,
                     .address = Texture::Address::mirror,
                     .normalized_coordinates = true,
                     .normalized_values = true};
const Texture kTable{.buffer = "table", .extent = {9, 0, 0}, .is_array = false};

Plan plan_with_textures() {
  return {.buffers = {{.name = "image", .type = ElementType::u8, .count = 120},
                      {.name = "table", .count = 9},
                      {.name = "out", .role = Role::out, .count = 4}},
          .steps = {{.what = TextureUpload{kImage}, .timed = false},
                    {.what = Launch{.entry = "k",
                                    .grid = {},
                                    .block = {},
                                    .arguments = {TextureArgument{kImage}, TextureArgument{kTable},
                                                  TextureArgument{kImage}, pointer_to("out")}}}}};
}

std::string fault_after(const std::function<void(Plan&)>& change) {
  Plan plan = plan_with_textures();
  change(plan);
  return argument_mismatch(plan, [](const std::string&) { return nullptr; });
}

TEST(Textures, SurviveARoundTripAsText) {
  const Plan plan = plan_with_textures();
  EXPECT_EQ(nlohmann::json::parse(nlohmann::json(plan).dump()).get<Plan>(), plan);
  EXPECT_TRUE(plan.is_plain());
  EXPECT_EQ(textures_of(plan), (std::vector<Texture>{kImage, kTable}));
  nlohmann::json json = kImage;
  json["filter"] = "cubic";
  EXPECT_THROW((void)json.get<Texture>(), std::invalid_argument);
}

TEST(Textures, AreDescribedInWords) {
  const std::string words = describe(plan_with_textures());
  EXPECT_THAT(words, HasSubstr("upload 120 B to the texture of image: 6x5 of 4 unsigned char, array, linear, mirror, "
                               "normalized coordinates, normalized values (not timed)"));
  EXPECT_THAT(words, HasSubstr("(texture of image: 6x5"));
  EXPECT_THAT(words, HasSubstr("texture of table: 9 of 1 float, linear memory, point, clamp"));
}

TEST(Textures, KnowTheirSize) {
  EXPECT_EQ(kImage.bytes(), 120);
  EXPECT_EQ(kImage.dimensions(), 2);
  EXPECT_EQ(kTable.bytes(), 36);
  EXPECT_EQ((Texture{.buffer = {}, .extent = {2, 3, 5}}).bytes(), 120);
}

TEST(Textures, ThatNoGpuSupportsAreFaults) {
  const auto fault = [](const std::function<void(Texture&)>& change) {
    Texture texture = kImage;
    change(texture);
    return fault_of(texture);
  };
  EXPECT_EQ(fault_of(kImage), "");
  EXPECT_EQ(fault_of(kTable), "");
  EXPECT_THAT(fault([](Texture& t) { t.type = ElementType::f64; }), HasSubstr("no channels of double"));
  EXPECT_THAT(fault([](Texture& t) { t.type = ElementType::f16; }), HasSubstr("no channels of __half"));
  EXPECT_THAT(fault([](Texture& t) { t.type = ElementType::i64; }), HasSubstr("no channels of long long"));
  EXPECT_THAT(fault([](Texture& t) { t.channels = 3; }), HasSubstr("3 channels"));
  EXPECT_THAT(fault([](Texture& t) { t.type = ElementType::u32; }), HasSubstr("8 and 16 bits"));
  EXPECT_THAT(fault([](Texture& t) { t.normalized_values = false; }), HasSubstr("fractions"));
  EXPECT_THAT(fault([](Texture& t) { t.normalized_coordinates = false; }), HasSubstr("wrap and mirror"));
  EXPECT_THAT(fault([](Texture& t) { t.is_array = false; }), HasSubstr("need an array"));
  EXPECT_THAT(fault([](Texture& t) { t.extent = {131073, 1, 0}; }), HasSubstr("from 1 to 131072"));
  EXPECT_THAT(fault([](Texture& t) { t.extent = {6, 65537, 0}; }), HasSubstr("from 1 to 65536"));
  EXPECT_THAT(fault([](Texture& t) { t.extent = {6, 5, 16385}; }), HasSubstr("from 1 to 16384"));
  EXPECT_THAT(fault([](Texture& t) { t.extent = {0, 5, 0}; }), HasSubstr("0x5"));
  Texture row = kTable;
  row.extent[0] = std::int64_t{1} << 28;
  EXPECT_EQ(fault_of(row), "");
  row.is_array = true;
  EXPECT_THAT(fault_of(row), HasSubstr("from 1 to 131072"));
  row = kTable;
  row.filter = Texture::Filter::linear;
  EXPECT_THAT(fault_of(row), HasSubstr("for tex1D"));
}

TEST(Textures, MustFitTheirPlan) {
  EXPECT_EQ(fault_after([](Plan&) {}), "");
  EXPECT_THAT(fault_after([](Plan& plan) { plan.steps.erase(plan.steps.begin()); }), HasSubstr("no step before k"));
  EXPECT_THAT(fault_after([](Plan& plan) { std::swap(plan.steps[0], plan.steps[1]); }), HasSubstr("no step before k"));
  EXPECT_THAT(fault_after([](Plan& plan) { plan.buffers[0].count = 119; }), HasSubstr("no part of that buffer"));
  EXPECT_THAT(fault_after([](Plan& plan) { plan.buffers[1].type = ElementType::i32; }), HasSubstr("9 x int"));
  EXPECT_THAT(fault_after([](Plan& plan) { plan.buffers[1].name = "other"; }), HasSubstr("does not have"));
  EXPECT_THAT(fault_after([](Plan& plan) { plan.buffers[0].where = Where::pinned; }), HasSubstr("pinned memory"));
  EXPECT_THAT(fault_after([](Plan& plan) { plan.steps[0].what = TextureUpload{kTable}; }), HasSubstr("not uploaded"));
  EXPECT_THAT(fault_after([](Plan& plan) {
                plan.buffers.push_back({.name = "other", .count = 9});
                plan.steps.push_back({.what = Repeat{.times = 2, .steps = {}, .swaps = {{"table", "other"}}}});
              }),
              HasSubstr("there is a texture of table"));
  EXPECT_THAT(
      fault_after([](Plan& plan) {
        plan.steps.push_back(
            {.what = HostWork{
                 .source = "work.cuh", .function = "work", .arguments = {TextureArgument{kTable}}, .accesses = {}}});
      }),
      HasSubstr("no function of the host reads"));
}

TEST(Textures, ArePassedAsUnsignedLongLong) {
  const auto mismatch = [](const std::string& first) {
    const Signature signature{.types = {{first, "unsigned long long", "unsigned long long", "float*"}},
                              .bytes = {{8, 8, 8, 8}}};
    return argument_mismatch(plan_with_textures(), [&](const std::string&) { return &signature; });
  };
  EXPECT_EQ(mismatch("unsigned long long"), "");
  EXPECT_THAT(mismatch("float const*"), HasSubstr("the plan passes a texture object, the texture of image"));
}

}  // namespace
}  // namespace warpwright
