// Runs mutants under compute-sanitizer and compares its findings with the simulator's.
#include "conformance/program/sanitizer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include "conformance/checks/case_plan.hpp"
#include "conformance/mutants/known_bugs.hpp"
#include "conformance/program/mutants_command.hpp"
#include "conformance/program/sanitizer_tool.hpp"
#include "conformance/properties/property.hpp"
#include "conformance/properties/sample_points.hpp"
#include "kernels/core/text.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/messages/messages.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/table.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// A mutant and the catalogue of its kernel.
struct Subject {
  const Catalogue* catalogue;
  Mutant mutant;
  MutantResult host;
  std::vector<SanitizerReport> tools;
  std::vector<double> seconds;
  std::string fault = {};  ///< why no tool ran
};

bool is_right(const Subject& subject) {
  return !subject.mutant.mutation.equivalent.empty();
}

/// The unchanged kernel, as a mutant without a change.
Mutant unchanged(const Catalogue& catalogue, const Kernel& kernel) {
  return {.kernel = &kernel,
          .mutation = {.rule = "correct kernel",
                       .file = kernel.source,
                       .line = 1,
                       .change = "(nothing)",
                       .text = catalogue.sources().at(kernel.source),
                       .equivalent = "the kernel as it is"}};
}

std::vector<Subject> subjects_of(const Catalogue& catalogue, const SanitizerCommand& mode, const std::string& host) {
  const auto kernels = catalogue.matching(mode.globs);
  std::vector<Subject> subjects;
  for (const Kernel* kernel : kernels) subjects.push_back({&catalogue, unchanged(catalogue, *kernel), {}, {}, {}});
  std::vector<Mutant> mutants = mutants_of(catalogue, kernels, host, {.asked = mode.stop.asked});
  std::erase_if(mutants, [](const Mutant& mutant) { return !mutant.mutation.equivalent.empty(); });
  if (mode.globs.empty())
    for (Mutant& bug : all_known_bugs()) subjects.push_back({&known_bugs(), std::move(bug), {}, {}, {}});
  for (Mutant& mutant : mode.limit == 0 ? mutants : sample_mutants(mutants, mode.limit))
    subjects.push_back({&catalogue, std::move(mutant), {}, {}, {}});
  return subjects;
}

/// Runs the mutants of one catalogue on the simulator.
void run_on_simulator(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                      const SanitizerCommand& mode, const std::string& host, const Stop& stop,
                      std::vector<Subject>& subjects) {
  std::vector<Mutant> mutants;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < subjects.size(); ++i)
    if (subjects[i].catalogue == &catalogue) {
      mutants.push_back(subjects[i].mutant);
      places.push_back(i);
    }
  run_mutants(catalogue, pool, cache, mutants, {.target = host, .jobs = mode.jobs, .stop = stop},
              [&](std::size_t index, const MutantResult& result) {
                subjects[places[index]].host = result;
                if (mode.store != nullptr) mode.store->put_mutant(row_of(mutants[index], result, host));
              });
}

/// The cases of a mutant on the GPU: the one that killed it on the simulator, then newly drawn ones.
std::vector<Case> cases_of(const Subject& subject, const Kernel& kernel, const GpuTarget& gpu, int count) {
  std::vector<Case> cases;
  if (!subject.host.repro.empty()) cases.push_back(parse_repro(*subject.catalogue, subject.host.repro));
  const Pattern& pattern = subject.catalogue->pattern(kernel.pattern);
  const auto problems = problems_of(pattern, kernel, gpu.device);
  DrawnCases drawn = draw_cases(*subject.catalogue, kernel, gpu.device,
                                {.cases = 4 * count,
                                 .seed = 1,
                                 .params = covering_points(kernel, surroundings_of(problems.front(), gpu.device)),
                                 .problems = problems,
                                 .max_steps = 4096,
                                 .deadline = std::nullopt});
  for (Case& test : drawn.cases)
    if (pattern.work(test.problem).steps > 0 && cases.size() < static_cast<std::size_t>(count))
      cases.push_back(std::move(test));
  for (Case& test : cases) {
    test.kernel = &kernel;
    test.target = gpu.device.arch();
    test.law.clear();
    test.schedule_seed = 0;
    test.resident_blocks = 0;
  }
  return cases;
}

