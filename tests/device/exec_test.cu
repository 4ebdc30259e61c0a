// The words of the device back end against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <talus/core/rng.hpp>
#include <talus/exec/cuda.cuh>
#include <talus/exec/host.hpp>

using namespace talus;
using exec::Cuda;

namespace {

struct Random {
  TALUS_HD Real operator()(std::size_t i) const { return Real((i * 2654435761u) % 1000003u) / 1000003; }
};
struct Total {
  u64 sum = 0;
  u64 most = 0;
  TALUS_HD void join(const Total& other) {
    sum += other.sum;
    most = max(most, other.most);
  }
};
struct Numbers {
  TALUS_HD Total operator()(std::size_t i) const { return {i, i}; }
};
struct Mark {
  Span<u32> to;
  TALUS_HD void operator()(std::size_t i) const { to[i] += 1; }
};

template <class T>
Column<T> on_device(const Column<T>& values) {
  Column<T> there = values;
  there.move_to(Cuda::memory());
  return there;
}
template <class T>
Column<T> on_host(const Column<T>& values) {
  Column<T> here;
  here.copy_from(values);
  return here;
}

constexpr std::size_t sizes[] = {0, 1, 31, 127, 128, 129, 5000, 1000003};

}  // namespace

TEST(Cuda, ForEachVisitsEveryIndexOnce) {
  for (const std::size_t n : sizes) {
    Column<u32> zeros;
    zeros.assign(n, 0);
    Column<u32> hits = on_device(zeros);
    Cuda::for_each(n, Mark{hits.span()});
    const Column<u32> back = on_host(hits);
    EXPECT_TRUE(std::all_of(back.begin(), back.end(), [](u32 h) { return h == 1; })) << n;
  }
}

TEST(Cuda, RaiseFindsTheLargestAndLeavesALargerOneAlone) {
  for (const std::size_t n : sizes) {
    Real most = 0;
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, Random{}(i));
    for (const Real before : {0.0, 2.0}) {
      Column<Real> value;
      value.assign(1, before);
      Column<Real> there = on_device(value);
      Cuda::raise(n, Random{}, there.data());
      EXPECT_EQ(on_host(there)[0], std::max(most, before)) << n;
    }
  }
}

TEST(Cuda, ReduceJoinsAll) {
  for (const std::size_t n : sizes) {
    const Total t = Cuda::reduce<Total>(n, Numbers{});
    EXPECT_EQ(t.sum, n == 0 ? 0 : u64(n) * (n - 1) / 2);
    EXPECT_EQ(t.most, n == 0 ? 0 : u64(n - 1));
  }
}

TEST(Cuda, SumsHaveTheBitsOfTheHost) {
  for (const std::size_t n : sizes) {
    Column<Real> sum(1, Cuda::memory()), parts(0, Cuda::memory());
    Cuda::sum_into(n, Random{}, sum.data(), parts);
    EXPECT_EQ(on_host(sum)[0], exec::Host::sum<Real>(n, Random{})) << n;
  }
}

TEST(Cuda, ScanGivesRunningTotalsAndTheirSum) {
  for (const std::size_t n : sizes) {
    Column<u32> counts(n);
    for (std::size_t i = 0; i < n; ++i) counts[i] = u32(i % 7);
    Column<u32> there = on_device(counts);
    const u32 total = Cuda::scan(there.span());
    const Column<u32> back = on_host(there);
    u32 sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(back[i], sum);
      sum += counts[i];
    }
    EXPECT_EQ(total, sum);
  }
}

TEST(Cuda, SortOrderIsStable) {
  for (const std::size_t n : sizes) {
    Column<u64> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = (i * 2654435761u) % 1009u << 40;
    Column<u64> there = on_device(keys);
    Column<u32> order(0, Cuda::memory());
    Cuda::sort_order(there.span(), order);
    const Column<u32> back = on_host(order);
    ASSERT_EQ(back.size(), n);
    for (std::size_t i = 1; i < n; ++i)
      ASSERT_TRUE(keys[back[i - 1]] < keys[back[i]] || (keys[back[i - 1]] == keys[back[i]] && back[i - 1] < back[i]));
  }
}

TEST(Cuda, AGateThatIsClosedStopsEveryKernel) {
  Column<u32> one;
  one.assign(1, 1);
  Column<u32> gate = on_device(one), hits = on_device(one);
  Cuda::gate = gate.data();
  Cuda::for_each(1, Mark{hits.span()});
  Cuda::gate = nullptr;
  EXPECT_EQ(on_host(hits)[0], 1u);
}

TEST(Cuda, AskingForMoreMemoryThanThereIsSaysHowMuchThereIs) {
  try {
    Column<Real> huge(std::size_t(1) << 46, Cuda::memory());
    FAIL() << "512 TiB were given";
  } catch (const exec::DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("MiB are free"), std::string::npos) << error.what();
  }
}
