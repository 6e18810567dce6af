// Drafts a job file for a kernel in a .cu file.
#include "kernels/job/draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "kernels/core/text.hpp"
#include "kernels/job/draft_reading.hpp"
#include "kernels/job/draft_words.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/lowering.hpp"
#include "kernels/job/questions.hpp"
#include "kernels/job/text/signatures.hpp"

namespace warpwright::job {
namespace {

/// Composes the text of the job.
class Draft {
 public:
  Draft(const PlainFile& file, const GlobalFunction& kernel)
      : file_(file), kernel_(kernel), text_(file.text({kernel.name})), read_(text_, kernel) {}

  const std::vector<std::string>& missing() const { return text_.missing; }

  std::vector<std::string> unguarded() const {
    std::vector<std::string> advice;
    for (const auto& [macro, place] : text_.unguarded) {
      const auto& all = text_.macros.contains(macro) ? text_.macros : text_.host_macros;
      const auto value = all.find(macro);
      if (value == all.end() || !read_.is_tuned(macro)) continue;
      advice.push_back(fmt::format(
          "{}: this #define {} would override the tuned value that `tunedb export --format defines` writes to a "
          "header. To let the header set it, write:\n"
          "  #ifndef {}\n  #define {} {}\n  #endif",
          place, macro, macro, macro, value->second));
    }
    return advice;
  }

  std::string job(const std::string& source, const std::vector<std::string>& include, const std::string& schema) const {
    std::string text("{\n  // Drafted by `tune init`. Each ??? is a question: correct the line below it\n");
    if (!schema.empty()) text += fmt::format("  \"$schema\": {},\n", in_quotes(schema));
    text += fmt::format("  \"version\": {},\n  \"file\": {},\n", kJobVersion, in_quotes(source));
    if (!include.empty()) text += fmt::format("  \"include\": [{}],\n", listed(include));
    text += fmt::format("  // ??? What are the dimensions of the problem, the slowest first?\n  \"extents\": [{}],\n",
                        listed(read_.names_of_extents()));
    text += fmt::format(
        "  // ??? Which parameters are tuned (macros, template parameters, numbers of the launch), at which values?\n  "
        "\"params\": {{{}}},\n",
        params());
    text += "  // Conditions on the params, e.g. \"block_x * block_y <= 1024\"\n  \"constraints\": [],\n";
    text += fmt::format("  \"buffers\": {{{}}},\n", buffers());
    text += fmt::format("  \"steps\": [{}],\n", in_loop(step()));
    text += takes();
    text +=
        "  // ??? Which sizes are tuned for (shapes), and at which small ones may the kernel break (check_shapes)?\n";
    text += fmt::format("  \"shapes\": [[{}]],\n  \"check_shapes\": [[{}], [{}]],\n", fmt::join(shape(), ", "),
                        repeated("1"), repeated("33"));
    text += oracle();
    if (!rounds()) return text + "  \"bound\": \"equal\"\n}\n";
    return text + guessed_bound() + "}\n";
  }

 private:
  std::string repeated(const std::string& number) const {
    return fmt::format("{}", fmt::join(std::vector<std::string>(read_.extents().size(), number), ", "));
  }

  std::vector<std::int64_t> shape() const {
    constexpr std::array<std::int64_t, 5> kSizes{1 << 20, 1 << 10, 1 << 8, 1 << 5, 1 << 4};
    std::vector<std::int64_t> sizes;
    for (const DraftExtent& extent : read_.extents())
      sizes.push_back(extent.size > 1 ? extent.size : kSizes.at(std::min(read_.extents().size(), kSizes.size()) - 1));
    return sizes;
  }

  std::string params() const {
    const std::vector<std::string> lines = read_.params();
    return lines.empty() ? "" : fmt::format("{}\n  ", fmt::join(lines, ","));
  }

