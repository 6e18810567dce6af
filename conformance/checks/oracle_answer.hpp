// The right outputs for an input: from the pattern's oracle, or from its reference, run in the simulator.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/cases/comparison.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/client/process.hpp"

namespace warpwright::conformance {

/// A reference that takes the place of an oracle is itself wrong, or a function that makes its inputs.
class OracleFault : public std::runtime_error {
 public:
  OracleFault(bool of_data, std::string of, std::string on, std::string why);

  bool is_of_data;  ///< a function that makes inputs is wrong
  std::string pattern, problem;
  std::string reason;  ///< "FILE:LINE:COLUMN: race: ...", if it has a location
};

/// The expected outputs of every configuration, for one problem with one input.
struct OracleAnswer {
  std::vector<Bytes> inputs;
  Expectation expected;
  std::string unknown = {};  ///< the reference's operation that the simulator does not model; empty: there is an answer
};

/// An oracle, or a function for data, that does not compile.
struct WrongOracle {
  const Pattern* pattern = nullptr;
  std::string why = {};  ///< with the compiler's output
};

/// Compiles the oracles that are functions on the CPU, and functions for data, side by side. Returns those that do not
/// compile.
std::vector<WrongOracle> wrong_oracles(const std::vector<const Pattern*>& patterns, worker::Compiler& compiler);

/// The contents of a problem's in and inout buffers, in order. `process` runs the functions that fill some of them.
/// Throws OracleFault if such a function fails.
std::vector<Bytes> input_bytes(const Pattern& pattern, const Problem& problem, const Input& input,
                               worker::Process& process, worker::Compiler& compiler);

/// `process` runs the reference, whose unwritten memory is filled with `poison`. Throws OracleFault if the reference
/// itself fails.
OracleAnswer oracle_answer(const Pattern& pattern, const Problem& problem, const Input& input, worker::Process& process,
                           worker::Compiler& compiler, std::uint8_t poison = kPoison);
OracleAnswer oracle_answer(const Pattern& pattern, const Problem& problem, std::vector<Bytes> inputs,
                           worker::Process& process, worker::Compiler& compiler, std::uint8_t poison = kPoison);

}  // namespace warpwright::conformance
