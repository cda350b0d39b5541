#pragma once
/// A completed scene: what a YAML file says, checked, with every default filled in.
/// Plain data; only config/ sees YAML. Each field's key, unit, range and documentation: config/schema*.cpp.

#include "contact/law/obstacle.hpp"
#include "core/types.hpp"
#include "fracture/options.hpp"
#include "lattice/options.hpp"
#include "material/material.hpp"
#include "solvers/explicit_step.hpp"
#include "solvers/newton.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sunder::config {

/// Where a body's tetrahedra come from: a mesh file, or a shipped or own geometry (CSG .geo, .stl) meshed at set-up.
struct MeshSource {
  std::string file;      ///< Resolved path of a mesh file; empty if geometry is given.
  std::string geometry;  ///< Resolved path of a geometry; empty if file is given.
  double size = 0;       ///< Edge length the mesher aims at [m]; needed with geometry.
  double grading = 0.3;  ///< How fast sizes may change, (0, 1].
  double scale = 1;      ///< Multiplies coordinates, > 0.
  int refine = 0;        ///< How often each element is divided into eight, once the mesh is distributed.
};

/// An element set of the mesh that is made of another material than the rest of its body.
struct Region {
  std::string key;  ///< Where the scene has it, for messages: file, line and path.
  std::string set;
  MaterialIndex material = 0;
};

/// Several bodies of one kind, at the points of a grid. Read only: a completed scene has each body.
struct Copies {
  Vec3 count = Vec3::Ones();    ///< Along x, y and z: whole numbers.
  Vec3 spacing = Vec3::Zero();  ///< [m]
  bool turned = false;          ///< Each by a rotation of its own, drawn from the seed.
  std::int64_t seed = 1;
};

struct Body {
  std::string name;
  MeshSource mesh;
  MaterialIndex material = 0;  ///< Position in Scene::materials.
  std::vector<Region> regions;
  Vec3 position = Vec3::Zero();  ///< Added after rotation and scale. [m]
  Vec3 rotation_axis = Vec3::UnitZ();
  double rotation_angle = 0;              ///< [rad]
  Vec3 velocity = Vec3::Zero();           ///< [m/s]
  Vec3 spin = Vec3::Zero();               ///< Angular velocity about the body's centre of mass. [rad/s]
  Mat3 velocity_gradient = Mat3::Zero();  ///< Adds gradient (x - velocity_center) to the velocity at x. [1/s]
  Vec3 velocity_center = Vec3::Zero();    ///< A point in the world. [m]
  std::string split_hinges = "error";     ///< error | split: nodes around which components share no face.
  Copies copies;
};

/// Nodes by name or by place. Places are in the world at the start.
struct Selection {
  std::string body;  ///< Empty: all bodies.
  std::string set;   ///< Name of a node or face set of the mesh; empty: not by set.
  struct Box {
    Vec3 min = Vec3::Zero(), max = Vec3::Zero();
  };
  std::optional<Box> box;
  struct Ball {
    Vec3 center = Vec3::Zero();
    double radius = 0;
  };
  std::optional<Ball> sphere;
  struct Cylinder {  ///< Infinitely long.
    Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();
    double radius = 0;
  };
  std::optional<Cylinder> cylinder;
  struct Side {
    Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();
  };
  std::optional<Side> side;  ///< Nodes all of whose elements have their centroids on this side of the plane.
  std::string key;           ///< Where the scene has it, for messages: file, line and path.
};

/// The value of a function of time at one time. Lists of these ascend; the function is constant outside. Between two
/// points it is linear or, where the later one is smooth, goes as 10 s^3 - 15 s^4 + 6 s^5: without jumps of velocity or
/// acceleration.
struct VectorPoint {
  double time = 0;  ///< [s]
  Vec3 value = Vec3::Zero();
  bool smooth = false;
};
struct NumberPoint {
  double time = 0;  ///< [s]
  double value = 0;
  bool smooth = false;
};