  /// If the buffers have the usual names of a matrix product (a, b, c), they get the sizes of its matrices.
  std::string count(const std::string& buffer) const {
    if (std::string allocated = read_.allocated(buffer); !allocated.empty()) return allocated;
    std::map<std::string, std::string> by_letter;
    for (const DraftExtent& extent : read_.extents()) by_letter[lower_case(extent.name)] = extent.name;
    std::string letter = lower_case(buffer);
    if (letter.starts_with("d_")) letter = letter.substr(2);
    const bool is_product =
        read_.extents().size() == 3 && by_letter.contains("m") && by_letter.contains("n") && by_letter.contains("k");
    if (is_product && letter == "a") return by_letter["m"] + " * " + by_letter["k"];
    if (is_product && letter == "b") return by_letter["k"] + " * " + by_letter["n"];
    if (is_product && letter == "c") return by_letter["m"] + " * " + by_letter["n"];
    return fmt::format("{}", fmt::join(read_.names_of_extents(), " * "));
  }

  /// A struct is given as its members.
  std::string buffer(const Parameter& parameter) const {
    const std::string kind = drafted_role(parameter);
    const std::string meant = read_.meant(parameter.type);
    const std::string allocated = read_.allocated(parameter.name);
    std::string type = type_word(meant) ? meant : "float";
    std::string elements = count(parameter.name);
    std::string note = what_to_see_to(kind, parameter, type, allocated);
    if (const DraftStruct members = read_.parts_of(meant); members.count > 0) {
      type = members.type;
      elements = fmt::format("{} * {}", members.count, is_one_word(elements) ? elements : "(" + elements + ")");
      note = fmt::format("??? It holds structs {}, given as {} {} each{}. Is it in, out, inout or scratch{}?", meant,
                         members.count, type,
                         members.is_uniform ? "" : ", with members of other types: say \"data\" that suits them",
                         allocated.empty() ? ", and how many are there" : "");
    }
    return fmt::format("\n    // {}\n    {}: {{\"role\": {}, \"type\": {}, \"count\": {}}}", note,
                       in_quotes(parameter.name), in_quotes(kind), in_quotes(type), in_quotes(elements));
  }

  std::string buffers() const {
    std::vector<std::string> lines;
    for (const Parameter& parameter : read_.pointers()) lines.push_back(buffer(parameter));
    for (const auto& [name, texture] : read_.textures())
      lines.push_back(fmt::format("\n    // {}\n    {}: {{\"role\": \"in\", \"type\": {}, \"count\": {}}}",
                                  texture.note, in_quotes(name), in_quotes(texture.type), in_quotes(texture.count)));
    for (const ConstantSymbol& symbol : text_.symbols) lines.push_back(constant(symbol));
    return fmt::format("{}\n  ", fmt::join(lines, ","));
  }

  /// Whether an output may be rounded: one that is not of integers.
  bool rounds() const {
    return std::ranges::any_of(read_.pointers(), [&](const Parameter& parameter) {
      const auto type = type_word(read_.meant(parameter.type));
      return drafted_role(parameter) != "in" && (!type || is_floating(type->element));
    });
  }

  std::string constant(const ConstantSymbol& symbol) const {
    const bool is_known = type_word(symbol.type).has_value();
    const auto size = read_.host().number(symbol.count);
    return fmt::format(
        "\n    // {}\n    {}: {{\"role\": \"constant\", \"type\": {}, \"count\": {}, \"symbol\": {}}}",
        !size || !is_known ? "??? What is its type, and how many elements has it?" : "A __constant__ variable",
        in_quotes(symbol.name.substr(symbol.name.rfind(':') + 1)), in_quotes(is_known ? symbol.type : "float"),
        size.value_or(1), in_quotes(symbol.name));
  }

