// Reads the parts of a job about right results (oracle, bound, laws), inputs and work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/job/laws.hpp"
#include "kernels/job/read_parts.hpp"
#include "kernels/job/reader.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::job {
namespace {

Oracle oracle_of(const Node& node, const Job& job) {
  Oracle oracle;
  if (node.is(Node::Kind::text)) {
    if (node.text != "default") node.fail("\"oracle\" is \"default\" or an object with steps, function or files");
    return oracle;
  }
  as_object(node, "\"oracle\"");
  const auto beside = [&](const std::string& path) { return job.file.parent_path() / path; };
  if (node.find("kernel") != nullptr) {
    oracle.kind = Oracle::Kind::steps;
    oracle.steps = steps_of(node);
  } else if (const Node* steps = node.find("steps")) {
    only(node, "an oracle", {"steps"});
    oracle.kind = Oracle::Kind::steps;
    oracle.steps = steps_of(*steps);
  } else if (node.find("function") != nullptr) {
    oracle.kind = Oracle::Kind::function;
    oracle.function = host_function_of(node, job);
  } else if (const Node* files = node.find("files")) {
    only(node, "an oracle", {"files"});
    oracle.kind = Oracle::Kind::files;
    for (const auto& [buffer, path] : as_object(*files, "\"files\"").members) {
      oracle.files[buffer] = beside(as_text(path, "a file"));
      if (!std::filesystem::is_regular_file(oracle.files[buffer]))
        path.fail(fmt::format("there is no file {}: paths are those beside the job", oracle.files[buffer].string()));
    }
  } else {
    node.fail("an oracle has a kernel (of the same text), steps, a function or files; or is \"default\"");
  }
  return oracle;
}

JobBound bound_of(const Node& node) {
  JobBound bound;
  if (node.is(Node::Kind::text)) {
    if (node.text != "equal" && node.text != "bits")
      node.fail("\"bound\" is \"equal\", \"bits\", or an object with depth, or with relative and absolute");
    bound.kind = node.text == "bits" ? JobBound::Kind::bits : JobBound::Kind::equal;
    return bound;
  }
  only(node, "a bound", {"depth", "of", "exact", "relative", "absolute"});
  if (const Node* depth = node.find("depth")) {
    bound.kind = JobBound::Kind::depth;
    bound.depth = as_expression(*depth, "\"depth\"");
    if (const Node* of = node.find("of")) {
      bound.of_results = as_text(*of, "\"of\"") == "result";
      if (!bound.of_results && of->text != "terms") of->fail("a depth is \"of\": \"terms\" or \"result\"");
    }
    if (const Node* exact = node.find("exact")) bound.exact = as_bool(*exact, "\"exact\"");
    return bound;
  }
  bound.kind = JobBound::Kind::guessed;
  bound.exact = false;
  if (const Node* relative = node.find("relative")) bound.relative = as_number(*relative, "\"relative\"");
  if (const Node* absolute = node.find("absolute")) bound.absolute = as_number(*absolute, "\"absolute\"");
  if (bound.relative < 0 || bound.absolute < 0) node.fail("a bound is not negative");
  if (bound.relative >= 1) node.fail("with a \"relative\" of 1 or more, zeros pass for every right answer");
  return bound;
}

/// Throws JobError with the known words if the word is none of them.
void require_word(const Node& node, const std::string& what, const std::string& word,
                  const std::vector<std::string>& known) {
  if (std::ranges::find(known, word) != known.end()) return;
  node.fail(fmt::format("no {} \"{}\"; there are {}", what, word, fmt::join(known, ", ")));
}

/// Throws JobError for a bound that an output cannot have.
void check_bound(const Node& bound, const Job& job, bool rounds) {
  for (const JobBuffer& buffer : job.buffers) {
    if (!buffer.is_output()) continue;
    if (!rounds && job.bound.absolute >= 1 && size_of(buffer.element) == 8)
      bound.fail(fmt::format("{} has 64-bit integers, which are compared exactly: leave \"bound\" out", buffer.name));
    if (job.bound.kind == JobBound::Kind::bits && buffer.compared.kind != Compared::Kind::all)
      bound.fail(fmt::format("\"bits\" does not go with \"compare\" of {}: write \"equal\"", buffer.name));
  }
}

std::vector<JobLaw> laws_of(const Node& node) {
  std::vector<JobLaw> laws;
  for (const Node& item : as_list(node, "\"laws\"")) {
    only(item, "a law", {"law", "in", "out"});
    JobLaw law{.name = as_text(needed(item, "law", "its name"), "\"law\""), .in = {}, .out = {}, .place = item};
    require_word(item, "law", law.name, law_names());
    law.in = as_text(needed(item, "in", "the buffer that is changed"), "\"in\"");
    law.out = as_text(needed(item, "out", "the buffer that is compared"), "\"out\"");
    laws.push_back(std::move(law));
  }
  return laws;
}

std::vector<ToleratedRule> lenient_of(const Node& root) {
  const Node* const strict = root.find("strict");
  const Node* const reason = root.find("reason");
  if (strict == nullptr) {
    if (reason != nullptr) reason->fail("a \"reason\" stands beside \"strict\": false");
    return {};
  }
  std::vector<ToleratedRule> lenient;
  if (strict->is(Node::Kind::object)) {
    std::vector<std::string> rules;
    for (const StrictRule rule : all_strict_rules()) rules.emplace_back(word_of(rule));
    for (const auto& [word, why] : strict->members) {
      require_word(why, "strict rule", word, rules);
      if (!why.is(Node::Kind::text))
        why.fail(fmt::format("\"{0}\": write why it is tolerated, as in \"{0}\": \"padding of rows\"", word));
      lenient.push_back({.what = strict_rule_of(word), .reason = why.text});
    }
  } else if (!as_bool(*strict, "\"strict\"")) {
    if (reason == nullptr) strict->fail("\"strict\": false needs a \"reason\" beside it: which idiom is meant?");
    for (const StrictRule rule : all_strict_rules())
      lenient.push_back({.what = rule, .reason = as_text(*reason, "\"reason\"")});
  }
  try {
    check_tolerated_rules("this job", lenient);
  } catch (const std::invalid_argument& error) {
    strict->fail(error.what());
  }
  return lenient;
}

}  // namespace