/// A rigid rotation, by rate or by angle.
struct Rotation {
  Vec3 axis = Vec3::UnitZ();       ///< Right-handed, unit.
  Vec3 center = Vec3::Zero();      ///< A point of the axis at the start; a translation moves it too. [m]
  std::vector<NumberPoint> rate;   ///< [rad/s]
  std::vector<NumberPoint> angle;  ///< Since the start; the first is 0. [rad]
};

/// Prescribed motion of selected nodes, by component: a translation, a rotation of their positions at the start, or
/// both. Fixed nodes have the velocity zero.
struct BoundaryCondition {
  std::string name;
  Selection where;
  std::array<bool, 3> axes{true, true, true};  ///< Which components are prescribed.
  std::vector<VectorPoint> velocity;           ///< [m/s]
  std::vector<VectorPoint> displacement;       ///< Instead of velocity; the first is 0. [m]
  std::optional<Rotation> rotation;
  double until = std::numeric_limits<double>::infinity();  ///< The time from which the nodes are free. [s]
};

/// A spherical pressure front that travels outward.
struct Blast {
  Vec3 origin = Vec3::Zero();  ///< [m]
  double speed = 0;            ///< Of the front, > 0. [m/s]
  double peak = 0;             ///< Greatest pressure, > 0. [Pa]
  double rise = 0;             ///< From zero to the peak, linear. [s]
  double decay = 0;            ///< From the peak to zero, where the negative phase begins; > 0. [s]
  double shape = 1;            ///< b of Friedlander's curve.
  double start = 0;            ///< When the front leaves the origin. [s]
  struct Falloff {
    double distance = 0;  ///< Up to where the peak holds, > 0. [m]
    double power = 1;     ///< Beyond, the peak falls as (distance/r)^power.
  };
  std::optional<Falloff> falloff;
};

/// A force on some of the surface that bodies have at the start: either a traction, a pressure or a blast.
struct Load {
  std::string name;
  Selection where;                    ///< A face is selected if its three nodes are.
  std::vector<VectorPoint> traction;  ///< Force per area of the undeformed surface, of fixed direction. [Pa]
  std::vector<NumberPoint> pressure;  ///< On the surface as it is now, inward. [Pa]
  std::optional<Blast> blast;
};

struct TimeOptions {
  double end = 0;       ///< [s], > 0
  double step = 0;      ///< [s]; 0: automatic from the stable limit.
  double safety = 0.8;  ///< Share of the stable limit taken when automatic, (0, 1].
  /// Multiplies the automatic step, to show what too large a step does to cracks.
  double step_factor = 1;
  solvers::ExplicitScheme scheme = solvers::ExplicitScheme::symplectic;
  /// An element's damping ratio at its own highest frequency never exceeds this; 0: no cap (the sources).
  double viscosity_cap = 1;
  double mass_scaling_step = 0;   ///< [s]: elements with a smaller limit get mass until they reach it; 0: off.
  std::string inverted = "warn";  ///< warn | stop: what an element turned inside out does.
  std::string local_steps =
      "off";              ///< off | auto: do elements with a small stable step take shorter steps of their own?
  double macro_step = 0;  ///< [s] The others' step, if local steps are on; 0: the unbroken mesh's.
};

/// A place whose history is written: either a place of the material or a node.
struct Probe {
  std::string name;
  std::optional<Vec3> at;            ///< In the world at the start [m].
  std::optional<std::int64_t> node;  ///< GlobalNodeId.
  std::vector<std::string> fields{"Displacement", "Velocity", "Stress"};
  std::string key;  ///< Where the scene gives the place, for messages: file, line and path.
};

/// A plane through the material; the force through it is written.
struct Section {
  std::string name;
  Vec3 point = Vec3::Zero();                                ///< In the world at the start [m].
  Vec3 normal = Vec3::UnitZ();                              ///< Unit.
  double radius = std::numeric_limits<double>::infinity();  ///< Of the part of the plane that is meant [m].
  std::string key;                                          ///< As of a probe.
};

