#include "io/mesh_files/gmsh_layout.hpp"

namespace sunder::io {
namespace {

void lay_out_nodes_2(GmshSource& in, GmshLayout& layout)
{
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of nodes"), 28, "nodes");
  in.skip_line_end();
  in.count(static_cast<std::int64_t>(n), 28, "nodes");
  layout.nodes.push_back({in.position(), 28, in.position() + 4, 28, static_cast<GlobalIndex>(n)});
  in.skip(n, 28);
}

void lay_out_nodes_4(GmshSource& in, GmshLayout& layout)
{
  const auto blocks = in.binary_number<std::int64_t>();
  in.count(in.binary_number<std::int64_t>(), 32, "nodes");
  in.binary_number<std::int64_t>(), in.binary_number<std::int64_t>();  // the smallest and the greatest tag
  for (std::size_t b = 0, blocks_here = in.count(blocks, 8, "blocks"); b < blocks_here; ++b) {
    in.binary_number<std::int32_t>(), in.binary_number<std::int32_t>();  // dimension and entity
    if (in.binary_number<std::int32_t>() != 0) in.fail("nodes without parametric coordinates", "some with");
    const std::size_t n = in.count(in.binary_number<std::int64_t>(), 32, "nodes");
    if (n > 0) layout.nodes.push_back({in.position(), 8, in.position() + 8 * n, 24, static_cast<GlobalIndex>(n)});
    in.skip(n, 32);
  }
}

/// Goes on with the last run where this one is more of the same.
void add_run(GmshLayout& layout, const GmshElementRun& run)
{
  if (!layout.elements.empty()) {
    GmshElementRun& last = layout.elements.back();
    const auto groups = static_cast<std::uint64_t>(last.count / last.per_group);
    if (last.corners == run.corners && last.tags == run.tags && last.groups == run.groups && last.pitch == run.pitch &&
        last.stride == run.stride && last.count % last.per_group == 0 && last.at + groups * last.pitch == run.at) {
      last.count += run.count;
      return;
    }
  }
  layout.elements.push_back(run);
}

void lay_out_elements_2(GmshSource& in, GmshLayout& layout)
{
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of elements"), 8, "elements");
  in.skip_line_end();
  for (std::size_t k = 0; k < n;) {
    const std::uint64_t header = in.position();
    const int type = in.binary_number<std::int32_t>();
    const std::size_t run = in.count(in.binary_number<std::int32_t>(), 8, "elements");
    const std::size_t tags = in.count(in.binary_number<std::int32_t>(), 2, "tags");
    if (run == 0 || run > n - k) in.fail(fmt::format("a run of 1 to {} elements", n - k), fmt::format("{}", run));
    const auto [corners, nodes] = shape_of_type(in, type);
    layout.second_order = layout.second_order || nodes > corners;
    const std::size_t stride = 4 * (1 + tags + static_cast<std::size_t>(nodes));
    in.count(static_cast<std::int64_t>(run), stride, "elements");
    const std::uint64_t at = in.position();
    in.skip(run, stride);
    add_run(layout, {at, in.position() - header, stride, static_cast<GlobalIndex>(run), static_cast<GlobalIndex>(run),
                     corners, static_cast<std::int32_t>(tags), 0});
    k += run;
  }
}

void lay_out_elements_4(GmshSource& in, const GmshHeader& header, GmshLayout& layout,
                        std::map<std::vector<int>, std::int32_t>& known)
{
  const auto blocks = in.binary_number<std::int64_t>();
  in.count(in.binary_number<std::int64_t>(), 4, "elements");
  in.binary_number<std::int64_t>(), in.binary_number<std::int64_t>();  // the smallest and the greatest tag
  for (std::size_t b = 0, blocks_here = in.count(blocks, 8, "blocks"); b < blocks_here; ++b) {
    const int dimension = in.binary_number<std::int32_t>(), entity = in.binary_number<std::int32_t>();
    const auto [corners, nodes] = shape_of_type(in, in.binary_number<std::int32_t>());
    layout.second_order = layout.second_order || nodes > corners;
    std::int32_t groups = 0;
    if (const auto found = header.entity_groups.find({dimension, entity}); found != header.entity_groups.end()) {
      groups = known.emplace(found->second, static_cast<std::int32_t>(layout.group_lists.size())).first->second;
      if (groups == static_cast<std::int32_t>(layout.group_lists.size())) layout.group_lists.push_back(found->second);
    }
    const std::uint64_t stride = 8 * (1 + static_cast<std::uint64_t>(nodes));
    const std::size_t n = in.count(in.binary_number<std::int64_t>(), stride, "elements");
    if (n > 0)
      layout.elements.push_back({in.position(), n * stride, stride, static_cast<GlobalIndex>(n),
                                 static_cast<GlobalIndex>(n), corners, 0, groups});
    in.skip(n, stride);
  }
}

}  // namespace

GlobalIndex GmshLayout::num_nodes() const
{
  GlobalIndex all = 0;
  for (const auto& run : nodes) all += run.count;
  return all;
}

GlobalIndex GmshLayout::num_elements() const
{
  GlobalIndex all = 0;
  for (const auto& run : elements) all += run.count;
  return all;
}

GmshLayout gmsh_layout(const std::string& path)
{
  GmshSource in(path);
  GmshLayout layout;
  std::map<std::vector<int>, std::int32_t> known{{{}, 0}};
  const auto nodes = [&](const GmshHeader& header) {
    header.version > 4 ? lay_out_nodes_4(in, layout) : lay_out_nodes_2(in, layout);
  };
  const auto elements = [&](const GmshHeader& header) {
    header.version > 4 ? lay_out_elements_4(in, header, layout, known) : lay_out_elements_2(in, layout);
  };
  GmshHeader header = read_gmsh_sections(in, nodes, elements);
  constexpr std::size_t most_runs = 1 << 24;
  if (layout.elements.size() > most_runs)
    in.fail(fmt::format("at most {} changes between shapes and numbers of tags of elements", most_runs),
            fmt::format("{}", layout.elements.size()));
  layout.four = header.version > 4, layout.swapped = in.swap_bytes;
  layout.names = std::move(header.names);
  return layout;
}

Bytes packed(const GmshLayout& layout)
{
  Bytes out;
  put(out, layout.four), put(out, layout.swapped), put(out, layout.second_order), put(out, layout.nodes),
      put(out, layout.elements);
  put(out, layout.group_lists.size());
  for (const auto& list : layout.group_lists) put(out, list);
  put(out, layout.names.size());
  for (const auto& [group, name] : layout.names) put(out, group), put(out, std::vector<char>(name.begin(), name.end()));
  return out;
}

GmshLayout unpacked_layout(const Bytes& bytes)
{
  ByteReader in(bytes);
  GmshLayout layout;
  layout.four = in.get<bool>(), layout.swapped = in.get<bool>();
  layout.second_order = in.get<bool>();
  layout.nodes = in.get_vector<GmshNodeRun>(), layout.elements = in.get_vector<GmshElementRun>();
  layout.group_lists.resize(in.get<std::size_t>());
  for (auto& list : layout.group_lists) list = in.get_vector<int>();
  for (auto n = in.get<std::size_t>(); n > 0; --n) {
    const auto group = in.get<GmshGroup>();
    const auto name = in.get_vector<char>();
    layout.names[group] = {name.begin(), name.end()};
  }
  return layout;
}

}  // namespace sunder::io
