#include "io/vtk_failure.hpp"

#include <fmt/format.h>
#include <vtkErrorCode.h>
#include <vtkObject.h>

#include <cstring>

namespace sunder::io {

QuietVtk::QuietVtk() : before_(vtkObject::GetGlobalWarningDisplay())
{
  vtkObject::GlobalWarningDisplayOff();
}

QuietVtk::~QuietVtk()
{
  vtkObject::SetGlobalWarningDisplay(before_);
}

std::string vtk_reason(unsigned long error_code)
{
  if (error_code == vtkErrorCode::OutOfDiskSpaceError) return "no space left, or the folder is gone";
  if (error_code == vtkErrorCode::CannotOpenFileError) return "the file cannot be opened";
  // Below VTK's own codes stand those of the operating system.
  if (error_code != 0 && error_code < vtkErrorCode::FirstVTKErrorCode)
    return std::strerror(static_cast<int>(error_code));
  return fmt::format("error {} of VTK", error_code);
}

}  // namespace sunder::io