/// A crack front whose J-integral and stress intensities are written: a straight line in the direction growth x normal.
struct CrackFront {
  std::string name;
  Vec3 point = Vec3::Zero();    ///< On the front, in the world at the start [m].
  Vec3 growth = Vec3::UnitX();  ///< Unit: in the plane of the crack, from the crack into the material.
  Vec3 normal = Vec3::UnitZ();  ///< Unit: of the plane of the crack.
  double radius = 0;            ///< Of the largest tube that is integrated over [m].
  bool plane_stress = false;    ///< For the intensities; false: plane strain.
  std::string key;              ///< As of a probe.
};

/// How crack faces of the outer surface are subdivided.
struct SurfaceDetail {
  std::int64_t levels = 0;  ///< How often edges are halved; 0: not at all.
  double roughness = 0.15;  ///< How far the middle of an edge is displaced at most, over the edge's length.
  std::int64_t seed = 1;
};

struct OutputOptions {
  std::string directory;        ///< Relative to the working directory; default out/NAME.
  double history_interval = 0;  ///< [s]; 0: a hundredth of the run.
  double frame_interval = 0;    ///< [s]; 0: a thirtieth of the run.
  std::int64_t pieces = 0;      ///< Files a frame goes to; 0: automatic.
  bool frames = true;
  bool cracks = true;                ///< A series of the crack surfaces beside the frames.
  bool surface = false;              ///< A series of the outer surface beside the frames.
  SurfaceDetail surface_detail;      ///< Of that series.
  std::string geometry = "current";  ///< current | reference
  std::string compression = "lz4";   ///< lz4 | zlib | none
  /// Of frames, by name, beside what every frame has (simulation/diagnostics/frame_fields.hpp).
  std::vector<std::string> fields{"Velocity",           "Damage",       "FailureTime", "Stress", "VonMisesStress",
                                  "MaxPrincipalStress", "PlasticStrain"};
  std::vector<Probe> probes;
  std::vector<Section> sections;
  std::vector<CrackFront> crack_fronts;
  std::int64_t largest_cracks = 8;  ///< That have a line in cracks.csv.
};

/// When checkpoints are written.
struct CheckpointOptions {
  double interval = 0;         ///< Simulated time between two [s]; 0: not by it.
  std::int64_t steps = 0;      ///< Steps between two; 0: not by them.
  double wall_interval = 600;  ///< Wall time between two, or less as a run begins [s]; 0: not by it.
  std::int64_t keep = 2;       ///< How many of the last to keep.
  double patience = 1800;      ///< Wall time without a step after which the run is ended [s]; 0: never.
};

struct PartitionOptions {
  std::string file;              ///< Mesh of `sunder partition`; empty: the bodies are meshed and decomposed at set-up.
  std::string method = "metis";  ///< metis | ptscotch | hilbert
  std::int64_t seed = 1;
  double rebalance = 1.05;             ///< Imbalance of work above which the run repartitions; 0: never.
  std::int64_t rebalance_steps = 100;  ///< Steps between checks of the imbalance.
};

/// Contact of elements with elements.
struct CollisionOptions {
  bool enabled = true;
  contact::ContactCriterion criterion = contact::ContactCriterion::overlap;  ///< For obstacles too.
  contact::Response response{.damping = -1};  ///< stiffness 0 and damping < 0: chosen for each pair.
  std::string resolve = "error";  ///< error | push | initial_overlap: what bodies that overlap at the start do.
};

/// What advances the bodies.
enum class Method { explicit_dynamics, static_equilibrium, implicit_dynamics, adaptive_dynamics, lattice, hybrid };
/// How implicit dynamics integrates in time.
enum class ImplicitMethod { backward_euler, newmark, generalised_alpha };
/// Do linear solves have the same bits on any number of ranks? automatic: where fracture is enabled.
enum class Reproducible { automatic, yes, no };

/// What a static solver does with a fragment that nothing holds.
enum class Floating { error, inertia_relief, contact };

/// What the loads of a static solver follow. crack: after each event they go back to where no node fails. arc_length: a
/// path of equilibria, along which they may fall. dissipation: a path along which links take energy for good.
enum class LoadControl { time, crack, arc_length, dissipation };

