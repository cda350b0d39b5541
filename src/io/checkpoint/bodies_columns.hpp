#pragma once
/// The columns of a file of bodies, in one list for writing and reading. Local, all of it. Only bodies_file.cpp may
/// include this file.

#include "partition/migration/element_table.hpp"
#include "partition/migration/migration_records.hpp"

namespace sunder::io {

/// Columns that are there only if some node or element has another value than the usual.
struct Unusual {
  bool marks = false, cracks = false, plastic = false, levels = false, lattice = false, accelerations = false,
       links = false;
};

/// What a row has in a column: a reference, to const where the row is.
template <class Member>
auto member(Member of_row)
{
  return [of_row](auto& row) -> auto&
  {
    return row.*of_row;
  };
}

/// Calls visit(NAME, FIELD) for each column of nodes, where FIELD(row) is what a row has in it; so do the others.
template <class Visit>
void visit_nodes(const Unusual& unusual, Visit&& visit)
{
  using N = partition::NodeRecord;
  visit("nodes/id", member(&N::id));
  visit("nodes/owner", member(&N::owner));
  visit("nodes/X", member(&N::X));
  visit("nodes/p", member(&N::p));
  visit("nodes/v", member(&N::v));
  visit("nodes/size", member(&N::size));
  visit("nodes/marks", member(&N::marks));
  visit("nodes/fragment", member(&N::fragment));
  visit("nodes/parent_fragment", member(&N::parent_fragment));
  visit("nodes/failure_time", member(&N::failure_time));
  visit("nodes/dust_factor", member(&N::dust_factor));
  if (unusual.accelerations) visit("nodes/a", member(&N::a));
}

/// What an element has in a column: as it is where the table is const, else to be written to.
template <class T>
const T& value_in(const partition::SparseColumn<T>& column, const partition::Place& place)
{
  return column.at(place);
}
template <class T>
T& value_in(partition::SparseColumn<T>& column, partition::Place& place)
{
  return column.at_or_new(place);
}

/// part(value) of a value that few elements have.
template <class Column, class Part>
auto of_few(Column& column, partition::Place partition::ElementRecord::*place, Part part)
{
  return [&column, place, part ](auto& row) -> auto&
  {
    return part(value_in(column, row.*place));
  };
}

/// Table: of the elements that will be visited.
template <class Table, class Visit>
void visit_elements(Table& table, const Unusual& unusual, Visit&& visit)
{
  using E = partition::ElementRecord;
  using Key = mesh::CreationKey;
  using Faces = mesh::ElementFaces;
  using Bonds = mesh::LatticeMemory;
  const auto key = [&](auto part) { return of_few(table.creation_keys, &E::creation_key, member(part)); };
  const auto faces = [&](auto part) { return of_few(table.faces, &E::faces, part); };
  const auto bonds = [&](auto part) { return of_few(table.lattice, &E::lattice, member(part)); };
  visit("elements/id", member(&E::id));
  visit("elements/round", key(&Key::round));
  visit("elements/event", key(&Key::event));
  visit("elements/bisection", key(&Key::bisection));
  visit("elements/material", member(&E::material));
  if (unusual.marks) visit("elements/face_marks", faces(member(&Faces::marks)));
  if (unusual.cracks) {
    visit("elements/crack_births", faces([](auto& f) -> auto& { return f.cracks.birth; }));
    visit("elements/crack_faces", faces([](auto& f) -> auto& { return f.cracks.made; }));
  }
  if (unusual.plastic) {
    const auto whole = [](auto& strain) -> auto&
    {
      return strain;
    };
    visit("elements/plastic_strain", of_few(table.plastic_strains, &E::plastic_strain, whole));
  }
  if (unusual.levels) visit("elements/level", member(&E::level));
  if (unusual.lattice) {
    visit("elements/bond_strengths", bonds(&Bonds::strengths));
    visit("elements/bond_forces", bonds(&Bonds::forces));
    visit("elements/bond_impulses", bonds(&Bonds::impulses));
    visit("elements/received", bonds(&Bonds::received));
    visit("elements/bonded_faces", bonds(&Bonds::bonded));
    visit("elements/broken_faces", bonds(&Bonds::broken));
  }
}

template <class Visit>
void visit_pairs(Visit&& visit)
{
  using P = partition::PairRecord;
  visit("pairs/other", member(&P::other));
  visit("pairs/overlap", member(&P::overlap));
  visit("pairs/initial_overlap", member(&P::initial_overlap));
}

template <class Visit>
void visit_links(Visit&& visit)
{
  using L = partition::LinkRecord;
  visit("links/plus", member(&L::plus));
  visit("links/minus", member(&L::minus));
  visit("links/normal", member(&L::normal));
  visit("links/values", member(&L::values));
}

template <class Visit>
void visit_faces(Visit&& visit)
{
  using F = partition::MarkedFace<GlobalIndex>;
  visit("faces/corners", member(&F::nodes));
  visit("faces/marks", member(&F::marks));
}

}  // namespace sunder::io