/// Writes the requests of all cases to a file that a worker can read. Returns the compiler's message if one does not
/// compile.
std::string write_requests(const Subject& subject, worker::Pool& pool, const DiskCache& cache, const GpuTarget& gpu,
                           int cases, const std::filesystem::path& path) {
  const MutantProgram mutant = program_of(*subject.catalogue, subject.mutant);
  worker::Compiler compiler(pool, cache, mutant.sources);
  const auto tests = cases_of(subject, mutant.kernel, gpu, cases);
  if (tests.empty()) return "it takes no case on this GPU";
  std::vector<Program> programs;
  for (const Case& test : tests)
    programs.push_back(program_for(*subject.catalogue, mutant.kernel, test.params, test.problem, gpu.device));
  const auto builds = compiler.compile(gpu.device.arch(), programs);
  std::vector<worker::Request> requests;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const CompiledProgram& built = builds[i].get();
    if (!built.ok) return fmt::format("it does not compile for {}: {}", gpu.device.arch(), built.log.substr(0, 300));
    const Plan plan = mutant.kernel.plan(tests[i].params, tests[i].problem, gpu.device);
    const Pattern& pattern = subject.catalogue->pattern(mutant.kernel.pattern);
    const auto inputs = generate_inputs(pattern, tests[i].problem, tests[i].input);
    std::vector<Bytes> contents;
    std::size_t next = 0;
    for (const Buffer& buffer : plan.buffers)
      contents.push_back(buffer.is_input() ? inputs.at(next++)
                                           : Bytes(buffer.self_restoring ? static_cast<std::size_t>(buffer.bytes()) : 0,
                                                   std::byte{0}));
    requests.push_back(worker::RunPlan{.gpu = gpu.index,
                                       .plan = plan,
                                       .program = built,
                                       .buffers = std::move(contents),
                                       .bare = true,
                                       // An observation reads only defined values; raw outputs are read completely.
                                       .reads_outputs = find_observation(pattern, {}) == nullptr});
  }
  std::ofstream file(path, std::ios::binary);
  const worker::Message bytes = worker::encode(requests);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}: free some space there", path.string()));
  return {};
}

/// A tool's report as a row.
db::Mutant row_of(const Subject& subject, std::size_t tool) {
  const SanitizerReport& report = subject.tools[tool];
  MutantResult result;
  result.how = report.how;
  result.detail = report.first;
  result.seconds = subject.seconds[tool];
  result.outcome = !report.how.empty() ? "killed" : is_right(subject) ? "equivalent" : "survived";
  return row_of(subject.mutant, result, "compute-sanitizer " + sanitizer_tools()[tool]);
}

/// A line of at most 100 columns.
std::string line_of(const std::string& kernel, const std::string& bug, const std::string& simulator,
                    const std::string& tools) {
  constexpr std::size_t of_kernel = 26, of_bug = 28, of_simulator = 14, of_tools = 26;
  return fmt::format("{:<{}}  {:<{}}  {:<{}}  {}", cut(printable(kernel), of_kernel), of_kernel, cut(bug, of_bug),
                     of_bug, cut(simulator, of_simulator), of_simulator, cut(tools, of_tools));
}

/// What a tool found, "failed" if it did not finish, empty if it found nothing.
std::string word_of(const SanitizerReport& report) {
  return report.finished ? report.how : "failed";
}

/// What each tool found; "-" if none found anything.
std::string found_in(const Subject& subject) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < subject.tools.size(); ++i) {
    const SanitizerReport& report = subject.tools[i];
    if (const std::string word = word_of(report); !word.empty())
      found.push_back(fmt::format("{}: {}", sanitizer_tools()[i], word));
  }
  return found.empty() ? "-" : fmt::format("{}", fmt::join(found, ", "));
}

void print_subject(const Subject& subject, bool verbose) {
  const Mutation& mutation = subject.mutant.mutation;
  fmt::print("{}\n", line_of(subject.mutant.kernel->full_name(), mutation.rule,
                             subject.host.how.empty() ? "-" : subject.host.how, found_in(subject)));
  if (verbose) {
    fmt::print("  {}:{}: {}\n  simulator {:.1f} s", mutation.file, mutation.line, printable(mutation.change),
               subject.host.seconds);
    for (std::size_t i = 0; i < subject.tools.size(); ++i)
      fmt::print(", {} {:.1f} s", sanitizer_tools()[i], subject.seconds[i]);
    fmt::print("\n");
  }
  if (!subject.fault.empty()) fmt::print("  not run: {}\n", subject.fault);
  std::fflush(stdout);
}