  /// A launch in a loop whose variable it gets is a step that repeats.
  std::string in_loop(const std::string& launch) const {
    if (read_.loop_variable().empty()) return launch;
    const std::string rounds = read_.loop_rounds();
    return fmt::format(
        "{{\n    // {}The launch is in a loop over {}\n    \"repeat\": {}, \"index\": {}, \"steps\": [{}]}}",
        rounds.empty() ? "??? How often does the loop run? " : "", read_.loop_variable(),
        in_quotes(rounds.empty() ? std::string(kOpenMark) : rounds), in_quotes(read_.loop_variable()), launch);
  }

  /// Each question stands above the line that it asks about.
  std::string step() const {
    const HostLaunch* const launch = read_.launch();
    std::vector<std::string> parts;
    std::string above;
    const auto ask = [&](const std::string& question) { above += "\n    // ??? " + question; };
    const auto add = [&](const std::string& key, const std::string& value) {
      parts.push_back(fmt::format("{}\n    \"{}\": {}", std::exchange(above, ""), key, value));
    };
    if (launch != nullptr)
      above = fmt::format("\n    // The host code launches <<<{}>>>({}) at line {}",
                          fmt::join(launch->configuration, ", "), fmt::join(launch->arguments, ", "), launch->line);
    add("kernel", in_quotes(kernel_.name));
    if (!read_.open_types().empty())
      ask(fmt::format("Which type is {}? No launch says it; float is assumed", fmt::join(read_.open_types(), ", ")));
    if (!read_.template_arguments().empty()) add("template", fmt::format("[{}]", listed(read_.template_arguments())));
    if (!read_.not_understood().empty())
      ask(fmt::format("What is passed for {}? The expression in the host code was not understood",
                      fmt::join(read_.not_understood(), ", ")));
    if (const std::string changed = read_.changed_in_a_loop(); !changed.empty())
      ask(fmt::format("Which values does {} take? The host code changes it in a loop around the launch", changed));
    for (const std::string& name : read_.pitches())
      ask(fmt::format("Is {} in elements, and are rows padded? Here it is {}", name, read_.row_length()));
    add("arguments", fmt::format("[{}]", fmt::join(read_.arguments(), ", ")));
    for (const DraftParam& named : read_.named_numbers())
      ask(fmt::format("Is it right that {} is taken for {}? Both have this value", named.value, named.name));
    const auto extent = [&](const std::string& key, const std::vector<std::string>& given, const std::string& asks,
                            std::size_t number) {
      if (!given.empty()) return add(key, fmt::format("[{}]", listed(given)));
      ask(fmt::format("{}? {}", asks,
                      launch == nullptr ? "The file has no launch of this kernel"
                      : number < launch->configuration.size()
                          ? "The launch says " + launch->configuration[number] + ", which is not understood"
                          : "The launch does not say it"));
      add(key, in_quotes(std::string(kOpenMark)));
    };
    extent("grid", read_.grid(), "How many blocks does the grid have", 0);
    extent("block", read_.block(), "How many threads does a block have", 1);
    if (const std::string question = question_for_shared(); !question.empty()) {
      ask(question);
      add("shared", in_quotes(std::string(kOpenMark)));
    } else if (!read_.shared().empty()) {
      add("shared", in_quotes(read_.shared()));
    }
    if (launch != nullptr && launch->cooperative) add("cooperative", "true");
    return fmt::format("{{{}\n  }}", fmt::join(parts, ","));
  }

  /// A question about the dynamic shared memory that a launch passes or the code declares, if its size is not known.
  std::string question_for_shared() const {
    if (!read_.shared().empty()) return {};
    constexpr const char* kQuestion = "How many bytes of shared memory does a block get? {}";
    const HostLaunch* const launch = read_.launch();
    if (launch != nullptr && launch->configuration.size() > 2) {
      const std::string& given = launch->configuration[2];
      if (read_.host().expression(given) != "0")
        return fmt::format(fmt::runtime(kQuestion), "The launch says " + given + ", which is not understood");
    }
    if (shared_array(text_.text).empty()) return {};
    return fmt::format(fmt::runtime(kQuestion), "It is extern, and no launch says its size");
  }

