#include "material/material.hpp"
#include "material/toughness.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sunder;
using namespace sunder::material;

TEST_CASE("strength of cubes follows Weibull's law", "[material][weibull]")
{
  const Weibull w{.modulus = 4, .volume = 8e-3, .seed = 3};  // cubes of 0.2 m
  std::vector<double> strengths;
  for (std::uint64_t i = 0; i < 20000; ++i)
    strengths.push_back(weibull_factor(w, 1000 * test::random_vector(1, i), 1e-5));
  std::sort(strengths.begin(), strengths.end());
  for (const double share : {0.05, 0.25, 0.5, 0.75, 0.95}) {
    const double quantile = strengths[static_cast<std::size_t>(share * 20000)];
    CHECK(quantile == Approx(std::pow(-std::log(1 - share), 1 / w.modulus)).epsilon(0.02));
  }
}

TEST_CASE("one cube has one strength, and a node that stands for several is weaker", "[material][weibull]")
{
  const Weibull w{.modulus = 4, .volume = 8e-3, .seed = 3};
  const Vec3 X(0.41, -0.19, 0.3);  // the cube from (0.4, -0.2, 0.2)
  CHECK(weibull_factor(w, X, 1e-6) == weibull_factor(w, Vec3(0.59, -0.01, 0.21), 5e-3));
  CHECK(weibull_factor(w, X, 1e-6) != weibull_factor(w, Vec3(0.59, 0.01, 0.21), 1e-6));
  CHECK(weibull_factor(w, X, 16 * 8e-3) == Approx(weibull_factor(w, X, 1e-6) / 2));  // 16^(1/4)
  Weibull other = w;
  other.seed = 4;
  CHECK(weibull_factor(w, X, 1e-6) != weibull_factor(other, X, 1e-6));
}

TEST_CASE("waves along a surface are as fast as for glass and PMMA", "[material]")
{
  const auto speed = [](double E, double nu, double density) {
    material::Material m;
    m.lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), m.mu = E / (2 * (1 + nu)), m.density = density;
    return material::rayleigh_speed(m);
  };
  CHECK(speed(72e9, 0.22, 2440) == Approx(3180).epsilon(1e-3));
  CHECK(speed(3.09e9, 0.35, 1180) == Approx(921).epsilon(1e-3));
  CHECK(speed(32e9, 0.2, 2450) == Approx(2125).epsilon(1e-2));
  // nu = 1/4: x = 2 - 2/sqrt(3).
  CHECK(speed(2.5, 0.25, 1) == Approx(std::sqrt(2 - 2 / std::sqrt(3.0))).epsilon(1e-12));
}
