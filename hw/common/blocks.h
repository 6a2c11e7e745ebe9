// SPDX-License-Identifier: Apache-2.0
// Makes the blocks of a wiring module and keeps them. A block is its SystemC class, or a class derived from it that the
// testbench puts in its place: an RTL twin. The machine does not know Verilated code.
//
//     Blocks blocks_;  // declared before the blocks
//     Fetch& fetch = blocks_.make<Fetch>("fetch", config, launch);
#pragma once
#include <map>
#include <memory>
#include <typeindex>
#include <vector>

#include "hw/common/clocked.h"

namespace g80 {

/// An argument of a block's constructor, on its way to the constructor of a twin, which has the same parameters.
class BlockArgument {
 public:
  template <class T>
  explicit BlockArgument(T& argument) : type_(&typeid(T)), at_(const_cast<std::remove_const_t<T>*>(&argument)) {}
  template <class T>
  operator T&() const {
    CHECK(*type_ == typeid(T), "a twin takes a {} where its block takes a {}", typeid(T).name(), type_->name());
    return *static_cast<T*>(at_);
  }

 private:
  const std::type_info* type_;
  void* at_;
};

using BlockArguments = std::vector<BlockArgument>;
using TwinMaker = std::unique_ptr<ClockedBase> (*)(const char* name, const BlockArguments& arguments);
/// Which blocks are twins: by the block's class, what makes its twin.
using TwinTable = std::map<std::type_index, TwinMaker>;

class Blocks {
 public:
  explicit Blocks(const TwinTable& twins) : twins_(twins) {}
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks() {
    while (!made_.empty()) made_.pop_back();
  }

  template <class Block, class... Args>
  Block& make(const char* name, Args&&... args) {
    if (const auto twin = twins_.find(typeid(Block)); twin != twins_.end()) {
      made_.push_back(twin->second(name, {BlockArgument(args)...}));
    } else {
      made_.push_back(std::make_unique<Block>(name, std::forward<Args>(args)...));
    }
    return static_cast<Block&>(*made_.back());
  }

 private:
  const TwinTable twins_;
  std::vector<std::unique_ptr<ClockedBase>> made_;
};

}  // namespace g80
