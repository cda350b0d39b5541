#pragma once
/// What output shows of one element and of one node: in frames and of probes. Local, all of it.

#include "element/model.hpp"
#include "fracture/failing_nodes.hpp"

#include <array>
#include <span>
#include <vector>

namespace sunder::simulation {

using Tensor = std::array<double, 6>;  ///< XX YY ZZ XY YZ XZ
Tensor tensor_of(const Mat3& symmetric);

/// An element in its current motion.
struct ElementView {
  const element::Model& model;
  LocalIndex e;
  Mat3 F, sigma;  ///< sigma = 2 S [Pa]
  Mat3 cauchy;    ///< [Pa]
};
ElementView view_of(const element::Model& model, LocalIndex e);

/// A field of elements; docs/output.md says what each is.
struct ElementField {
  const char* name;
  const char* unit;
  int components;
  void (*append)(const ElementView&, std::vector<double>&);
};
std::span<const ElementField> element_fields();

/// v+ / tau of a node owned, without residuals: it fails above 1.
double damage_of(const element::Model& model, fracture::SplitForces& forces, LocalIndex n,
                 element::SeparationCriterion criterion);

}  // namespace sunder::simulation
