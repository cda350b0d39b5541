#pragma once
/// How a failure of one of VTK's readers or writers becomes one line of ours. For source files that use VTK anyway.

#include <memory>
#include <string>

class vtkAlgorithm;

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

/// Local. While alive, each piece that a writer is done with is a sign of life (core/activity.hpp).
class SignsOfLife {
public:
  explicit SignsOfLife(vtkAlgorithm& writer);
  SignsOfLife(const SignsOfLife&) = delete;
  SignsOfLife& operator=(const SignsOfLife&) = delete;
  ~SignsOfLife();

private:
  vtkAlgorithm& writer_;
  unsigned long observer_;
};

/// Local. While alive VTK prints nothing, and the first error that any class of it reports is kept. A reader's own
/// error code is not enough: parsers, decompressors and arrays complain for themselves. Does not nest.
class VtkErrors {
public:
  VtkErrors();
  VtkErrors(const VtkErrors&) = delete;
  VtkErrors& operator=(const VtkErrors&) = delete;
  ~VtkErrors();

  /// In VTK's words, without its source lines; empty: none.
  const std::string& first() const;

private:
  class OutputWindow;
  struct Redirection;
  std::unique_ptr<Redirection> redirection_;
};

/// Local. What a writer's GetErrorCode() means, in words.
std::string vtk_reason(unsigned long error_code);

}  // namespace sunder::io