/// A row for each kernel and mutant.
Table table_of(const std::vector<Subject>& subjects) {
  std::vector<Table::Column> columns{
      {.head = "KERNEL"}, {.head = "BUG"},      {.head = "FILE"},      {.head = "LINE"},
      {.head = "CHANGE"}, {.head = "IS RIGHT"}, {.head = "SIMULATOR"}, {.head = "SIMULATOR SECONDS"}};
  for (const std::string& tool : sanitizer_tools()) {
    columns.push_back({.head = tool});
    columns.push_back({.head = tool + " SECONDS"});
  }
  columns.push_back({.head = "NOT RUN"});
  Table table(std::move(columns));
  const auto cell = &Table::Cell::unless_empty;
  const auto seconds = [](double of) { return Table::Cell(of, ""); };
  for (const Subject& subject : subjects) {
    const Mutation& mutation = subject.mutant.mutation;
    std::vector<Table::Cell> row{subject.mutant.kernel->full_name(),
                                 mutation.rule,
                                 mutation.file,
                                 Table::Cell::of_line(mutation.line),
                                 mutation.change,
                                 Table::Cell(is_right(subject), ""),
                                 cell(subject.host.how),
                                 seconds(subject.host.seconds)};
    for (std::size_t i = 0; i < sanitizer_tools().size(); ++i) {
      const bool ran = i < subject.tools.size();
      row.push_back(ran ? cell(word_of(subject.tools[i])) : Table::Cell());
      row.push_back(ran ? seconds(subject.seconds[i]) : Table::Cell());
    }
    row.push_back(
        cell(subject.fault.empty() && subject.tools.empty() ? "the command was stopped first" : subject.fault));
    table.add(std::move(row));
  }
  return table;
}

