// Reads values from a job's tree, with messages that name the line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/job/expression.hpp"
#include "kernels/job/node.hpp"

namespace warpwright::job {

/// Throws JobError at the object's first member whose name is not in `known`. The message lists the known names.
void only(const Node& object, const std::string& what, const std::vector<std::string>& known);

/// The member of that name. If there is none, throws JobError, which says what the member is for.
const Node& needed(const Node& object, const std::string& name, const std::string& what);

const Node& as_object(const Node& node, const std::string& what);
const std::vector<Node>& as_list(const Node& node, const std::string& what);
const std::string& as_text(const Node& node, const std::string& what);
bool as_bool(const Node& node, const std::string& what);
double as_number(const Node& node, const std::string& what);
std::int64_t as_whole(const Node& node, const std::string& what);

/// A number, or a string with an expression.
Expression as_expression(const Node& node, const std::string& what, Division division = Division::rounds_down);

/// A list of integers, as a JSON list or as a string in Python's syntax.
std::vector<std::int64_t> as_whole_list(const Node& node, const std::string& what);

}  // namespace warpwright::job
