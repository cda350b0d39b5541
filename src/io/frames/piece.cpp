#include "io/frames/piece.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <numeric>

namespace sunder::io {
namespace {

std::vector<Field> without_rows(const std::vector<Field>& fields)
{
  std::vector<Field> none;
  for (const Field& field : fields) none.push_back(field.empty_like());
  return none;
}

void append(std::vector<Field>& to, const std::vector<Field>& from, std::span<const std::size_t> rows)
{
  SUNDER_ASSERT(to.size() == from.size());
  for (std::size_t k = 0; k < to.size(); ++k) to[k].append(from[k], rows);
}

std::int64_t bytes_a_row(const std::vector<Field>& fields)
{
  std::size_t bytes = 0;
  for (const Field& field : fields) bytes += field.bytes_a_row();
  return static_cast<std::int64_t>(bytes);
}

bool has_ghosts(const Piece& piece)
{
  return std::find(piece.ghost.begin(), piece.ghost.end(), 1) != piece.ghost.end();
}

}  // namespace

Piece Piece::empty_like() const
{
  Piece none;
  none.node_fields = without_rows(node_fields), none.element_fields = without_rows(element_fields);
  return none;
}

std::int64_t file_bytes(const Piece& like, GlobalIndex nodes, GlobalIndex elements)
{
  constexpr std::int64_t id = 8, position = 24, corners = 32, offset_and_type = 9;  // of an id a file has the low word
  return nodes * (id + position + bytes_a_row(like.node_fields)) +
         elements * (id + corners + offset_and_type + bytes_a_row(like.element_fields));
}

Piece piece_of(const Frame& frame, std::span<const std::size_t> elements, bool ghosts)
{
  Piece piece;
  piece.node_fields = without_rows(frame.node_fields), piece.element_fields = without_rows(frame.element_fields);
  constexpr std::int64_t unused = -1, used = 0;
  std::vector<std::int64_t> row(frame.node_id.size(), unused);
  for (const std::size_t e : elements)
    for (std::size_t a = 0; a < num_corners(frame.corners[e]); ++a)
      row[static_cast<std::size_t>(frame.corners[e][a])] = used;
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (row[n] == unused) continue;
    row[n] = static_cast<std::int64_t>(nodes.size());
    nodes.push_back(n);
    piece.node_id.push_back(frame.node_id[n]), piece.position.push_back(frame.points[n]);
  }
  append(piece.node_fields, frame.node_fields, nodes);
  piece.element_id.reserve(elements.size()), piece.corners.reserve(elements.size());
  for (const std::size_t e : elements) {
    piece.element_id.push_back(frame.element_id[e]);
    auto& corners = piece.corners.emplace_back();
    corners.fill(no_corner);
    for (std::size_t a = 0; a < num_corners(frame.corners[e]); ++a)
      corners[a] = row[static_cast<std::size_t>(frame.corners[e][a])];
  }
  piece.ghost.assign(elements.size(), ghosts ? 1 : 0);
  append(piece.element_fields, frame.element_fields, elements);
  return piece;
}

Piece written_piece(const Frame& frame, Rank me)
{
  std::vector<std::size_t> written;
  for (std::size_t e = 0; e < frame.corners.size(); ++e)
    if (writer_of(frame, e) == me) written.push_back(e);
  return piece_of(frame, written, false);
}

PieceUnion::PieceUnion(Piece first) : piece_(std::move(first))
{
  for (std::size_t i = 0; i < piece_.node_id.size(); ++i)
    row_of_node_.emplace(piece_.node_id[i], static_cast<std::int64_t>(i));
  if (has_ghosts(piece_)) number_elements();
}

void PieceUnion::number_elements()
{
  for (std::size_t e = 0; e < piece_.element_id.size(); ++e) row_of_element_.emplace(piece_.element_id[e], e);
}

void PieceUnion::add(const Piece& piece)
{
  if (row_of_element_.empty() && has_ghosts(piece)) number_elements();
  std::vector<std::int64_t> row;
  std::vector<std::size_t> new_nodes, new_elements;
  for (std::size_t i = 0; i < piece.node_id.size(); ++i) {
    const auto [known, is_new] = row_of_node_.try_emplace(piece.node_id[i], piece_.num_nodes());
    row.push_back(known->second);
    if (!is_new) continue;
    new_nodes.push_back(i);
    piece_.node_id.push_back(piece.node_id[i]), piece_.position.push_back(piece.position[i]);
  }
  append(piece_.node_fields, piece.node_fields, new_nodes);
  const bool may_repeat = !row_of_element_.empty();
  for (std::size_t e = 0; e < piece.element_id.size(); ++e) {
    if (may_repeat) {
      const auto [known, is_new] = row_of_element_.try_emplace(piece.element_id[e], piece_.element_id.size());
      if (!is_new) {
        piece_.ghost[known->second] &= piece.ghost[e];
        continue;
      }
    }
    new_elements.push_back(e);
    piece_.element_id.push_back(piece.element_id[e]), piece_.ghost.push_back(piece.ghost[e]);
    auto& corners = piece_.corners.emplace_back(piece.corners[e]);
    for (std::size_t a = 0; a < num_corners(piece.corners[e]); ++a)
      corners[a] = row[static_cast<std::size_t>(corners[a])];
  }
  append(piece_.element_fields, piece.element_fields, new_elements);
}

}  // namespace sunder::io
