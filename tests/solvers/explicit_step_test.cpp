#include "solvers/explicit_step.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace sunder;
using solvers::ExplicitScheme;

namespace {

constexpr double omega = 3, phase = 0.7, mass = 2;  // [1/s], [rad], [kg]
const Vec3 amplitude(0.5, -1, 2);                   // [m]

Vec3 position(double t)
{
  return std::cos(omega * t + phase) * amplitude;
}

Vec3 velocity(double t)
{
  return -omega * std::sin(omega * t + phase) * amplitude;
}

/// A step of a mesh of one node.
void step_alone(ExplicitScheme scheme, double dt, const Vec3& gravity, double node_mass, const std::vector<Row4>& f,
                std::vector<Row4>& p, std::vector<Row4>& v)
{
  const std::array<std::uint8_t, 1> owned{1};
  const std::array<double, 1> masses{node_mass};
  solvers::explicit_step(scheme, dt, gravity, owned, masses, f, p, v);
}

/// A mass on a spring. Velocities of the symplectic scheme live half a step back.
struct Oscillator {
  ExplicitScheme scheme;
  double dt;
  std::vector<Row4> p{1}, v{1}, f{1};

  Oscillator(ExplicitScheme s, double step) : scheme(s), dt(step)
  {
    p[0].set_xyz(position(0)), v[0].set_xyz(velocity(-lag()));
  }
  double lag() const { return scheme == ExplicitScheme::symplectic ? dt / 2 : 0; }
  void step()
  {
    f[0].set_xyz(-mass * omega * omega * p[0].xyz());
    step_alone(scheme, dt, Vec3::Zero(), mass, f, p, v);
  }
  /// With the velocity where the position is, to second order.
  double energy() const
  {
    const Vec3 now = v[0].xyz() - lag() * omega * omega * p[0].xyz();
    return mass / 2 * (now.squaredNorm() + omega * omega * p[0].xyz().squaredNorm());
  }
};

struct Error {
  double position, velocity;
};

Error error_after(ExplicitScheme scheme, double dt, int steps)
{
  Oscillator o(scheme, dt);
  for (int k = 0; k < steps; ++k) o.step();
  return {(o.p[0].xyz() - position(steps * dt)).norm(), (o.v[0].xyz() - velocity(steps * dt - o.lag())).norm()};
}

/// How many times smaller the error is with half the step: at a given time, and after one step.
struct Ratio {
  Error at_time, of_step;
};

Ratio ratio(ExplicitScheme scheme)
{
  const auto over = [](const Error& a, const Error& b) {
    return Error{a.position / b.position, a.velocity / b.velocity};
  };
  return {over(error_after(scheme, 1e-3, 1000), error_after(scheme, 5e-4, 2000)),
          over(error_after(scheme, 1e-3, 1), error_after(scheme, 5e-4, 1))};
}

/// One node that starts at rest and falls for a second.
Vec3 fallen(ExplicitScheme scheme, double dt, double node_mass, const Vec3& force)
{
  std::vector<Row4> p(1), v(1), f(1);
  f[0].set_xyz(force);
  for (int k = 0; k < std::lround(1 / dt); ++k) step_alone(scheme, dt, Vec3(0, 0, -8), node_mass, f, p, v);
  return p[0].xyz();
}

}  // namespace

TEST_CASE("the error of each scheme falls with the step as its order says, velocities at their own times", "[solvers]")
{
  struct Order {
    ExplicitScheme scheme;
    Ratio ratio;
  };
  // Symplectic: second order. Euler: first. Taylor: a step is of third order in position but of second in velocity.
  const auto [scheme, expected] =
      GENERATE(Order{ExplicitScheme::symplectic, {{4, 4}, {8, 8}}}, Order{ExplicitScheme::euler, {{2, 2}, {4, 4}}},
               Order{ExplicitScheme::taylor, {{2, 2}, {8, 4}}});
  CAPTURE(static_cast<int>(scheme));
  const Ratio found = ratio(scheme);
  CHECK(found.at_time.position == Approx(expected.at_time.position).epsilon(0.01));
  CHECK(found.at_time.velocity == Approx(expected.at_time.velocity).epsilon(0.01));
  CHECK(found.of_step.position == Approx(expected.of_step.position).epsilon(0.01));
  CHECK(found.of_step.velocity == Approx(expected.of_step.velocity).epsilon(0.01));
}

