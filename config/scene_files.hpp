#pragma once
/// What the file system says to the one who parses a scene. Rank 0 asks, and hands its answers on to the others: ten
/// thousand of them would be a storm, and a mount that lags would tell them different things. Local.

#include <map>
#include <string>
#include <utility>

namespace sunder::config {

enum class Lookup { scene_only, scene_then_shipped };

class SceneFiles {
public:
  /// Asks the file system. folder: of the scene.
  explicit SceneFiles(std::string folder) : folder_(std::move(folder)) {}
  /// Knows what answers() of another told, the material library included, and asks nothing.
  static SceneFiles from_answers(const std::string& answers);

  struct Found {
    std::string file;    ///< Absolute path; empty if there is none.
    std::string looked;  ///< Where it was looked for, for a message.
  };
  /// The file a scene names, relative to its folder, or in geometry/ of the data directory.
  Found find(const std::string& name, Lookup lookup);

  /// All that find() has said so far, with the text of the material library if it was needed.
  std::string answers() const;

private:
  std::string folder_;
  std::map<std::string, std::string> found_;  // name -> file
  bool asks_ = true;
};

}  // namespace sunder::config
