#pragma once
/// Answers of the file system that the parser of a scene needs. Rank 0 asks the file system and sends the answers to
/// the other ranks. If ten thousand ranks asked, they would overload it, and a slow mount might give them different
/// answers. Local.

#include <map>
#include <string>
#include <utility>

namespace sunder::config {

enum class Lookup { scene_only, scene_then_shipped };
enum class NamedIn { scene, command_line };

class SceneFiles {
public:
  /// For rank 0: asks the file system. folder: of the scene.
  explicit SceneFiles(std::string folder) : folder_(std::move(folder)) {}
  /// For the other ranks: knows what answers() of rank 0 returned, the material library included, and asks nothing.
  static SceneFiles from_answers(const std::string& answers);

  struct Found {
    std::string file;    ///< Absolute path; empty if there is none.
    std::string looked;  ///< Where the file was looked for, for a message.
  };
  /// The file that a scene names, relative to the scene's folder or in geometry/ of the data directory. One that is
  /// named on the command line is looked for in the working directory first.
  Found find(const std::string& name, Lookup lookup, NamedIn named = NamedIn::scene);

  /// All results of find() so far, and the text of the material library if it was needed.
  std::string answers() const;

private:
  std::string folder_;
  std::map<std::string, std::string> found_;  // name -> file
  bool asks_ = true;
};

}  // namespace sunder::config
