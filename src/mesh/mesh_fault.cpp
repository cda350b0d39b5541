#include "mesh/mesh_fault.hpp"

#include <algorithm>

namespace sunder::mesh {
namespace {

const char* what(Fault fault)
{
  switch (fault) {
    case Fault::not_finite:
      return "nodes whose coordinates are not finite numbers";
    case Fault::unused:
      return "left out nodes no element uses";
    case Fault::mid_node:
      return "read second-order elements by their corners, and left out nodes that are none";
    case Fault::overflowing:
      return "elements so large that their volume is not a finite number";
    case Fault::flat:
      return "elements without volume (have the mesher optimise the mesh)";
    case Fault::inverted:
      return "inverted elements, where the others are positive (swap two corners of each if it is not folded over its "
             "neighbours)";
    case Fault::crack:
      return "nodes at the place of another node of the same connected mesh, taken for the sides of a crack";
    case Fault::coincident:
      return "nodes at the place of another node of a part that shares no node with theirs (join the parts in the "
             "mesher, "
             "or make them bodies of their own)";
    case Fault::repeated:
      return "elements with the corners of another element";
    case Fault::crowded:
      return "elements at a face that more than two share";
    case Fault::hinged:
      return "nodes that only hinge components which share no face there (split_hinges: split separates them)";
    case Fault::split:
      return "split nodes that only hinged components";
  }
  return "";
}

}  // namespace

std::string text_of(Fault fault, std::span<const std::uint64_t> labels, std::uint64_t count)
{
  std::string text = std::string(what(fault)) + ":";
  if (fault == Fault::crack) text = std::to_string(count) + " " + text;
  const std::size_t named = std::min(labels.size(), named_at_most);
  for (std::size_t k = 0; k < named; ++k) text += " " + std::to_string(labels[k]);
  if (count > named) text += " and " + std::to_string(count - named) + " more";
  return text;
}

bool is_mended(Fault fault)
{
  return fault == Fault::unused || fault == Fault::mid_node || fault == Fault::crack || fault == Fault::split;
}

}  // namespace sunder::mesh
