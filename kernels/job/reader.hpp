// Takes a job's values out of its tree, and says at which line what is wrong.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/job/expression.hpp"
#include "kernels/job/node.hpp"

namespace warpwright::job {

/// Throws JobError at the object's first member that is none of these, naming those that there are.
void only(const Node& object, const std::string& what, const std::vector<std::string>& known);

/// The member of that name; throws JobError where there is none, saying what it is for.
const Node& needed(const Node& object, const std::string& name, const std::string& what);

const Node& as_object(const Node& node, const std::string& what);
const std::vector<Node>& as_list(const Node& node, const std::string& what);
const std::string& as_text(const Node& node, const std::string& what);
bool as_bool(const Node& node, const std::string& what);
double as_number(const Node& node, const std::string& what);
std::int64_t as_whole(const Node& node, const std::string& what);

/// A number, or the text of an expression.
Expression as_expression(const Node& node, const std::string& what, Division division = Division::rounds_down);

/// A list of whole numbers, as a list or as Python's text of one.
std::vector<std::int64_t> as_whole_list(const Node& node, const std::string& what);

}  // namespace warpwright::job