  /// For products and quotients of single words, such as `n / 16 * m / 8`: each division leaves nothing over.
  static bool add_exact_divisions(const std::string& part, std::vector<std::string>& rules) {
    std::istringstream words(part);
    std::vector<std::string> made;
    std::string before, word;
    for (char sign = '*'; words >> word; sign = word.front()) {
      if (!is_one_word(word)) return false;
      if (sign == '/')
        made.push_back(in_quotes(fmt::format("{} % {} == 0", is_one_word(before) ? before : "(" + before + ")", word)));
      before += before.empty() ? word : fmt::format(" {} {}", sign, word);
      if (!(words >> word)) break;
      if (word != "*" && word != "/") return false;
    }
    rules.insert(rules.end(), made.begin(), made.end());
    return !made.empty();
  }

  /// Whether the grid is a whole number before it is rounded, for the sizes that the host code says. If not, the host
  /// code does not expect that.
  bool has_whole_blocks(const std::string& part) const {
    const auto words = Expression::parse(part).names();
    Names sizes;
    for (const DraftExtent& extent : read_.extents()) {
      if (extent.size <= 0 && words.contains(extent.name)) return true;
      sizes[extent.name] = static_cast<Value>(extent.size);
    }
    for (const DraftParam& param : read_.all_params()) sizes[param.name] = static_cast<Value>(param.value);
    const Expression rest = Expression::parse("(" + part + ") % 1", Division::is_exact);
    return read_.host().value_of(rest, sizes, 16).value_or(0) == 0;
  }

  /// If the smallest problem has an empty grid, the host code rounds down, so it expects a whole number of blocks.
  std::string takes() const {
    Names least;
    for (const DraftExtent& extent : read_.extents()) least[extent.name] = 1;
    std::vector<std::string> rules;
    for (const std::string& part : read_.grid()) {
      if (*read_.host().value_of(Expression::parse(part), least, 16) >= 1) continue;
      if (!has_whole_blocks(part)) continue;
      if (add_exact_divisions(part, rules)) continue;
      rules.push_back(fmt::format("{{\"name\": \"whole blocks\", \"holds\": {}, \"python\": true}}",
                                  in_quotes("(" + part + ") % 1 == 0")));
    }
    if (rules.empty()) return {};
    return fmt::format("  // ??? Must sizes be whole blocks? The host code rounds its grid down\n  \"takes\": [{}],\n",
                       fmt::join(rules, ", "));
  }

  /// The first kernel before this one that has the same parameters and a launch that could be read.
  std::string oracle() const {
    for (const GlobalFunction& other : file_.kernels()) {
      if (other.name == kernel_.name) break;
      if (other.launches || !other.template_parameters.empty() || !take_the_same(kernel_, other)) continue;
      const HostLaunch* const launch = read_.launch_of(other);
      if (launch == nullptr || launch->configuration.size() < 2) continue;
      HostWords host(text_, *launch);
      for (std::size_t i = 0; i < launch->arguments.size() && i < kernel_.parameters.size(); ++i)
        if (!kernel_.parameters[i].is_pointer) host.call(launch->arguments[i], kernel_.parameters[i].name);
      const auto grid = host.extent(launch->configuration[0]);
      const auto block = host.extent(launch->configuration[1]);
      const bool has_shared = launch->configuration.size() > 2 && host.expression(launch->configuration[2]) != "0";
      if (has_shared && read_.shared_of(host, *launch).empty()) continue;  // its shared memory would be too small
      const auto is_known = [&](const std::vector<std::string>& parts) {
        return std::ranges::all_of(parts, [&](const std::string& part) {
          return std::ranges::all_of(host.unknown(part), [&](const auto& name) { return read_.is_named(name); });
        });
      };
      if (!grid || !block || !is_known(*grid) || !is_known(*block)) continue;
      std::string shared = read_.shared_of(host, *launch);
      if (!shared.empty()) shared = ", \"shared\": " + in_quotes(shared);
      return fmt::format(
          "  // ??? Does this kernel compute the right answers? It takes the same arguments\n"
          "  \"oracle\": {{\"kernel\": {}, {}\"grid\": [{}], \"block\": [{}]{}}},\n",
          in_quotes(other.name), arguments_of_oracle(), listed(*grid), listed(*block), shared);
    }
    return oracle_on_the_cpu();
  }

