#pragma once
/// What a scene will take: steps, wall time, memory, output. docs/meshes.md has the figures. Local, pure.

#include "config/scene.hpp"
#include "simulation/forecast/forecast.hpp"

namespace sunder::simulation {

/// The frames of a run, as large as a rank may have to hold them [bytes].
struct FrameFiles {
  double frame = 0;         ///< A whole frame.
  double largest_file = 0;  ///< Smaller frames go to one file, by one rank.
};

/// Ranges of a run in which cracks cut elements: before, nobody knows when and how thin. The greater end is at most
/// four times the smaller. The constants were measured on shipped scenes, and stand in docs/meshes.md.
struct CostForecast {
  double step = 0;            ///< Nominal, at first; the shortest it may be [s].
  double unbroken_steps = 0;  ///< To the end of the scene, if nothing is cut.
  bool may_break = false;
  Range steps;          ///< Once something is cut; else as many as unbroken.
  Range unbroken_wall;  ///< [s]
  Range wall;           ///< [s]
  Range rank_bytes;     ///< Memory of the fullest rank, if little cracks.
  double frames = 0;
  bool more_frames = false;  ///< Steps may be shorter than planned, and each has a frame.
  FrameFiles files;          ///< If little cracks.
  /// Of one frame with all series that the scene asks for, before compression: of the unbroken bodies, and of bodies
  /// that are broken all over.
  Range frame_bytes;
};

/// On so many ranks, each as fast as one alone.
CostForecast cost_forecast(const config::Scene& scene, const Forecast& forecast, Rank ranks);

/// Memory of the fullest of so many ranks.
Range rank_bytes(GlobalIndex elements, Rank ranks, const FrameFiles& files = {});

/// The least number of ranks that surely have room, if each has so many bytes and numbers at most 2^31 elements;
/// nothing if no number has.
std::optional<Rank> ranks_with_room(GlobalIndex elements, double bytes_a_rank, const FrameFiles& files = {});

}  // namespace sunder::simulation
