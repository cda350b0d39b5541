#pragma once
/// A piece of a frame: what one file of it holds, column by column, in the types of the file.

#include "core/comm.hpp"
#include "io/frames/frame.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace sunder::io {

struct Piece {
  std::vector<NodeId> node_id;
  std::vector<Vec3> position;      ///< (nodes) where a point is drawn [m]
  std::vector<Field> node_fields;  ///< (nodes)
  std::vector<ElementId> element_id;
  std::vector<std::array<std::int64_t, 4>>
      corners;                        ///< (elements) positions among the nodes of this piece, see num_corners()
  std::vector<std::uint8_t> ghost;    ///< (elements) 1: a copy, another piece has the element
  std::vector<Field> element_fields;  ///< (elements)

  GlobalIndex num_nodes() const noexcept { return static_cast<GlobalIndex>(node_id.size()); }        ///< Local.
  GlobalIndex num_elements() const noexcept { return static_cast<GlobalIndex>(element_id.size()); }  ///< Local.
  Piece empty_like() const;  ///< Local. With the same fields, without rows.
};

/// Local. Of a file with the fields of `like` and so many nodes and elements, before compression; its header not
/// counted.
std::int64_t file_bytes(const Piece& like, GlobalIndex nodes, GlobalIndex elements);

/// Local. Some elements of a frame, all of them ghosts or none, with their nodes.
/// @param elements  positions in the frame
Piece piece_of(const Frame& frame, std::span<const std::size_t> elements, bool ghosts);

/// Local. The elements that rank `me` writes, with their nodes.
Piece written_piece(const Frame& frame, Rank me);

/// Local. Pieces put together: a node or an element of several of them is there once. An element that is a ghost in
/// some and none in another is none.
class PieceUnion {
public:
  explicit PieceUnion(Piece first);
  void add(const Piece& piece);
  Piece take() && { return std::move(piece_); }

private:
  void number_elements();

  Piece piece_;
  std::unordered_map<NodeId, std::int64_t> row_of_node_;
  std::unordered_map<ElementId, std::size_t> row_of_element_;  // empty until a piece has ghosts: without, none repeats
};

}  // namespace sunder::io