/// Runs all tools on one mutant.
void run_tools(const std::string& sanitizer, const std::string& requests, const SanitizerCommand& mode,
               Subject& subject) {
  for (const std::string& tool : sanitizer_tools()) {
    const auto begin = Clock::now();
    const simulator::ProcessResult run =
        simulator::run_process(sanitizer_command(sanitizer, tool, worker::worker_program().string(), requests), "/",
                               mode.time_limit, mode.stop);
    subject.tools.push_back(read_sanitizer_output(run.output, run.timed_out));
    if (!subject.tools.back().finished) subject.tools.back().first = run.output.substr(0, 500);
    subject.seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

bool found_by_tools(const Subject& subject) {
  return std::ranges::any_of(subject.tools, [](const SanitizerReport& report) { return !report.how.empty(); });
}

/// The mutants that one side found and the other did not.
struct Disagreement {
  std::vector<const Subject*> only_host, only_tools;
};

Disagreement disagreement_of(const std::vector<Subject>& subjects) {
  Disagreement found;
  for (const Subject& subject : subjects) {
    if (subject.tools.empty() || is_right(subject)) continue;
    const bool by_host = subject.host.outcome == "killed";
    if (by_host && !found_by_tools(subject)) found.only_host.push_back(&subject);
    if (!by_host && found_by_tools(subject)) found.only_tools.push_back(&subject);
  }
  return found;
}

/// Prints totals and what only one side found.
void print_agreement(const std::vector<Subject>& subjects, const Disagreement& disagreement) {
  struct Total {
    int found = 0, alarms = 0, runs = 0;
    double seconds = 0;
  };
  std::vector<Total> totals(sanitizer_tools().size() + 1);
  const auto add = [](Total& total, const Subject& subject, bool found, double seconds) {
    ++total.runs;
    total.seconds += seconds;
    (is_right(subject) ? total.alarms : total.found) += found ? 1 : 0;
  };
  int wrong = 0;
  for (const Subject& subject : subjects) {
    if (subject.tools.empty()) continue;
    add(totals[0], subject, !subject.host.how.empty(), subject.host.seconds);
    for (std::size_t i = 0; i < subject.tools.size(); ++i)
      add(totals[i + 1], subject, !subject.tools[i].how.empty(), subject.seconds[i]);
    wrong += is_right(subject) ? 0 : 1;
  }
  fmt::print("\n{:<30} {:>14} {:>14} {:>14}\n", "", "mutants found", "false alarms", "s a run");
  for (std::size_t i = 0; i < totals.size(); ++i)
    fmt::print("{:<30} {:>6} of {:>4} {:>14} {:>14.2f}\n",
               i == 0 ? "simulator" : "compute-sanitizer " + sanitizer_tools()[i - 1], totals[i].found, wrong,
               totals[i].alarms, totals[i].runs > 0 ? totals[i].seconds / totals[i].runs : 0.0);
  const auto list = [](const char* title, const std::vector<const Subject*>& subset) {
    fmt::print("\n{}: {}\n", title, subset.size());
    for (const Subject* subject : subset)
      fmt::print("{}:{}:1: {}: {}: {}\n", subject->mutant.mutation.file, std::max(subject->mutant.mutation.line, 1),
                 subject->host.how.empty() ? found_in(*subject) : subject->host.how, subject->mutant.mutation.rule,
                 printable(subject->mutant.mutation.change));
  };
  list("Found by the simulator alone", disagreement.only_host);
  list("Found by compute-sanitizer alone", disagreement.only_tools);
}

}  // namespace

SanitizerSummary run_sanitizer_command(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                       const GpuTarget& gpu, const SanitizerCommand& mode) {
  const std::string sanitizer = find_sanitizer(mode.stop);
  const auto begin = Clock::now();
  const std::string host = host_target(gpu.device.compute_capability);
  std::vector<Subject> subjects = subjects_of(catalogue, mode, host);
  Stop on_host = mode.stop;
  if (on_host.deadline) *on_host.deadline -= (*on_host.deadline - begin) / 2;
  run_on_simulator(catalogue, pool, cache, mode, host, on_host, subjects);
  run_on_simulator(known_bugs(), pool, cache, mode, host, on_host, subjects);

  const bool is_text = mode.form == Form::text;
  if (is_text) fmt::print("{}\n", line_of("KERNEL", "BUG", "SIMULATOR", "COMPUTE-SANITIZER"));
  const TemporaryFolder folder;
  std::mutex mutex;
  int ran = 0;
  const auto compare = [&](std::size_t i) {
    Subject& subject = subjects[i];
    // Without a result of the simulator there is nothing to compare with.
    if (mode.stop.is_now() || subject.host.outcome.empty()) return;
    const auto requests = folder / fmt::format("{}.cbor", i);
    try {
      subject.fault = write_requests(subject, pool, cache, gpu, mode.cases, requests);
      if (subject.fault.empty()) run_tools(sanitizer, requests.string(), mode, subject);
    } catch (const Stopped&) {
      subject.tools.clear();
      return;  // counts as not run
    }
    std::filesystem::remove(requests);
    const std::scoped_lock lock(mutex);
    ++ran;
    if (is_text) print_subject(subject, mode.verbose);
    for (std::size_t tool = 0; tool < subject.tools.size(); ++tool)
      if (mode.store != nullptr && subject.tools[tool].finished) mode.store->put_mutant(row_of(subject, tool));
    // The unchanged kernels come first: a tool that does not finish on them does not work here.
    if (is_right(subject) && !subject.tools.empty() && !subject.tools[0].finished)
      throw std::runtime_error(fmt::format("compute-sanitizer does not work here: {}", subject.tools[0].first));
  };
  std::vector<std::future<void>> done;
  {
    worker::Pool side_by_side(mode.jobs > 0 ? mode.jobs : std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
    for (std::size_t i = 0; i < subjects.size(); ++i)
      done.push_back(side_by_side.submit([&, i](worker::Process&) { compare(i); }));
    for (std::future<void>& one : done) one.get();
  }
  const Disagreement disagreement = disagreement_of(subjects);
  const int not_run = static_cast<int>(subjects.size()) - ran;
  if (is_text) {
    print_agreement(subjects, disagreement);
    fmt::print("\n{} of {} mutants and kernels in {:.0f} s{}\n", ran, subjects.size(),
               std::chrono::duration<double>(Clock::now() - begin).count(),
               not_run > 0 ? fmt::format("; NOT RUN: {}", not_run) : "");
  } else {
    fmt::print("{}", data_of(table_of(subjects), mode.form));
  }
  return {.missed = static_cast<int>(disagreement.only_tools.size()), .not_run = not_run};
}

}  // namespace warpwright::conformance
