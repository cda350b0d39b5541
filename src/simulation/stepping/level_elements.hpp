#pragma once
/// The elements that are stepped so often, laid out for the kernel.

#include "element/element_blocks.hpp"
#include "element/model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Elements of one level of local time steps, in the order of slots: so are sums of forces. They are kept in pages of
/// compact blocks, so that a change costs the pages that it touches. Local, all of it.
class LevelElements {
public:
  struct Page {
    std::vector<LocalIndex> elements;            // ascending
    element::ElementBlocks blocks;               // of these
    std::vector<element::PlasticBlock> strains;  // of blocks, as the step found them
    std::int64_t counted = 0;
  };

  /// Both ascending. First some leave, then others come; what has changed does both.
  void update(const element::Model& model, std::span<const LocalIndex> leave, std::span<const LocalIndex> come);

  std::span<Page> pages() noexcept { return pages_; }
  std::span<const Page> pages() const noexcept { return pages_; }
  std::int64_t size() const noexcept { return size_; }
  std::int64_t counted() const noexcept { return counted_; }  ///< Those that this rank counts.

private:
  std::size_t page_of(LocalIndex e) const;
  void renew(const element::Model& model, std::size_t k, std::vector<LocalIndex> elements);

  std::vector<Page> pages_;  // none is empty
  std::int64_t size_ = 0, counted_ = 0;
};

}  // namespace sunder::simulation
