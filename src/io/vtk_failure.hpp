#pragma once
/// How a failure of one of VTK's writers becomes one line of ours. For source files that use VTK anyway.

#include <string>

namespace sunder::io {

/// Local. While alive VTK prints nothing: a failing writer says a page on every rank. Nests.
class QuietVtk {
public:
  QuietVtk();
  QuietVtk(const QuietVtk&) = delete;
  QuietVtk& operator=(const QuietVtk&) = delete;
  ~QuietVtk();

private:
  int before_;
};

/// Local. What a writer's GetErrorCode() means, in words.
std::string vtk_reason(unsigned long error_code);

}  // namespace sunder::io
