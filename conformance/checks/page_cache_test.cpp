// Tests of holding pages.
#include "conformance/checks/page_cache.hpp"

#include <gtest/gtest.h>

namespace warpwright::conformance {
namespace {

using simulator::Page;

TEST(PageCache, holds_the_most_pages_of_the_newest_problems) {
  PageCache cache;
  EXPECT_TRUE(cache.pages("one").empty());
  cache.keep("one", {Page{.number = 1}, Page{.number = 2}});
  cache.keep("one", {Page{.number = 3}});
  EXPECT_EQ(cache.pages("one").size(), 2U);
  cache.keep("another", {Page{.number = 3}});
  EXPECT_EQ(cache.pages("another").at(0).number, 3U);
  EXPECT_EQ(cache.pages("one").size(), 2U);
  for (const char* name : {"three", "four", "five"}) cache.keep(name, {Page{}});
  EXPECT_TRUE(cache.pages("one").empty());
  EXPECT_EQ(cache.pages("another").size(), 1U);
  cache.keep("many", std::vector<Page>(1 << 20));
  EXPECT_TRUE(cache.pages("many").empty()) << "too many to send with each request";
}

}  // namespace
}  // namespace warpwright::conformance
