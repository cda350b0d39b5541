#pragma once
/// A scene that uses every kind of key, and a folder that has the files it names.

#include "config/parser.hpp"
#include "core/error.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sunder::config::testing {

/// A folder with plate.msh, plate.geo and plate.stl, gone at the end.
class SceneFolder {
public:
  SceneFolder() : path_(std::filesystem::temp_directory_path() / ("sunder_config_" + std::to_string(::getpid())))
  {
    std::filesystem::create_directories(path_);
    for (const char* name : {"plate.msh", "plate.geo", "plate.stl"}) std::ofstream(path_ / name) << "\n";
  }
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;
  ~SceneFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string file(const std::string& name) const { return (path_ / name).string(); }

  Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) const
  {
    return parse_scene(text, file("scene.yaml"), overrides);
  }

  /// The message, without the folder; "" if the text is a good scene.
  std::string error(const std::string& text, const std::vector<std::string>& overrides = {}) const
  {
    try {
      parse(text, overrides);
    } catch (const Error& problem) {
      std::string message = problem.what();
      const std::string folder = path_.string() + "/";
      for (std::size_t at = 0; (at = message.find(folder)) != std::string::npos;) message.erase(at, folder.size());
      return message;
    }
    return "";
  }

private:
  std::filesystem::path path_;
};

inline std::string replaced(std::string text, const std::string& old_part, const std::string& new_part)
{
  const std::size_t at = text.find(old_part);
  if (at == std::string::npos) throw Error("the example has no '" + old_part + "'");
  return text.replace(at, old_part.size(), new_part);
}

/// The least a scene needs.
inline const std::string smallest = R"(bodies:
  - name: plate
    mesh: {file: plate.msh}
    material: glass
time: {end: 0.5}
)";

/// One of everything, nothing at its default but the scheme, the one that time.local_steps goes with.
inline const std::string full = R"(name: full
title: "one of everything: äöü"
materials:
  plaster:
    E: 1.0e9
    nu: 0.2
    density: 1100
    phi: 10
    psi: 20.5
    toughness: {force: 40}
    residual: 0.25
    k1: 0.01
    k2: 0.3
    source: a guess
  hard plaster: {base: plaster, E: 3e9, toughness: 80}
bodies:
  - name: plate
    mesh: {geometry: plate.geo, size: 0.1, grading: 0.4, scale: 0.5, refine: 2}
    material: plaster
    regions:
      - {set: core, material: hard plaster}
      - {set: skin, material: {base: glass, toughness: none}}
    position: [1, 2, 3]
    rotation: {axis: [1, 1, 0], angle: 0.7}
    velocity: [0.1, 0.2, 0.3]
    spin: [4, 5, 6]
    split_hinges: split
  - name: second
    mesh: {file: plate.msh}
    material: {lambda: 1e6, mu: 2e6, density: 3, law: neo_hookean}
obstacles:
  - name: ball
    sphere: {radius: 0.25}
    motion: free
    mass: 150
    position: [0, -0.36, 1.2]
    velocity: [0, 12, 0]
    stiffness: 1e9
    damping: 100
    friction: 0.3
    slip_speed: 0.002
  - name: floor
    half_space: {normal: [0, 1, 2]}
    motion: path
    path:
      - {time: 0, position: [0, 0, 0]}
      - {time: 0.1, position: [0, 0, 1]}
    friction: {static: 0.5, dynamic: 0.4}
  - name: hammer
    box: {size: [0.3, 0.2, 0.1]}
    rotation: {axis: [0, 3, 4], angle: 0.5}
    motion: free
    mass: 7
    spin: [1, 2, 3]
boundary:
  - name: grip
    where:
      body: plate
      set: left
      box: {min: [-1, -1, -1], max: [0.1, 1, 1]}
    axes: xz
    velocity:
      - {time: 0, velocity: [0, 0, 0]}
      - {time: 0.2, velocity: [1, 0, -1]}
  - name: ring
    where:
      sphere: {center: [1, 0, 0], radius: 2}
      cylinder: {point: [0, 0, 1], axis: [0, 3, 0], radius: 0.125}
    fixed: true
