// SPDX-License-Identifier: Apache-2.0
// What a word of a shell command may become: the TAB key of a terminal.
#pragma once
#include <string>
#include <vector>

namespace g80 {

/// `before` is the line up to the word. Names of signals are completed part by part, from any dot on: "sm0.pi" becomes
/// "sm0.pick.". `signals` are all of them, as waves show them.
std::vector<std::string> completions(const std::string& before, const std::string& word,
                                     const std::vector<std::string>& signals);

}  // namespace g80
