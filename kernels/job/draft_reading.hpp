// What a .cu file says about a kernel for which a job is drafted: its extents, params, arguments and launch.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/job/draft_textures.hpp"
#include "kernels/job/expression.hpp"
#include "kernels/job/host_words.hpp"
#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {

struct DraftExtent {
  std::string name;
  std::int64_t size = 0;  ///< from the host code; 0 if it does not say
};

/// A struct as numbers of one type: `count` of them; 0 if it is none, or has pointers.
struct DraftStruct {
  std::string type;
  std::size_t count = 0;
  bool is_uniform = true;  ///< all members have this type
};

/// A param that is offered.
struct DraftParam {
  std::string name;
  std::int64_t value = 0;      ///< in the code
  const char* reach = "";      ///< "template", "plan"; empty if the name says it
  std::string values = {};     ///< as in the job; empty for values near the one in the code
  std::string preferred = {};  ///< as in the job; empty for the value in the code
  bool is_open = false;        ///< no launch says a value
};

/// Reads the kernel's signature and its first launch in the host code. Numbers become extents and params. Results are
/// in the syntax of a job file.
class DraftReading {
 public:
  /// Both must outlive this object. The kernel must be one of the text's.
  DraftReading(const DeviceText& text, const GlobalFunction& kernel);

  const HostLaunch* launch() const { return launch_of(kernel_); }
  const std::vector<DraftExtent>& extents() const { return extents_; }
  std::vector<std::string> names_of_extents() const;
  /// Members of "params". A param of the launch has the values near the one in the code that are valid by themselves.
  std::vector<std::string> params() const;
  const std::vector<DraftParam>& all_params() const { return params_; }
  /// The pointers for which buffers are passed: parameters and members of structs.
  const std::vector<Parameter>& pointers() const { return pointers_; }
  DraftStruct parts_of(const std::string& type) const;
  /// Template parameters that are types, for which no launch says anything.
  const std::vector<std::string>& open_types() const { return open_types_; }
  /// The params whose values the launch has as literal numbers.
  const std::vector<DraftParam>& named_numbers() const { return named_numbers_; }
  /// Parameters that are row lengths in memory, if the host code does not say these.
  const std::vector<std::string>& pitches() const { return pitches_; }
  std::string row_length() const;
  /// The number of elements that the host code allocates for a buffer; empty if it does not say that in extents, or if
  /// it depends on params of the launch.
  std::string allocated(const std::string& buffer) const;
  /// Members of "arguments"; and "NAME (SPELLING)" for each argument that could not be read.
  const std::vector<std::string>& arguments() const { return arguments_; }
  const std::vector<std::string>& not_understood() const { return not_understood_; }
  /// By the names of their parameters.
  const std::map<std::string, DraftTexture>& textures() const { return textures_; }
  /// The launch's argument for each template parameter.
  const std::vector<std::string>& template_arguments() const { return template_; }
  /// Empty if there is no launch, or it could not be read.
  const std::vector<std::string>& grid() const { return grid_; }
  const std::vector<std::string>& block() const { return block_; }

  /// The variable of the loop around the launch; empty if it gets none. And the number of its rounds; empty if that is
  /// not understood.
  const std::string& loop_variable() const { return launched_.loop_variable; }
  std::string loop_rounds() const;
  /// The parameters that get variables of other loops: "m, stride".
  std::string changed_in_a_loop() const;

  /// The actual type: for a template parameter, the type that the launch passes.
  std::string meant(const std::string& type) const;
  bool is_named(const std::string& name) const;
  /// Whether it is a param with several values.
  bool is_tuned(const std::string& name) const;
  const HostWords& host() const { return host_; }
  /// The dynamic shared memory of a launch. Empty if it has none, or its size cannot be expressed in the job's names.
  std::string shared_of(const HostWords& host, const HostLaunch& launch) const;
  const std::string& shared() const { return shared_; }
  /// The first launch of a kernel; null if there is none.
  const HostLaunch* launch_of(const GlobalFunction& kernel) const;

 private:
  void read_template();
  void read_arguments();
  void read_textures();
  void read_launch();
  void name_sizes();
  void add_numbers_in(const std::string& spelt, std::set<std::string>& names, int depth = 0) const;
  std::string deduced_type(const std::string& name) const;
  void read_allocations();
  void keep_constants();
  void add_block_params();
  void add_macros();
  void name_numbers();
  void name_block();
  void drop_tuned_sizes();
  void add_param(DraftParam param);
  std::vector<std::int64_t> valid_values(const DraftParam& param) const;
  bool is_of_launch(const std::string& name) const;
  bool is_row_length(const std::string& name) const;
  std::string pitch(const Parameter& parameter, const std::string& given);
  void add_extent(const std::string& name, std::int64_t size);
  void name_extent(const Parameter& parameter, const std::string& given);
  std::vector<Parameter> members_of(const Parameter& parameter) const;
  std::string given_member(const std::string& variable, const std::string& member, std::size_t number) const;
  std::string scalar(const Parameter& parameter, const std::string& given);
  std::string structure(const Parameter& parameter, const std::vector<Parameter>& members, const std::string& given);
  std::string member(const Parameter& member, const std::string& given);
  std::string vector(const Parameter& parameter, const std::string& given);
  bool passes_memory() const;
  bool is_product_of_others(const std::string& given) const;
  std::string part_of_another(const std::string& given) const;
  std::string pointer(const Parameter& parameter, const std::string& given);
  bool is_whole_number(const Parameter& parameter) const;
  bool is_extent(const std::string& name) const;
  bool is_loop_variable(const std::string& name) const;
  Value threads(const std::set<std::string>& names, std::int64_t number) const;
  std::string given(std::size_t argument) const;

  const DeviceText& text_;
  const GlobalFunction& kernel_;
  HostLaunch launched_;
  HostWords host_{text_, launched_};
  std::map<std::string, std::string> types_;  ///< by template parameter
  std::map<std::string, DraftTexture> textures_;
  std::vector<std::string> template_;
  std::vector<DraftExtent> extents_;
  std::vector<DraftParam> params_;
  std::vector<DraftParam> named_numbers_;
  std::vector<Parameter> pointers_;
  std::vector<std::string> arguments_, not_understood_, open_types_, pitches_;
  std::vector<std::string> grid_, block_;
  std::string shared_;
  std::map<std::string, std::string> allocated_;  ///< elements by parameter
};

}  // namespace warpwright::job
