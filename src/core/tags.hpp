#pragma once
/// Every message tag of the program, each with one use on the communicator of the run.

namespace sunder::tags {

inline constexpr int halo = 70;             ///< Owners' nodes to ghosts.
inline constexpr int exchange = 71;         ///< exchange()
inline constexpr int sparse_exchange = 72;  ///< sparse_exchange()
inline constexpr int collision = 73;        ///< Motion of elements of other ranks that may touch.
inline constexpr int transfer = 74;         ///< partition::send(), long arrays from one rank to another.
inline constexpr int shift = 75;            ///< shift()
inline constexpr int in_rank_order = 76;    ///< partition::sum_in_order(), from each rank to the next.
inline constexpr int migration = 77;        ///< partition::migrate_exports()
inline constexpr int sort = 78;             ///< partition::sorted_over_ranks()
inline constexpr int local_steps = 79;      ///< Nodes of elements that take shorter steps of their own, to ghosts.
inline constexpr int collision_trial = 80;  ///< The same of those, to elements of other ranks that may touch.

}  // namespace sunder::tags