gravity: [0, 0, -9.81]
time:
  end: 0.5
  step: 1e-5
  safety: 0.7
  step_factor: 2
  scheme: symplectic
  viscosity_cap: 0.5
  mass_scaling_step: 1e-7
  inverted: stop
  local_steps: auto
  macro_step: 2e-5
fracture:
  enabled: false
  remesh: false
  snap_distance: 0.002
  snap_angle: 0.1
  snap_relative: 0.2
  least_height: 0.03
  back_crack_angle: 0.4
  residual: 0.5
  check_interval: 2.0e-5
  max_rounds: 7
  criterion: sources
  relief: false
output:
  directory: results/full
  history_interval: 0.01
  frame_interval: 0.02
  pieces: 3
  frames: false
  geometry: reference
checkpoint:
  interval: 0.03
  steps: 500
  wall_interval: 60
  keep: 3
  patience: 90
partition:
  method: hilbert
  seed: 42
  rebalance: 1.5
  rebalance_steps: 70
loads:
  - name: pull
    where: {set: top}
    traction:
      - {time: 0, traction: [0, 0, 0]}
      - {time: 0.25, traction: [1, 7e5, -3.5]}
  - {name: sea, where: {body: plate}, pressure: 1.5e5}
  - name: bang
    where: {body: plate}
    blast: {origin: [0, -5, 1], speed: 700, peak: 3e5, rise: 1e-5, decay: 0.004, shape: 1.5, start: 0.1,
            falloff: {distance: 4, power: 1.25}}
solver:
  method: explicit
  initial_equilibrium: true
  reproducible: false
  scheme: newmark
  spectral_radius: 0.6
  accuracy: 2.0e-3
  onset_tolerance: 0.02
  floating: inertia_relief
  newton: {tolerance: 1.0e-9, max_iterations: 31}
petsc: {pc_type: hypre, ksp_monitor: true}
)";

/// Ways to prescribe motion that `full` has no room for.
inline const std::string motions = smallest + R"(obstacles:
  - name: hammer
    sphere: {radius: 0.25}
    motion: path
    position: [3, 0, 0]
    path: {circle: {center: [1, 2, 3], axis: [0, 0, -2], rate: 30}}
boundary:
  - name: crank
    where: {set: left}
    velocity: [0, 0, 1]
    rotation: {axis: [0, 3, 4], center: [1, 0, 0], rate: 12}
  - name: screw
    where: {set: right}
    axes: yz
    displacement:
      - {time: 0.1, displacement: [0, 0, 0]}
      - {time: 0.2, displacement: [0, 0, 0.5]}
    rotation:
      angle: [{time: 0, angle: 0}, {time: 0.5, angle: 6}]
  - name: mill
    where: {set: top}
    rotation: {rate: [{time: 0, rate: 0}, {time: 1, rate: -5}]}
)";

/// Where bodies and conditions begin and end.
inline const std::string starting_states = R"(bodies:
  - name: plate
    mesh: {file: plate.msh}
    material: glass
    velocity_gradient: [[1, 2, 3], [4, 5, 6.5], [-7, 8, 9]]
    velocity_center: [0.5, 0, 1]
obstacles:
  - name: roller
    cylinder: {radius: 0.25, length: 2, axis: [0, 2, 0]}
    motion: path
    position: [3, 0, 0]
    spin: [0, 5, 0]
  - name: pill
    capsule: {radius: 0.125, length: 0.5}
  - name: punch
    mesh: {file: plate.stl, scale: 0.001}
    rotation: {axis: [0, 3, 4], angle: 0.5}
    motion: free
    mass: 2
boundary:
  - name: lip
    where: {set: slit, side: {point: [0, 1, 0], normal: [0, 0, -2]}}
    fixed: true
    until: 0.3
time: {end: 0.5}
)";

}  // namespace sunder::config::testing