TEST_CASE("an oscillator keeps its energy, or gains it as its scheme must", "[solvers]")
{
  // Over a whole period: of euler's step the determinant is 1 + (omega dt)^2, of taylor's half as far above one.
  const double end = 2 * M_PI / omega, dt = end / 20000;
  const auto gained = [&](ExplicitScheme scheme) {
    Oscillator o(scheme, dt);
    const double start = o.energy();
    for (int k = 0; k < std::lround(end / dt); ++k) o.step();
    return o.energy() / start;
  };
  const double rate = omega * omega * dt * end;
  CHECK(gained(ExplicitScheme::euler) - 1 == Approx(std::exp(rate) - 1).epsilon(1e-3));
  CHECK(gained(ExplicitScheme::taylor) - 1 == Approx(std::exp(rate / 2) - 1).epsilon(1e-3));

  // Up to steps near the stable limit of 2/omega the symplectic energy swings, but does not drift.
  for (const double share : {0.01, 0.1, 0.5}) {
    Oscillator o(ExplicitScheme::symplectic, share * 2 / omega);
    const auto most_in_a_while = [&o] {
      double most = 0;
      for (int k = 0; k < 10000; ++k) o.step(), most = std::max(most, o.energy());
      return most;
    };
    const double first = most_in_a_while();
    for (int k = 0; k < 5; ++k) CHECK(most_in_a_while() == Approx(first).epsilon(1e-3));
  }
  Oscillator beyond(ExplicitScheme::symplectic, 1.01 * 2 / omega);
  for (int k = 0; k < 1000; ++k) beyond.step();
  CHECK(beyond.energy() > 1e6);
}

TEST_CASE("a fall goes as far as its scheme takes it", "[solvers]")
{
  // At a constant a, for a second: a/2 exactly by taylor, half a step more or less of speed by the others.
  const double dt = 0.125;
  const Vec3 g(0, 0, -8);
  CHECK(fallen(ExplicitScheme::taylor, dt, mass, Vec3::Zero()) == g / 2);
  CHECK(fallen(ExplicitScheme::euler, dt, mass, Vec3::Zero()) == g / 2 * (1 - dt));
  CHECK(fallen(ExplicitScheme::symplectic, dt, mass, Vec3::Zero()) == g / 2 * (1 + dt));
  const Vec3 push(mass * 3, 0, mass * 2);
  CHECK(fallen(ExplicitScheme::taylor, dt, mass, push) == (g + push / mass) / 2);
  CHECK(fallen(ExplicitScheme::taylor, dt, 0, push) == g / 2);  // what holds no element is moved by gravity alone
}

TEST_CASE("ghosts stay, and the largest speed is told even if it is not a number", "[solvers]")
{
  for (const ExplicitScheme scheme : {ExplicitScheme::symplectic, ExplicitScheme::euler, ExplicitScheme::taylor}) {
    std::vector<Row4> p(4), v(4), f(4);
    for (std::size_t n = 0; n < 4; ++n) v[n].set_xyz(Vec3(1, static_cast<double>(n), 0));
    f[1].set_xyz(Vec3(0, 3, 0));
    v[2].set_xyz(Vec3(100, 0, 0));  // another rank's
    const std::vector<std::uint8_t> owned{1, 1, 0, 1};
    const std::vector<double> masses(4, 1.0);
    const auto step = [&] { return solvers::explicit_step(scheme, 1, Vec3::Zero(), owned, masses, f, p, v); };
    CHECK(step() == std::sqrt(17.0));
    CHECK(p[2].xyz() == Vec3::Zero());
    CHECK(v[2].xyz() == Vec3(100, 0, 0));
    CHECK(p[3].xyz() == Vec3(1, 3, 0));
    f[0].x = std::numeric_limits<double>::quiet_NaN();  // the first of them, with numbers after it
    CHECK(std::isnan(step()));
  }
}
