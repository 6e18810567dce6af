// The contents of a job file: a kernel in a plain CUDA source, its space, its data, and its right results.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/job/expression.hpp"
#include "kernels/job/node.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// The prefix of the names of patterns from jobs.
inline constexpr std::string_view kPrefix = "job:";

/// A dimension of the problem. `macro` is its name in the source, if it is compiled in.
struct Extent {
  std::string name;
  std::string macro = {};
};

/// How the source gets the value of a param.
enum class Reach { unsaid, macro, template_argument, plan };

struct Param {
  std::string name;
  Axis axis;
  std::int64_t preferred = 0;
  Reach reach = Reach::unsaid;
  std::string macro = {};  ///< its name in the source; by default its own name
  Node place = {};
};

/// A condition and its name.
struct Rule {
  std::string name;
  Expression holds;
};

/// A texture object for a buffer.
struct JobTexture {
  Texture texture = {};                 ///< the parts that depend neither on the problem nor on the buffer's type
  std::vector<Expression> extent = {};  ///< in texels: width, height, depth, as many as there are
};

/// A tensor map of a buffer: a tensor of one to five dimensions whose boxes bulk copies move. Sizes are in elements,
/// those of rows first.
struct JobTensorMap {
  std::string buffer;
  Expression offset = {};                ///< of the first element
  std::vector<Expression> extents = {};  ///< one for each dimension, as of the box
  std::vector<Expression> pitches = {};  ///< from a row to the next, and so on; by default, they follow each other
  std::vector<Expression> box = {};
  Expression swizzle = {};  ///< in bytes; 0: none
};

/// The argument for one parameter: a buffer, a null pointer, a value, a struct of these, a texture, or a tensor map.
struct JobArgument {
  bool is_null = false;
  std::string buffer = {};
  Expression offset = {};  ///< in elements of the buffer
  std::string type = {};   ///< of a value; by default that of the parameter
  std::optional<Expression> value = {};
  std::vector<JobArgument> members = {};
  std::vector<Expression> values = {};  ///< of an array in a struct
  std::optional<JobTexture> texture = {};
  std::optional<JobTensorMap> tensor_map = {};
  Node place = {};
};

/// A step: a launch, zeroing of a buffer, or a repeat.
struct JobStep {
  std::string kernel = {};
  std::optional<std::vector<std::string>> template_arguments = {};
  std::optional<std::vector<JobArgument>> arguments = {};
  std::array<Expression, 3> grid = {Expression::number(1), Expression::number(1), Expression::number(1)};
  std::array<Expression, 3> block = grid;
  std::array<Expression, 3> cluster = grid;  ///< blocks of a cluster
  Expression shared = {};
  bool cooperative = false;
  bool programmatic = false;
  int stream = 0;
  std::string label = {};               ///< the name that `after` of later launches use
  std::vector<std::string> after = {};  ///< labels of earlier launches that must be over
  std::string zero = {};                ///< the buffer to zero
  std::string function = {};            ///< a function that the CPU runs; no step of a kernel has one
  std::optional<Expression> repeat = {};
  std::string index = {};  ///< the name of the number of the repeat, for the expressions of its steps
  std::vector<JobStep> steps = {};
  std::vector<std::pair<std::string, std::string>> swaps = {};
  Node place = {};
};

/// A function that the CPU runs.
struct HostFunction {
  JobStep call = {};                  ///< its name and arguments
  std::filesystem::path source = {};  ///< the file that defines it
};

/// The name of a case's seed, which arguments of functions for data can use.
inline constexpr const char* kSeed = "seed";

/// How a buffer is filled. `kind` says which of the members are used.
struct Data {
  enum class Kind { generic, index_below, row_offsets, between, steps, file, function } kind = Kind::generic;
  std::string word = {};  ///< a kind of generic data, or the path of a file
  bool always = false;    ///< for every kind of input
  Expression first = {}, second = {};
  HostFunction function = {};  ///< it fills the buffer
};

