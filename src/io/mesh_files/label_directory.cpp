#include "io/mesh_files/label_directory.hpp"

#include "core/hash.hpp"
#include "partition/across_ranks/tree.hpp"

#include <algorithm>
#include <map>

namespace sunder::io {
namespace {

using Entry = LabelDirectory::Entry;

}  // namespace

LabelDirectory::LabelDirectory(const Comm& comm, GlobalIndex first_row, std::span<const std::uint64_t> labels)
  : comm_(comm), all_rows_(comm.sum(static_cast<std::int64_t>(labels.size())))
{
  // Modulo 2^64: the label of row 0, if labels go on by one.
  std::vector<std::uint64_t> offsets;
  for (std::size_t k = 0; k < labels.size() && offsets.size() < 2; ++k)
    if (const auto offset = labels[k] - static_cast<std::uint64_t>(first_row) - k;
        std::find(offsets.begin(), offsets.end(), offset) == offsets.end())
      offsets.push_back(offset);
  offsets = partition::merged(comm, std::move(offsets), [](auto a, const auto& b) {
    for (const std::uint64_t offset : b)
      if (a.size() < 2 && std::find(a.begin(), a.end(), offset) == a.end()) a.push_back(offset);
    return a;
  });
  consecutive_ = offsets.size() == 1 && offsets[0] + static_cast<std::uint64_t>(all_rows_) >= offsets[0];
  if (consecutive_) {
    first_label_ = offsets[0];
    return;
  }
  const std::size_t batches = partition::batches_of(comm, labels.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    std::map<Rank, Bytes> to;
    const std::size_t end = std::min((batch + 1) * partition::rows_at_once, labels.size());
    for (std::size_t k = batch * partition::rows_at_once; k < end; ++k)
      put(to[home_rank(labels[k], comm.size())], Entry{labels[k], first_row + static_cast<GlobalIndex>(k)});
    for (const Message& message : sparse_exchange(comm, std::move(to))) {
      const auto entries = partition::values_of<Entry>(message.bytes);
      known_.insert(known_.end(), entries.begin(), entries.end());
    }
  }
  std::sort(known_.begin(), known_.end());
  const auto same = [](const Entry& a, const Entry& b) { return a.label == b.label; };
  const auto found = std::adjacent_find(known_.begin(), known_.end(), same);
  std::vector<std::uint64_t> twice;
  if (found != known_.end()) twice.push_back(found->label);
  twice = partition::merged(comm, std::move(twice), [](auto a, const auto& b) {
    a.insert(a.end(), b.begin(), b.end());
    if (!a.empty()) a = {*std::min_element(a.begin(), a.end())};
    return a;
  });
  if (!twice.empty()) twice_ = twice.front();
}

GlobalIndex LabelDirectory::row_here(std::uint64_t label) const
{
  const auto it = std::lower_bound(known_.begin(), known_.end(), Entry{label, 0});
  return it != known_.end() && it->label == label ? it->row : -1;
}

std::vector<GlobalIndex> LabelDirectory::rows(std::span<const std::uint64_t> labels) const
{
  std::vector<GlobalIndex> found;
  found.reserve(labels.size());
  if (consecutive_) {
    for (const std::uint64_t label : labels) {
      const std::uint64_t row = label - first_label_;
      found.push_back(row < static_cast<std::uint64_t>(all_rows_) ? static_cast<GlobalIndex>(row) : -1);
    }
    return found;
  }
  std::map<Rank, std::vector<std::uint64_t>> asked;
  for (const std::uint64_t label : labels) asked[home_rank(label, comm_.size())].push_back(label);
  std::vector<Message> questions, answers;
  for (const auto& [rank, wanted] : asked)
    questions.push_back({rank, partition::bytes_of(std::span<const std::uint64_t>(wanted))});
  for (const Message& question : sparse_exchange(comm_, questions)) {
    std::vector<GlobalIndex> rows;
    for (const auto label : partition::values_of<std::uint64_t>(question.bytes)) rows.push_back(row_here(label));
    answers.push_back({question.peer, partition::bytes_of(std::span<const GlobalIndex>(rows))});
  }
  std::map<Rank, std::vector<GlobalIndex>> told;
  for (const Message& answer : sparse_exchange(comm_, answers))
    told[answer.peer] = partition::values_of<GlobalIndex>(answer.bytes);
  std::map<Rank, std::size_t> next;
  for (const std::uint64_t label : labels) {
    const Rank home = home_rank(label, comm_.size());
    found.push_back(told[home][next[home]++]);
  }
  return found;
}

}  // namespace sunder::io
