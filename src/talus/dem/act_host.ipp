// Contacts and sums on the host are compiled for each dimension and each way of keeping results in a file of its own,
// act_host_*.cpp: they take longest, and no core waits for another.
#pragma once
#include <talus/dem/step.ipp>
#include <talus/exec/host.hpp>

// `Where`: extern where they are called, nothing where they are compiled.
#define TALUS_ACT_HOST(Where, D, K) \
  Where template void act_then_gather<exec::Host, K != Keep::any, K>(const Model<D>&, State<D>&, Scratch<D>&);