struct SolverOptions {
  Method method = Method::explicit_dynamics;
  Reproducible reproducible = Reproducible::automatic;
  /// Static, implicit and adaptive solvers find the failure of nodes so closely: v+ is at most so much above tau, as a
  /// share.
  double onset_tolerance = 0.01;
  ImplicitMethod scheme = ImplicitMethod::generalised_alpha;
  double spectral_radius = 0.8;  ///< Of generalised_alpha.
  double accuracy = 1e-4;  ///< Of an implicit step: what it leaves out of a displacement, as a share of mesh size.
  /// Adaptive: implicit steps that are shorter than so many explicit ones are not worth their cost.
  double switch_ratio = 50;
  LoadControl load_control = LoadControl::time;
  double dissipation = 0;  ///< Of a step with that load control, at most [J]; 0: chosen from what links can take.
  bool initial_equilibrium = false;  ///< Dynamics: the bodies are in equilibrium at the start.
  Floating floating = Floating::error;
  solvers::NewtonOptions newton;
};

/// Of solver hybrid: rigid bodies, and statics where one is hit. docs/hybrid.md.
struct HybridOptions {
  double restitution = 0.2;     ///< e of all contacts.
  double resting_speed = 0.1;   ///< Contacts that approach slower are not thrown back [m/s].
  double r_coll = 1;            ///< What is farther from the contact is anchored, over the body's radius.
  double r_frac = 1.5;          ///< How far a fracture plane reaches from where it begins, likewise.
  double contact_time = 0;      ///< That an impact lasts [s]; 0: for waves to cross the body and return.
  double threshold = -1;        ///< Force below which an impact is not analysed [N]; below 0: chosen for each material.
  std::int64_t max_planes = 8;  ///< Fracture planes an impact makes in a body, at most.
  bool cut_elements = true;     ///< Before a body is parted along a plane, elements are cut by it.
  double least_cut_edge = 0.5;  ///< Edges shorter than this are not cut, over the mesh size.
  std::int64_t collective_from = 20000;  ///< Bodies of so many elements are analysed by all ranks together.
  double pause = 0.02;                   ///< For so long after a body has come apart its pieces stay whole [s].
  double absorb = 0.01;                  ///< Displacement that a plastic body keeps, over the mesh size.
  double sleep_speed = 0.01;             ///< What is slower for sleep_time comes to rest [m/s]; 0: nothing does.
  double sleep_time = 0.25;              ///< [s]
  std::int64_t max_sweeps = 60;          ///< rigid::ImpulseOptions
  std::string r_coll_key = "hybrid.r_coll, the default";  ///< Where the scene says it, for messages: file, line, path.
};

struct Scene {
  std::string name;  ///< Of the run's files; by default the scene file's without .yaml.
  std::string title;
  std::vector<material::Material> materials;  ///< Those in use, in order of first use.
  std::vector<Body> bodies;
  std::vector<material::Interface> interfaces;  ///< a, b: positions in materials.
  std::vector<contact::Obstacle> obstacles;
  CollisionOptions collisions;
  std::vector<BoundaryCondition> boundary;
  std::vector<Load> loads;
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  TimeOptions time;
  SolverOptions solver;
  lattice::Options lattice;                  ///< Of solver lattice.
  HybridOptions hybrid;                      ///< Of solver hybrid.
  std::map<std::string, std::string> petsc;  ///< Options by name, without the leading minus; a flag is empty.
  fracture::FractureOptions fracture;
  OutputOptions output;
  CheckpointOptions checkpoint;
  PartitionOptions partition;
  /// Where the scene file, or a --set, has each key that is given, by path: "wall.yaml:14:16". For messages.
  std::map<std::string, std::string> places;
};

/// Local. How a message about a key begins: "FILE:LINE:COLUMN: PATH", or PATH alone if the scene does not give it.
std::string message_key(const Scene& scene, const std::string& path);

}  // namespace sunder::config
