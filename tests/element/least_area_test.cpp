#include "element/least_area.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace sunder::element {
namespace {

Vec3 random_direction(std::mt19937& random)
{
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

double sum_across(const std::vector<Vec3>& parts, const Vec3& n)
{
  double sum = 0;
  for (const Vec3& a : parts) sum += std::abs(n.dot(a));
  return sum;
}

/// The least of many normals: no less than the least of all.
double least_of_many(const std::vector<Vec3>& joined, const std::vector<Vec3>& unjoined, std::mt19937& random)
{
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20000; ++i) {
    const Vec3 n = random_direction(random);
    const double area = sum_across(joined, n);
    least = std::min(least, std::max(0.5 * area, area - sum_across(unjoined, n)));
  }
  return least;
}

double least_principal_value(const material::Symmetric<double>& form)
{
  return Eigen::SelfAdjointEigenSolver<Mat3>(material::matrix(form)).eigenvalues()[0] - 2e-6 * material::trace(form);
}

}  // namespace

TEST_CASE("the least area across a plane is a bound, and close", "[element][toughness]")
{
  std::mt19937 random(5);
  for (const double flatness : {1.0, 0.3, 0.05})
    for (int set = 0; set < 10; ++set) {
      std::vector<Vec3> joined, unjoined;
      for (int i = 0; i < 24; ++i) {
        joined.push_back(random_direction(random));
        joined.back()[1] *= flatness;
      }
      const double least = least_of_many(joined, {}, random), bound = least_area(joined, {});
      CHECK(bound <= least);
      CHECK(bound >= least_principal_value(form_of_area(joined)));
      if (flatness == 1) CHECK(bound >= 0.85 * least);

      for (int i = 0; i < 6; ++i) unjoined.push_back(0.5 * random_direction(random));
      const double least_joined = least_of_many(joined, unjoined, random), joined_bound = least_area(joined, unjoined);
      CHECK(joined_bound <= least_joined);
      CHECK(joined_bound >= 0.5 * bound);
      CHECK(joined_bound <= bound);
    }
}

TEST_CASE("the least area of vectors in a plane is none", "[element][toughness]")
{
  CHECK(least_area(std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {}) == 0);
  CHECK(least_area({}, {}) == 0);
}

}  // namespace sunder::element