/// The elements of an output that are compared. `kind` says what the expressions are.
struct Compared {
  enum class Kind {
    all,
    where_written,  ///< those that the oracle writes
    range,          ///< from index `first` to below `second`
    rows            ///< `first` elements at the beginning of each `second`
  } kind = Kind::all;
  Expression first = {}, second = {};
};

/// A buffer. Each element of a vector type counts as several elements. `spelling` is the type in the source.
struct JobBuffer {
  std::string name;
  Role role = Role::in;
  ElementType element = ElementType::f32;
  int lanes = 1;
  std::string spelling = {};
  Expression count = {};    ///< number of elements of type `spelling`
  std::string symbol = {};  ///< the __constant__ variable that it is copied to
  Data data = {};
  Compared compared = {};
  Node place = {};

  bool is_input() const { return role == Role::in || role == Role::inout; }
  bool is_output() const { return role == Role::out || role == Role::inout; }
};

/// Where the right results come from.
struct Oracle {
  enum class Kind { default_configuration, steps, function, files } kind = Kind::default_configuration;
  std::vector<JobStep> steps = {};
  HostFunction function = {};
  std::map<std::string, std::filesystem::path> files;  ///< by buffer
};

/// The allowed errors of outputs.
struct JobBound {
  enum class Kind { equal, bits, depth, guessed } kind = Kind::equal;
  Expression depth = {};
  bool of_results = false;  ///< depth is in units of the result, not of its terms
  bool exact = true;        ///< results for small integers need no rounding
  double relative = 0, absolute = 0;
};

struct JobLaw {
  std::string name;
  std::string in, out;
  Node place = {};
};

/// The work of a problem, as far as it does not follow from the buffers.
struct JobWork {
  std::optional<Expression> read = {}, written = {}, operations = {}, steps = {}, amount = {};
  std::string unit = {};  ///< of the amount; empty where there is none
};

struct Job {
  std::string name;  ///< without the prefix
  std::string summary;
  std::filesystem::path file;                  ///< the job file
  std::filesystem::path source;                ///< the .cu
  std::vector<std::filesystem::path> include;  ///< folders with headers, besides that of the .cu file
  std::vector<Extent> extents;
  std::vector<Number> numbers;
  std::vector<Param> params;
  std::vector<Rule> constraints;
  std::map<std::string, Expression> defines;  ///< further macros for the source
  std::vector<JobBuffer> buffers;
  std::vector<JobStep> steps;
  std::vector<std::vector<std::int64_t>> shapes;        ///< for tuning
  std::vector<std::vector<std::int64_t>> check_shapes;  ///< small shapes for checks
  std::vector<Rule> takes;
  std::vector<std::string> inputs;
  Oracle oracle;
  JobBound bound;
  std::vector<JobLaw> laws;
  JobWork work;
  std::vector<ToleratedRule> lenient;
  std::string keeps_state = {};  ///< why a run may use what an earlier one left in variables; empty: it must not
  Node root;

  std::string pattern() const { return std::string(kPrefix) + name; }
};

/// The version of job files. It is raised if a member is removed or changes its meaning; older versions can still be
/// read then (docs/stability.md).
inline constexpr std::int64_t kJobVersion = 1;

/// Reads a job file. Throws JobError that says what is wrong, in which file and line, and what to do.
Job read_job(const std::filesystem::path& file);

/// The same for a text. Relative paths in it are relative to the folder of `file`.
Job parse_job(const std::string& text, const std::filesystem::path& file);

/// The element type, number of vector elements, and C++ name of a type in device code: "float4", "unsigned", "size_t",
/// "half2". Empty for an unknown type.
struct TypeWord {
  ElementType element = ElementType::f32;
  int lanes = 1;
  std::string spelling = {};
};
std::optional<TypeWord> type_word(std::string_view word);

}  // namespace warpwright::job
