#include "partition/across_ranks/connected_components.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>

namespace sunder::partition {
namespace {

/// What a rank knows of the component with the label `key`.
struct Question {
  NodeId key;    // label of the component
  NodeId least;  // smallest vertex seen in it
  NodeId head;   // component that it joins; its own label: none
  bool open;     // it has a neighbour

  void combine(const Question& other)
  {
    least = std::min(least, other.least);
    if (head == key || (other.head != key && other.head < head)) head = other.head;
    open |= other.open;
  }
};

struct Answer {
  NodeId label, least;
  bool open;
};

struct Vertex {
  NodeId name, label, least;
  bool open = true;
};

struct Edge {
  std::size_t a, b;  // positions among the vertices
};

bool tossed_head(NodeId label, int iteration)
{
  return (combine(label.low, static_cast<std::uint64_t>(iteration)) & 1) != 0;
}

/// What one rank knows of the graph.
class LocalGraph {
public:
  LocalGraph(std::span<const NodeId> names, std::span<const std::pair<NodeId, NodeId>> edges)
  {
    std::vector<NodeId> all(names.begin(), names.end());
    for (const auto& [a, b] : edges) all.insert(all.end(), {a, b});
    sort_unique(all);
    for (const NodeId name : all) vertices_.push_back({name, name, name});
    for (const auto& [a, b] : edges)
      if (a != b) edges_.push_back({at(a), at(b)});
  }

  bool has_edges() const { return !edges_.empty(); }
  NodeId least(NodeId name) const { return vertices_[at(name)].least; }

  /// One question about each component that may not be complete.
  std::vector<Question> questions(int iteration) const
  {
    std::map<NodeId, Question> by_label;
    for (const Vertex& v : vertices_) {
      if (!v.open) continue;
      const Question seen{v.label, v.least, v.label, false};
      const auto [known, is_new] = by_label.try_emplace(v.label, seen);
      if (!is_new) known->second.combine(seen);
    }
    for (const Edge& edge : edges_) {
      const NodeId a = vertices_[edge.a].label, b = vertices_[edge.b].label;
      const bool a_is_head = tossed_head(a, iteration), b_is_head = tossed_head(b, iteration);
      by_label.at(a).combine({a, vertices_[edge.a].least, b_is_head && !a_is_head ? b : a, true});
      by_label.at(b).combine({b, vertices_[edge.b].least, a_is_head && !b_is_head ? a : b, true});
    }
    std::vector<Question> all;
    for (const auto& [label, question] : by_label) all.push_back(question);
    return all;
  }

  /// Relabels the components that have joined others.
  void contract(const std::map<NodeId, Answer>& answers)
  {
    for (Vertex& v : vertices_) {
      if (!v.open) continue;
      const Answer& answer = answers.at(v.label);
      v.label = answer.label, v.least = answer.least, v.open = answer.open;
    }
    std::erase_if(edges_, [this](const Edge& e) { return vertices_[e.a].label == vertices_[e.b].label; });
    // Of several edges between the same two components one is kept.
    const auto ends = [this](const Edge& e) { return std::minmax(vertices_[e.a].label, vertices_[e.b].label); };
    std::sort(edges_.begin(), edges_.end(), [&](const Edge& x, const Edge& y) { return ends(x) < ends(y); });
    edges_.erase(
        std::unique(edges_.begin(), edges_.end(), [&](const Edge& x, const Edge& y) { return ends(x) == ends(y); }),
        edges_.end());
  }

private:
  std::size_t at(NodeId name) const
  {
    const auto it = std::lower_bound(vertices_.begin(), vertices_.end(), name,
                                     [](const Vertex& v, NodeId wanted) { return v.name < wanted; });
    return static_cast<std::size_t>(it - vertices_.begin());
  }

  std::vector<Vertex> vertices_;  // names ascending
  std::vector<Edge> edges_;       // between components that are still apart
};

}  // namespace

Components connected_components(const Comm& comm, std::span<const NodeId> vertices,
                                std::span<const std::pair<NodeId, NodeId>> edges)
{
  LocalGraph graph(vertices, edges);
  const auto home = [&comm](NodeId label) { return home_rank(label.low, comm.size()); };
  Components result;
  for (bool apart = true; apart;) {
    const CombiningExchange<Question, Answer> exchange(comm, graph.questions(result.iterations), home,
                                                       graph.has_edges());
    std::vector<Answer> answers;
    for (const Question& q : exchange.at_home()) {
      answers.push_back({q.head, q.least, q.open});
      result.counted += !q.open;  // complete: no question about it any more
    }
    graph.contract(exchange.answer(answers));
    apart = exchange.any_flag();
    ++result.iterations;
  }
  for (const NodeId name : vertices) result.least.push_back(graph.least(name));
  return result;
}

}  // namespace sunder::partition
