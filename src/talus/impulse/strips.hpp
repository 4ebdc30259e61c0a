#pragma once
// The patches of a step in groups that threads go through side by side. The sample is cut across its longer side into strips with as
// many patches each, and a body belongs to the strip where its first patch lies. A patch inside a strip touches bodies of that strip
// alone; a seam holds the patches between a strip and the next; patches that reach farther, and those of bodies with very
// many, are left over. Insides share no body, nor does every second seam. How many strips there are follows from the
// number of patches, not of threads: any number of threads gives the same bits.
#include <vector>

#include <talus/core/real.hpp>
#include <talus/exec/team.hpp>

namespace talus::impulse {

struct Strips {
  static constexpr std::size_t fewest = 800;  // patches worth a strip of their own
  static constexpr u32 many = 32;             // patches of a body; two such share at most 63 colours
  static constexpr u32 none = ~0u;            // of bodies that are not moved or have no patch

  u32 count = 0;                // a power of two
  std::vector<u32> of_body;     // strip
  std::vector<u32> start;       // first place in `order` of each group, one more at the end
  std::vector<u32> order;       // patch numbers, group by group, a group in the order in which they were given
  std::vector<u32> body_start;  // first place in `bodies` of each strip, one more at the end
  std::vector<u32> bodies;      // that are moved and have patches, strip by strip

  u32 groups() const { return 2 * count; }
  u32 inside(u32 strip) const { return strip; }
  u32 seam(u32 strip) const { return count + strip; }  // to the next strip
  u32 left_over() const { return 2 * count - 1; }

  // Patches and bodies of the plane or of space.
  template <class Patch, class Motion>
  void cut(const std::vector<Patch>& patches, const std::vector<Motion>& motions);

  // Calls kernel(group) for all groups, those that share bodies one after the other: insides, even seams, odd seams, what is left
  // over. A seam waits for its strips and for the seams beside it alone; all meet at the end. `number`: of the call, from 1 for
  // each problem.
  template <class Kernel>
  void each_group(const exec::Member& me, i64 number, const Kernel& kernel) {
    if (number == 1) {
      if (me.part == 0)
        for (exec::Milestone& group : done_) group.set(0);
      me.wait_for_all();
    }
    const auto first = u32(count * me.part / me.parts), last = u32(count * (me.part + 1) / me.parts);
    const auto call = [&](u32 group) {
      kernel(group);
      if (me.parts > 1) done_[group].set(number);
    };
    const auto await = [&](u32 group) {
      if (me.parts > 1) done_[group].await(number);
    };
    for (u32 s = first; s < last; ++s) call(inside(s));
    for (u32 odd = 0; odd < 2; ++odd)
      for (u32 s = first + (first + odd) % 2; s < last && s + 1 < count; s += 2) {
        await(inside(s + 1));
        if (odd == 1) {
          await(seam(s - 1));
          if (s + 2 < count) await(seam(s + 1));
        }
        call(seam(s));
      }
    me.wait_for_all();
    if (start[left_over()] < start[left_over() + 1]) {
      if (me.part == 0) kernel(left_over());
      me.wait_for_all();
    }
  }

 private:
  std::vector<exec::Milestone> done_;  // of each group: the last call that did it
  std::vector<u32> bin_, first_, degree_, group_, next_;
};

}  // namespace talus::impulse
