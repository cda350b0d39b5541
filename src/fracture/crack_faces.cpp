#include "fracture/crack_faces.hpp"

#include "partition/halo/face_exchange.hpp"

namespace sunder::fracture {
void share_crack_faces(mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> elements)
{
  partition::FaceExchange<double> births(mesh, halo);
  for (const LocalIndex e : elements) {
    if (!mesh.alive(e)) continue;
    const mesh::CrackFaces cracks = mesh.faces(e).cracks;
    for (std::size_t face = 0; face < 4; ++face)
      if (cracks.contain(face)) births.add(e, face, cracks.birth[face]);
  }
  births.finish([&mesh](LocalIndex e, std::size_t face, double birth) {
    mesh::ElementFaces faces = mesh.faces(e);
    faces.cracks.add(face, birth);
    mesh.set_faces(e, faces);
  });
}

}  // namespace sunder::fracture