  /// A function of the file that only the CPU runs, and that has the same parameters.
  std::string oracle_on_the_cpu() const {
    for (const GlobalFunction& other : file_.host_functions()) {
      const std::vector<std::string> names = template_names(other);
      if (other.parameters.empty() || !take_the_same(kernel_, other)) continue;
      std::vector<std::string> given;
      for (const std::string& name : names) {
        const auto param = std::ranges::find(read_.all_params(), name, &DraftParam::name);
        if (param != read_.all_params().end() && !param->is_open) given.push_back(std::to_string(param->value));
      }
      if (given.size() < names.size()) continue;
      return fmt::format(
          "  // ??? Does this function of the CPU compute the right answers? It takes the same arguments\n"
          "  \"oracle\": {{\"function\": {}, \"arguments\": [{}]}},\n",
          in_quotes(given.empty() ? other.name : fmt::format("{}<{}>", other.name, fmt::join(given, ", "))),
          fmt::join(numbers_for_params(), ", "));
    }
    return no_oracle();
  }

  /// The arguments of an oracle are the same for all configurations, so they have the numbers of params.
  std::vector<std::string> numbers_for_params() const {
    std::vector<std::string> arguments = read_.arguments();
    for (std::string& argument : arguments)
      for (const DraftParam& param : read_.all_params())
        if (argument == in_quotes(param.name)) argument = std::to_string(param.value);
    return arguments;
  }

  /// Needed only if the kernel gets params.
  std::string arguments_of_oracle() const {
    const std::vector<std::string> arguments = numbers_for_params();
    return arguments == read_.arguments() ? "" : fmt::format("\"arguments\": [{}], ", fmt::join(arguments, ", "));
  }

  const PlainFile& file_;
  const GlobalFunction& kernel_;
  const DeviceText text_;
  const DraftReading read_;
};

/// The first kernel that the host code launches, or else the first in the file. Kernels that launch kernels are
/// skipped.
const GlobalFunction& kernel_to_draft(const PlainFile& file) {
  const auto& kernels = file.kernels();
  for (const HostLaunch& launch : file.launches())
    for (const GlobalFunction& kernel : kernels)
      if (!kernel.launches && is_called(kernel.name, launch.kernel)) return kernel;
  const auto found = std::ranges::find(kernels, false, &GlobalFunction::launches);
  return found == kernels.end() ? kernels.front() : *found;
}

}  // namespace

Drafted draft_of(const std::filesystem::path& source, const std::filesystem::path& output, const std::string& wanted,
                 const std::vector<std::filesystem::path>& include, const std::filesystem::path& schema) {
  try {
    const PlainFile file(source, include);
    const GlobalFunction& kernel = wanted.empty() ? kernel_to_draft(file) : file.kernel(wanted);
    const Draft draft(file, kernel);
    std::vector<std::string> folders;
    for (const std::filesystem::path& folder : include) folders.push_back(beside(output, folder));
    Drafted drafted{.text = draft.job(beside(output, source), folders, schema.string()),
                    .kernel = kernel.name,
                    .missing = draft.missing(),
                    .unguarded = draft.unguarded()};
    for (const GlobalFunction& other : file.kernels())
      if (other.name != kernel.name && !other.launches) drafted.others.push_back(other.name);
    return drafted;
  } catch (const std::runtime_error& error) {
    throw JobError(error.what());
  }
}

}  // namespace warpwright::job
