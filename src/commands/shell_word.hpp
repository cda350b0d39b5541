#pragma once
/// Command lines that a message tells, to be copied into a shell.

#include <string>

namespace sunder::commands {

/// As a word of a shell's command line, whatever is in it.
std::string shell_word(const std::string& text);

}  // namespace sunder::commands
