// What the simulator makes of the instructions of inline PTX: calls of its models (kernels/runtime/cpu_model/ptx.cuh).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/module/ptx_statement.hpp"

namespace warpwright::simulator {

/// The names in the instructions of one statement, as C++.
class PtxNames {
 public:
  explicit PtxNames(const AsmStatement& statement) : statement_(statement) {}

  /// Declares a register of the statement; returns its name in C++.
  std::string declare(const std::string& name);
  /// The value of "%3", of a register of the statement, or of a number; empty if it is something else.
  std::string value(const std::string& argument) const;
  /// The same without numbers.
  std::string place(const std::string& argument) const;
  /// Those in "{%0, %1}" or "%0"; empty if one of them is something else.
  std::vector<std::string> values(const std::string& list) const;
  /// A pointer for "[%0]" or "[%0 + 16]"; empty if it is something else.
  std::string shared_pointer(const std::string& argument) const { return pointer(argument, true); }
  std::string generic_pointer(const std::string& argument) const { return pointer(argument, false); }

 private:
  std::string pointer(const std::string& argument, bool is_shared) const;

  const AsmStatement& statement_;
  std::map<std::string, std::string> declared_;
};

/// A statement of C++; empty if there is no model. Each of them knows some instructions.
using PtxModel = std::optional<std::string> (*)(const PtxInstruction&, const PtxNames&);
std::optional<std::string> model_of_product(const PtxInstruction& instruction, const PtxNames& names);
std::optional<std::string> model_of_warpgroup(const PtxInstruction& instruction, const PtxNames& names);
std::optional<std::string> model_of_matrix_rows(const PtxInstruction& instruction, const PtxNames& names);
std::optional<std::string> model_of_copy(const PtxInstruction& instruction, const PtxNames& names);
std::optional<std::string> model_of_barrier(const PtxInstruction& instruction, const PtxNames& names);
std::optional<std::string> model_of_plain(const PtxInstruction& instruction, const PtxNames& names);

}  // namespace warpwright::simulator
