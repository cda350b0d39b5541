#pragma once
/// The area by which a node bears across a plane. docs/materials.md.

#include "element/model.hpp"

#include <vector>

namespace sunder::element {

/// A face around a node that was free before fracture, in the material.
struct OuterFace {
  Vec3 area;       ///< Outward [m^2]
  Vec3 to_centre;  ///< From the node to the centroid of the element [m]
};

/// Local. Those around an owned node.
std::vector<OuterFace> outer_faces_around(const Model& model, LocalIndex n);

/// Local. Gradient of the shape function of node n in element e, which is around it [1/m].
Vec3 gradient_at(const Model& model, LocalIndex e, LocalIndex n);

/// Local. A(n_hat) of toughness_across(), without (h/s)^2, for a normal in the material: sum vol/2 |n . g|, and links.
/// cohesive: surface takes energy, so it is the joined_area() [m^2]
double area_across(const Model& model, LocalIndex n, const Vec3& normal, bool cohesive);

/// Local. What is left of an area across a plane without the faces that were free before fracture, which join nothing:
/// vol g of an element is the sum of thirds of its faces around n. At least StrengthBound::least_joined of it [m^2]
double joined_area(const Model& model, LocalIndex n, const Vec3& normal, double area);

/// Local. Of the links of n that have not broken, as far as they lie in the plane [m^2].
double area_of_links(const Model& model, LocalIndex n, const Vec3& normal);

/// Local. vol/2 g of the elements around a node: A(n) = sum |n . part| [m^2]
std::vector<Vec3> parts_of_area(const Model& model, LocalIndex n);

}  // namespace sunder::element
