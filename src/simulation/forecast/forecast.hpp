#pragma once
/// What a scene will be, as make_forecast() counts it. Plain data. docs/meshes.md.

#include "core/types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sunder::simulation {

struct Range {
  double least = 0, most = 0;
};

struct BodyForecast {
  std::string name;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< Box around it in the world [m].
  double mass = 0;                               ///< Without mass scaling [kg].
  GlobalIndex nodes = 0, elements = 0;           ///< Refined.
  /// Share of its volume that one element reaches through, from surface to surface; 0 of what is refined.
  double one_element_thick = 0;
};

struct SelectionForecast {
  std::string path;                  ///< Of its key.
  bool of_load = false;              ///< Faces, else nodes, are what it is for.
  std::optional<GlobalIndex> nodes;  ///< Empty: too many rows of nodes to be asked.
  std::optional<GlobalIndex> faces;  ///< Of a load; likewise.
};

/// The largest stable step of the unbroken mesh.
struct LimitForecast {
  /// Equal, up to round-off, unless contact limits a body that is refined more than once: stiffness there follows a
  /// mesh size that is bounded only. [s]
  Range seconds;
  std::string kind;  ///< elastic, viscous or contact.
  std::string body;  ///< Whose element sets it.
};

struct Forecast {
  std::vector<BodyForecast> bodies;
  std::vector<SelectionForecast> selections;
  LimitForecast limit;
  GlobalIndex nodes = 0, elements = 0;  ///< Refined.
  GlobalIndex coarse_nodes = 0;         ///< Before `refine`.
  GlobalIndex surface_faces = 0;        ///< Of the outer surface, refined.
  std::vector<std::string> warnings;
};

}  // namespace sunder::simulation
