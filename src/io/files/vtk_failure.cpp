#include "io/files/vtk_failure.hpp"

#include "core/activity.hpp"

#include <fmt/format.h>
#include <vtkAlgorithm.h>
#include <vtkCallbackCommand.h>
#include <vtkErrorCode.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkObject.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

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

SignsOfLife::SignsOfLife(vtkAlgorithm& writer) : writer_(writer)
{
  vtkNew<vtkCallbackCommand> listener;
  listener->SetCallback([](vtkObject*, unsigned long, void*, void*) { LongWork::advanced(); });
  observer_ = writer.AddObserver(vtkCommand::ProgressEvent, listener);
}

SignsOfLife::~SignsOfLife()
{
  writer_.RemoveObserver(observer_);
}

/// Listens where VTK would print.
class VtkErrors::OutputWindow : public vtkOutputWindow {
public:
  static OutputWindow* New();
  vtkTypeMacro(OutputWindow, vtkOutputWindow)

      void DisplayText(const char*) override
  {
  }
  void DisplayErrorText(const char* text) override
  {
    if (first.empty() && text) first = message_of(text);
  }
  std::string first;

private:
  /// "ERROR: In file, line 7\nvtkSomething (0x55): what is wrong\n\n" without what only VTK's developers need.
  static std::string message_of(std::string text)
  {
    if (const std::size_t end = text.find('\n'); text.starts_with("ERROR: In ") && end != std::string::npos)
      text.erase(0, end + 1);
    if (const std::size_t end = text.find("): "); text.starts_with("vtk") && end != std::string::npos)
      text.erase(0, end + 3);
    std::string line;
    for (const char c : text)
      if (static_cast<unsigned char>(c) >= ' ')
        line += c;
      else if (!line.empty() && line.back() != ' ')
        line += ' ';
    while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
    return line.empty() ? "an error without a text" : line.substr(0, 300);
  }
};

vtkStandardNewMacro(VtkErrors::OutputWindow);

struct VtkErrors::Redirection {
  vtkSmartPointer<OutputWindow> window = vtkSmartPointer<OutputWindow>::New();
  vtkSmartPointer<vtkOutputWindow> before = vtkOutputWindow::GetInstance();
  vtkLogger::Verbosity verbosity = vtkLogger::GetCurrentVerbosityCutoff();
};

VtkErrors::VtkErrors() : redirection_(std::make_unique<Redirection>())
{
  vtkOutputWindow::SetInstance(redirection_->window);
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);  // VTK's own log prints beside the window
}

VtkErrors::~VtkErrors()
{
  vtkOutputWindow::SetInstance(redirection_->before);
  vtkLogger::SetStderrVerbosity(redirection_->verbosity);
}

const std::string& VtkErrors::first() const
{
  return redirection_->window->first;
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
