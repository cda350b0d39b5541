#include "io/frames/outer_surface.hpp"

#include "core/comm.hpp"
#include "core/hash.hpp"
#include "io/frames/distributed_block.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

namespace {

using namespace sunder;
using test::DistributedBlock;

}  // namespace

TEST_CASE("the outer surface of a block is its six sides, each face once, on any number of ranks",
          "[io][surface][parallel]")
{
  const Comm comm;
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const bool scattered = GENERATE(false, true);
  const DistributedBlock block(4, comm.rank(), [&](std::uint64_t node) {
    return static_cast<Rank>(scattered ? mix(node) % ranks : node * ranks / 125);
  });
  const io::Frame bodies = block.frame(0.25), surface = io::outer_surface(bodies, comm.rank());
  CHECK(surface.time == 0.25);

  Vec3 sum = Vec3::Zero();
  double area = 0;
  const auto& stress = std::get<std::vector<double>>(surface.element_fields[0].values);
  REQUIRE(stress.size() == 6 * surface.corners.size());
  for (std::size_t k = 0; k < surface.corners.size(); ++k) {
    const auto& [a, b, c, none] = surface.corners[k];
    REQUIRE(none == io::no_corner);
    REQUIRE(io::writer_of(surface, k) == comm.rank());
    const auto X = [&](LocalIndex n) { return block.rest()[static_cast<std::size_t>(n)]; };
    const Vec3 outward = (X(b) - X(a)).cross(X(c) - X(a)) / 2;
    REQUIRE((outward.cwiseAbs().maxCoeff() == Approx(outward.norm())));
    REQUIRE(outward.dot((X(a) + X(b) + X(c)) / 3 - Vec3::Constant(0.5)) > 0);
    sum += outward, area += outward.norm();
    REQUIRE(stress[6 * k] == DistributedBlock::stress(surface.element_id[k])[0]);
  }
  CHECK(comm.sum(static_cast<std::int64_t>(surface.corners.size())) == 6 * 4 * 4 * 2);
  CHECK(comm.sum(area) == Approx(6));
  CHECK(std::abs(comm.sum(sum.x())) + std::abs(comm.sum(sum.y())) + std::abs(comm.sum(sum.z())) < 1e-12);
}
