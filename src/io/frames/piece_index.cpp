#include "io/frames/piece_index.hpp"

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"

#include <fmt/format.h>
#include <vtkIndent.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLUtilities.h>

#include <algorithm>
#include <sstream>

namespace sunder::io {
namespace {

/// All text in the file is white space between elements; it would be written once more beside new white space.
void drop_text(vtkXMLDataElement& element)
{
  element.SetCharacterData(nullptr, 0);
  for (int k = 0; k < element.GetNumberOfNestedElements(); ++k) drop_text(*element.GetNestedElement(k));
}

/// As VTK writes them in the piece itself.
void describe(vtkXMLDataElement& element, const Field& field)
{
  for (int k = 0; const char* name : field.component_names())
    element.SetAttribute(fmt::format("ComponentName{}", k++).c_str(), name);
  if (field.unit.empty()) return;
  vtkNew<vtkXMLDataElement> key;
  key->SetName("InformationKey");
  key->SetAttribute("name", "UNITS_LABEL"), key->SetAttribute("location", "vtkDataArray");
  key->SetCharacterData(field.unit.c_str(), static_cast<int>(field.unit.size()));
  element.AddNestedElement(key);
}

void describe_all(vtkXMLDataElement* elements, const std::vector<Field>& fields)
{
  for (int k = 0; elements && k < elements->GetNumberOfNestedElements(); ++k) {
    vtkXMLDataElement& element = *elements->GetNestedElement(k);
    const char* name = element.GetAttribute("Name");
    const auto field = std::ranges::find_if(fields, [name](const Field& f) { return name && f.name == name; });
    if (field != fields.end()) describe(element, *field);
  }
}

}  // namespace

void describe_arrays(const std::filesystem::path& index, const Piece& piece)
{
  const auto file = vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(index.c_str()));
  vtkXMLDataElement* const grid = file ? file->FindNestedElementWithName("PUnstructuredGrid") : nullptr;
  if (!grid)
    throw Error(fmt::format("{}: expected the PUnstructuredGrid that was written to it, found none", index.string()),
                ExitStatus::simulation_failed);
  drop_text(*file);
  describe_all(grid->FindNestedElementWithName("PPointData"), piece.node_fields);
  describe_all(grid->FindNestedElementWithName("PCellData"), piece.element_fields);
  std::ostringstream text;
  text << "<?xml version=\"1.0\"?>\n";
  file->PrintXML(text, vtkIndent());
  write_atomically(index, text.str());
}

}  // namespace sunder::io
