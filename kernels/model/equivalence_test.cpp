// Tests of .mutants files: what they declare, and messages on wrong ones.
#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/model/catalogue.hpp"

namespace warpwright {
namespace {

constexpr const char* kPath = "shop/paint.mutants";

std::string complaint_about(const std::string& text) {
  try {
    (void)parse_equivalences(kPath, text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Equivalence, AReasonHoldsForTheMutantsIndentedBelowIt) {
  const auto list = parse_equivalences(kPath,
                                       "# What is said here.\n\n"
                                       "nobody looks\n"
                                       "  drop a guard | if (a || b | c) -> if (true)\n"
                                       "  < for <= #2 | i < n -> i <= n\n"
                                       "\nit is set again\n"
                                       "  plan | leave it out | memset of x -> (nothing)\n"
                                       "  kernels/block/scan.cuh | drop a guard | if (c) -> if (true)\n");
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0].file, "shop/paint.cuh");
  EXPECT_EQ(list[0].rule, "drop a guard");
  EXPECT_EQ(list[0].change, "if (a || b | c) -> if (true)");
  EXPECT_EQ(list[0].occurrence, 1);
  EXPECT_EQ(list[0].reason, "nobody looks");
  EXPECT_EQ(list[0].place(), "shop/paint.mutants:4");
  EXPECT_EQ(list[1].rule, "< for <=");
  EXPECT_EQ(list[1].occurrence, 2);
  EXPECT_EQ(list[1].reason, "nobody looks");
  EXPECT_EQ(list[2].file, "plan");
  EXPECT_EQ(list[2].rule, "leave it out");
  EXPECT_EQ(list[3].file, "kernels/block/scan.cuh");
  EXPECT_EQ(list[3].change, "if (c) -> if (true)");
  EXPECT_EQ(list[3].reason, "it is set again");
}

TEST(Equivalence, ABadFileIsRefusedWithItsLine) {
  EXPECT_EQ(complaint_about("  drop a guard | a -> b\n"),
            "shop/paint.mutants:1: no reason stands above this mutant, at the margin");
  EXPECT_EQ(complaint_about("so it is\n  drop a guard\n"),
            "shop/paint.mutants:2: a mutant is 'RULE | BEFORE -> AFTER', as `conform --mutants` prints it");
  EXPECT_EQ(complaint_about("so it is\n  | a -> b\n"), complaint_about("so it is\n  drop a guard\n"));
  EXPECT_EQ(complaint_about("so it is\n  drop a guard #0 | a -> b\n"),
            "shop/paint.mutants:2: '#0' is no occurrence; they count from #1");
  EXPECT_EQ(complaint_about("so it is\n  drop a guard #one | a -> b\n"),
            "shop/paint.mutants:2: '#one' is no occurrence; they count from #1");
  EXPECT_EQ(complaint_about("so it is\nand so\n  drop a guard | a -> b\n"),
            "shop/paint.mutants:1: this reason holds for no mutant; mutants are indented below it");
  EXPECT_EQ(complaint_about("so it is\n  drop a guard | a -> b\nand so\n"),
            "shop/paint.mutants:3: this reason holds for no mutant; mutants are indented below it");
}

TEST(Equivalence, TheCatalogueKnowsThemByTheirDeviceFile) {
  const SourceTree tree{{"shop/paint.cuh", ""}, {kPath, "nobody looks\n  drop a guard | a -> b\n"}};
  const Catalogue known({}, {}, tree);
  ASSERT_EQ(known.equivalences_of("shop/paint.cuh").size(), 1U);
  EXPECT_TRUE(known.equivalences_of("shop/glue.cuh").empty());
  EXPECT_THROW(Catalogue({}, {}, {{kPath, ""}}), std::logic_error);
  EXPECT_THROW(Catalogue({}, {}, {{"shop/paint.cuh", ""}, {kPath, "nobody looks\n"}}), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright
