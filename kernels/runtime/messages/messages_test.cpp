// Tests that messages arrive as they were sent, and that no bytes crash a worker.
#include "kernels/runtime/messages/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <set>

#include "kernels/runtime/messages/few_wrong.hpp"
#include "kernels/system/child_process.hpp"

namespace warpwright::worker {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

const Bytes some_bytes{std::byte{0}, std::byte{255}, std::byte{7}};
const Problem problem = parse_problem("reduce[op=sum,float,7]");
const CompiledProgram program{
    .ok = true,
    .module = "/nowhere/module.so",
    .instances = {{"k<1>", {.symbol = "_k1", .resources = {.registers = 7}, .code_hash = "a"}}},
    .log = "said"};

Plan plan() {
  return {.buffers = {{.name = "out", .role = Role::out, .count = 3}},
          .steps = {{.what = Launch{
                         .entry = "k<1>", .grid = {3}, .block = {32}, .arguments = {pointer_to("out"), value(3)}}}}};
}

gpu::Candidate candidate() {
  return {.plan = plan(),
          .built = program,
          .bounds = {{{.comparison = Comparison::bits, .relative = 0.1, .formula = "the same bits"}}},
          .observation = "head",
          .callable = gpu::CallableChoice{.name = "toylib/plain", .knobs = {2, 1}, .problem = problem}};
}

gpu::ProblemSetup setup() {
  return {.buffers = plan().buffers,
          .inputs = {{.text = "exact:7", .fill = plan()}},
          .fills = program,
          .observations = {{.name = "sorted", .plan = plan(), .built = program}},
          .reference_plan = plan(),
          .reference = program,
          .reference_depth = 3};
}

/// No GPU has that number.
constexpr int kNoGpu = 4096;

/// One of each kind.
std::vector<Request> requests() {
  return {Describe(),
          Compile{.sources = {{"a.cuh", "text"}},
                  .programs = {{.source = "a.cuh", .entries = {"k<1>"}, .host_functions = {{"f", "b.cuh"}}}},
                  .target = "host/nowhere"},
          Simulate{.plan = plan(),
                   .module = "/nowhere/module.so",
                   .host_functions = {},
                   .buffers = {some_bytes, {}},
                   .options = {.device = {.model = "T4"},
                               .schedule = {.seed = ~std::uint64_t{0}, .resident_blocks = 3, .stale_end = 2},
                               .limits = {.steps = 5},
                               .lenient = {StrictRule::early_exit},
                               .poison = 0x7e}},
          ListCallables{.problem = problem, .device = {.model = "T4", .sm_count = 3}},
          ListGpus(),
          ReadSensors{.uuid = "GPU-1"},
          RunPlan{.gpu = kNoGpu, .plan = plan(), .program = program, .buffers = {some_bytes}, .bare = true, .runs = 25},
          RunCallable{.gpu = kNoGpu,
                      .callable = *candidate().callable,
                      .buffers = plan().buffers,
                      .inputs = {some_bytes},
                      .poison = 0xfd},
          SelectProblem{.gpu = kNoGpu, .support = program, .setup = setup(), .seconds = 2.5},
          Trial{.gpu = kNoGpu, .candidate = candidate(), .verify = true, .sampling = {.count = 9, .far_us = 2.5}},
          Rounds{.gpu = kNoGpu, .candidates = {candidate(), {}}, .rounds = 2, .seed = 3},
          TimeSteps{.gpu = kNoGpu, .candidate = candidate(), .runs = 7},
          RepeatRuns{.gpu = kNoGpu, .candidate = candidate(), .has_energy = true, .replays = true},
          MeasureRates{.gpu = kNoGpu, .support = program, .bytes = 1, .bus_bytes = 2, .samples = 3},
          MeasureSensorRatio{.gpu = kNoGpu, .support = program}};
}

const simulator::Finding finding{.kind = FindingKind::race,
                                 .message = "both write",
                                 .entry = "k<1>",
                                 .location = {.file = "a.cuh", .line = 3, .block = {1, 2, 3}, .thread = {4, 5, 6}},
                                 .other = {.file = "b.cuh", .column = 9},
                                 .buffer = "out",
                                 .offset = -4,
                                 .address = 77};

std::vector<Answer> answers() {
  return {Refused{.reason = "no", .is_fatal = true},
          EnvironmentFailed{"no room"},
          Toolchain{.nvrtc_version = "13.0", .architectures = {75, 90}},
          CompiledModule{.ok = true, .log = "", .image = some_bytes, .instances = {program.instances}},
          Simulated{.execution = {.findings = {finding},
                                  .hints = {"a note"},
                                  .hint_count = 2,
                                  .arithmetic = {finding},
                                  .exchanged = {finding},
                                  .tolerated = {{.rule = StrictRule::early_exit, .finding = finding}},
                                  .access = {.barriers = 3},
                                  .lines = {{.file = "a.cuh", .line = 3, .counts = {.branches = 4}}},
                                  .launches = {{.barriers = 3}},
                                  .launch_threads = {32},
                                  .launch_atomics = {{{.buffer = 1, .updates = 2, .busiest_line = 1}}},
                                  .threads = 32,
                                  .thread_steps = 64,
                                  .missing = {{.buffer = 1, .number = 7}},
                                  .sampled = {{.buffer = 2,
                                               .grid = {.x = 9},
                                               .is_only_store = true,
                                               .blocks = {{.stored = 4, .first_store = 1}}}},
                                  .basic_blocks = 9},
                    .buffers = {{}, some_bytes}},
          std::vector<BaselineInfo>{{.pattern = "reduce",
                                     .implementation = "toylib",
                                     .idiom = "plain",
                                     .version = "1.2",
                                     .missing = "",
                                     .observation = "head",
                                     .laws = {"moments"},
                                     .knobs = {{.knobs = {1}, .text = "{}", .depth = 2}}}},
          std::vector<gpu::GpuInfo>{
              {.device = {.model = "T4"}, .index = 1, .uuid = "GPU-1", .driver_version = "13.0", .ecc = true}},
          gpu::Sensors{.driver = "580",
                       .power_w = {},
                       .temperature_c = 40.5,
                       .sm_clock_mhz = {},
                       .counts_energy = true,
                       .other_processes = 2,
                       .throttle_reasons = "hot"},
          PlanResult{.verdict = Verdict::not_launchable, .detail = "too many threads", .buffers = {some_bytes}},
          CallableOutputs{.outputs = {some_bytes}},
          ProblemReady{.reference_us = 10.25, .left_out = 1},
          TrialReply{.outcome = {.verdict = Verdict::failed, .input = "exact:7", .error_ratio = HUGE_VAL},
                     .samples = {{.microseconds = 1.5, .sm_clock_mhz = 900}},
                     .left_out = 1},
          RoundsReply{.outcomes = {{.mode = "graph"}}, .samples = {{{.microseconds = 2}}, {}}},
          StepsReply{.steps = {{.kind = "copy to CPU",
                                .name = "out to there",
                                .stream = 2,
                                .times = 3,
                                .start_us = 1.5,
                                .end_us = 9,
                                .us = 6}}},
          gpu::Repeated{.joules = 0.25, .replay_us = 3.5},
          gpu::Rates{.copy_gbs = 1, .read_gbs = 2, .float_gflops = 3, .double_gflops = 4, .bus = {5, 6}},
          SensorRatio{.ratio = 1.99}};
}

template <class Variant>
void expect_every_kind(const std::vector<Variant>& messages) {
  std::set<std::size_t> kinds;
  for (const Variant& message : messages) kinds.insert(message.index());
  EXPECT_THAT(kinds, SizeIs(std::variant_size_v<Variant>)) << "a kind of message is not tested";
}

TEST(Messages, EveryRequestArrivesAsItWasSent) {
  expect_every_kind(requests());
  for (const Request& request : requests()) {
    const Request received = decode_request(encode(request));
    EXPECT_EQ(received.index(), request.index());
    EXPECT_EQ(encode(received), encode(request)) << request.index();
  }
  const std::vector<Request> all = decode_requests(encode(requests()));
  ASSERT_THAT(all, SizeIs(requests().size()));
  EXPECT_EQ(encode(all), encode(requests()));
}

TEST(Messages, EveryAnswerArrivesAsItWasSent) {
  expect_every_kind(answers());
  for (const Answer& answer : answers()) {
    const Answer received = decode_answer(encode(answer));
    EXPECT_EQ(received.index(), answer.index());
    EXPECT_EQ(encode(received), encode(answer)) << answer.index();
  }
}

template <class R>
R received(const std::vector<Request>& sent) {
  for (const Request& request : sent)
    if (std::holds_alternative<R>(request)) return std::get<R>(decode_request(encode(request)));
  throw std::logic_error("none was sent");
}

TEST(Messages, SpecialValuesArriveToo) {
  const auto trial = received<Trial>(requests());
  EXPECT_EQ(trial.sampling.far_us, 2.5);
  EXPECT_TRUE(std::isinf(trial.sampling.hopeless_us)) << "no limit";
  ASSERT_TRUE(trial.candidate.callable);
  EXPECT_EQ(trial.candidate.callable->problem, problem);
  EXPECT_THAT(trial.candidate.callable->knobs, ElementsAre(2, 1));
  EXPECT_EQ(trial.candidate.plan, plan());
  EXPECT_FALSE(received<Rounds>(requests()).candidates.at(1).callable);
  const auto simulate = received<Simulate>(requests());
  EXPECT_EQ(simulate.options.schedule.seed, ~std::uint64_t{0});
  EXPECT_EQ(simulate.options.poison, 0x7e);
  EXPECT_THAT(simulate.buffers, ElementsAre(some_bytes, Bytes()));
  EXPECT_EQ(received<Compile>(requests()).programs.at(0).host_functions.at("f"), "b.cuh");
  const auto simulated = std::get<Simulated>(decode_answer(encode(answers().at(4))));
  EXPECT_THAT(simulated.execution.findings, ElementsAre(finding));
  EXPECT_THAT(simulated.execution.tolerated, ElementsAre(simulator::ToleratedFinding{StrictRule::early_exit, finding}));
}

/// A worker, and the socket that it reads from.
class RawWorker {
 public:
  RawWorker() {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) throw std::runtime_error("no sockets");
    const std::filesystem::path path = std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "bin" / "worker";
    child_ =
        std::make_unique<simulator::ChildProcess>(std::vector<std::string>{path.string(), std::to_string(sockets[1])},
                                                  simulator::SpawnOptions{.kept = sockets[1]});
    ::close(sockets[1]);
    socket_ = sockets[0];
    Message greeted;
    EXPECT_EQ(receive_message(socket_, greeted), ChannelStatus::done);
    EXPECT_EQ(greeted, greeting());
  }
  ~RawWorker() { ::close(socket_); }
  RawWorker(const RawWorker&) = delete;
  RawWorker& operator=(const RawWorker&) = delete;

  int socket() const { return socket_; }

  /// Whether it answered; false: it closed the socket, or gave no answer in time.
  bool answers(const Message& message) {
    Message answer;
    const WaitLimit limit{.limit = std::chrono::seconds(60)};
    if (send_message(socket_, message, limit) != ChannelStatus::done) return false;
    if (receive_message(socket_, answer, limit) != ChannelStatus::done) return false;
    EXPECT_NO_THROW((void)decode_answer(answer));
    return true;
  }

  simulator::Ending hang_up() {
    ::shutdown(socket_, SHUT_RDWR);
    return child_->wait();
  }

 private:
  std::unique_ptr<simulator::ChildProcess> child_;
  int socket_ = -1;
};

TEST(WorkerOnAnyBytes, AnswersAnyMessage) {
  std::mt19937_64 random(1);
  RawWorker worker;
  const auto try_out = [&](const Message& message) {
    ASSERT_TRUE(worker.answers(message)) << worker.hang_up().text() << " by " << testing::PrintToString(message);
  };
  try_out({});
  // Nested arrays, objects, and byte strings of unknown length: a parser that calls itself runs out of stack.
  for (const int opens : {0x81, 0x9f, 0xa1, 0xbf, 0x5f, 0x7f})
    ASSERT_NO_FATAL_FAILURE(try_out(Message(1'000'000, static_cast<std::uint8_t>(opens))));
  for (int i = 0; i < 200; ++i) {
    Message noise(random() % 100);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
    ASSERT_NO_FATAL_FAILURE(try_out(noise));
  }
  for (const Request& request : requests()) {
    const Message whole = encode(request);
    for (int i = 0; i < 40; ++i) {
      Message cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(random() % whole.size()));
      ASSERT_NO_FATAL_FAILURE(try_out(cut));
      Message changed = whole;
      changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
      ASSERT_NO_FATAL_FAILURE(try_out(changed));
    }
  }
  const simulator::Ending ending = worker.hang_up();
  EXPECT_EQ(ending.exit_code, 0) << ending.text();
}

TEST(WorkerOnAnyBytes, HangsUpOnAnImpossibleNumberOfBytes) {
  RawWorker worker;
  const std::uint64_t size = ~std::uint64_t{0};
  ASSERT_EQ(::write(worker.socket(), &size, sizeof size), static_cast<ssize_t>(sizeof size));
  Message none;
  EXPECT_EQ(receive_message(worker.socket(), none, {.limit = std::chrono::seconds(60)}), ChannelStatus::closed);
  EXPECT_EQ(worker.hang_up().exit_code, 0);
}

TEST(WorkerOnAnyBytes, EndsIfItsParentEndsInTheMiddleOfAMessage) {
  RawWorker worker;
  const std::uint64_t size = std::uint64_t{1} << 35;  // no memory is allocated for it before it comes
  ASSERT_EQ(::write(worker.socket(), &size, sizeof size), static_cast<ssize_t>(sizeof size));
  ASSERT_EQ(::write(worker.socket(), "some", 4), 4);
  EXPECT_EQ(worker.hang_up().exit_code, 0);
}

TEST(WrongElements, ThatAreFewMayComeFromADecision) {
  const Bound rounds{.comparison = Comparison::bounded, .relative = 1e-6, .formula = {}};
  EXPECT_THAT(gpu::hint_at_few_wrong(rounds, 19, 320'000), testing::HasSubstr("with a threshold"));
  EXPECT_EQ(gpu::hint_at_few_wrong(rounds, 321, 320'000), "");
  EXPECT_EQ(gpu::hint_at_few_wrong({.comparison = Comparison::bounded, .formula = {}}, 19, 320'000), "");
}

}  // namespace
}  // namespace warpwright::worker