void read_answers(const Node& root, Job& job) {
  const bool rounds = std::ranges::any_of(
      job.buffers, [](const JobBuffer& buffer) { return buffer.is_output() && is_floating(buffer.element); });
  if (const Node* oracle = root.find("oracle")) job.oracle = oracle_of(*oracle, job);
  if (const Node* bound = root.find("bound")) {
    job.bound = bound_of(*bound);
    check_bound(*bound, job, rounds);
  } else if (rounds) {
    root.fail(
        "\"bound\" is missing: how far may floating-point outputs be off? e.g. {\"depth\": \"k\"} for sums of k "
        "terms, {\"relative\": 1e-5} for a guess, \"equal\" where nothing is rounded");
  }
  if (const Node* laws = root.find("laws")) job.laws = laws_of(*laws);
  if (const Node* inputs = root.find("inputs"))
    for (const Node& item : as_list(*inputs, "\"inputs\"")) {
      require_word(item, "kind of input", as_text(item, "a kind of input"),
                   {generic_kinds().begin(), generic_kinds().end()});
      job.inputs.push_back(item.text);
    }
  if (const Node* work = root.find("work")) {
    only(*work, "\"work\"", {"read", "written", "operations", "steps", "amount", "unit"});
    const auto figure = [&](const std::string& name) -> std::optional<Expression> {
      const Node* const found = work->find(name);
      return found == nullptr ? std::nullopt : std::optional(as_expression(*found, "\"" + name + "\""));
    };
    job.work = {.read = figure("read"),
                .written = figure("written"),
                .operations = figure("operations"),
                .steps = figure("steps"),
                .amount = figure("amount"),
                .unit = work->find("amount") == nullptr ? "" : "elements"};
    if (const Node* unit = work->find("unit")) {
      if (!job.work.amount) unit->fail("\"unit\" without \"amount\": how many of them does a problem have?");
      job.work.unit = as_text(*unit, "\"unit\"");
    }
  }
  job.lenient = lenient_of(root);
  if (const Node* keeps = root.find("keeps_state")) {
    job.keeps_state = keeps->is(Node::Kind::text) ? keeps->text : "";
    if (job.keeps_state.empty())
      keeps->fail(
          "\"keeps_state\": write why a run may use what an earlier one left in variables of the kernel's file");
  }
}

}  // namespace warpwright::job
