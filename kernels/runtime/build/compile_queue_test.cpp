// Tests of the queue of programs: each is compiled once, by the worker that begins first.
#include "kernels/runtime/build/compile_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace warpwright::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CompiledProgram module_at(const std::string& path) {
  return {.ok = true, .module = path};
}

class Queue : public testing::Test {
 protected:
  CompileResult ask(const std::string& key) { return queue_.ask({key}, {std::nullopt}).front().result; }
  void settle(const std::string& key, const std::string& path) {
    queue_.settle({key}, [&] { return std::vector{module_at(path)}; });
  }

  CompileQueue queue_;
};

TEST_F(Queue, AKnownResultIsSettledAtOnceAndNeverBegun) {
  const auto asked = queue_.ask({"a", "a"}, {module_at("known"), module_at("known")});
  EXPECT_TRUE(asked[0].is_new);
  EXPECT_FALSE(asked[1].is_new);
  EXPECT_EQ(asked[1].result.get().module, "known");
  EXPECT_THAT(queue_.begin({"a"}), IsEmpty());
}

TEST_F(Queue, AQueuedProgramThatATaskBeginsWithIsLeftOutOfItsBatch) {
  const CompileResult queued = ask("a");
  ask("b");
  EXPECT_TRUE(queue_.begin_now("a").is_new);
  EXPECT_FALSE(queue_.begin_now("a").is_new);
  EXPECT_THAT(queue_.begin({"a", "b"}), ElementsAre(1));
  settle("a", "ours");
  EXPECT_EQ(queued.get().module, "ours");
}

TEST(CompileResult, IsReadyWithBothModulesIfHostStepsCallFunctions) {
  std::promise<CompiledProgram> own, functions;
  const CompileResult result(CompileResult(own.get_future().share()), CompileResult(functions.get_future().share()));
  EXPECT_FALSE(result.is_ready());
  own.set_value(module_at("own"));
  EXPECT_FALSE(result.is_ready());
  functions.set_value(module_at("functions"));
  EXPECT_TRUE(result.is_ready());
  EXPECT_EQ(result.get().module, "own");
  EXPECT_EQ(result.get().host_functions, "functions");
}

TEST_F(Queue, AFaultReachesAllWaitingCallersAndTheNextRequestStartsAgain) {
  const CompileResult before = ask("a");
  ASSERT_THAT(queue_.begin({"a"}), ElementsAre(0));
  queue_.settle({"a"}, []() -> std::vector<CompiledProgram> { throw std::runtime_error("no space left"); });
  EXPECT_THROW(before.get(), std::runtime_error);
  EXPECT_FALSE(queue_.contains("a"));
  const CompileResult after = ask("a");
  ASSERT_THAT(queue_.begin({"a"}), ElementsAre(0));
  settle("a", "again");
  EXPECT_EQ(after.get().module, "again");
}

TEST_F(Queue, AProgramWithoutRequestsIsGivenUp) {
  const CompileResult first = ask("a");
  ask("a");
  queue_.give_up({"a"});
  EXPECT_THAT(queue_.begin({"a"}), ElementsAre(0)) << "one still asks";
  const CompileResult dropped = ask("b");
  queue_.give_up({"b"});
  EXPECT_THAT(queue_.begin({"b"}), IsEmpty());
  EXPECT_TRUE(dropped.get().transient);
  EXPECT_FALSE(queue_.contains("b"));
  settle("a", "a");
  EXPECT_TRUE(first.get().ok);
}

TEST_F(Queue, ATaskCompilesAnAliasOfAQueuedProgramItself) {
  const CompileResult together = ask("together");
  queue_.add_alias("a", together);
  EXPECT_FALSE(queue_.ask({"a"}, {std::nullopt}).front().is_new);
  const CompileQueue::Asked own = queue_.begin_now("a");
  EXPECT_TRUE(own.is_new) << "the other may be queued behind the caller";
  settle("a", "alone");
  EXPECT_EQ(own.result.get().module, "alone");
  ASSERT_THAT(queue_.begin({"together"}), ElementsAre(0));
  settle("together", "both");
  EXPECT_EQ(together.get().module, "both");
}

TEST_F(Queue, NothingIsBegunAfterTheStop) {
  const CompileResult queued = ask("a");
  queue_.stop();
  EXPECT_THAT(queue_.begin({"a"}), IsEmpty());
  EXPECT_FALSE(queued.get().ok);
}

}  // namespace
}  // namespace warpwright::worker
