#!/usr/bin/env python3
"""The counts of tools/house on small samples."""
import importlib.machinery
import importlib.util
import os
import pathlib
import unittest

SOURCE = pathlib.Path(os.environ.get("TALUS_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
loader = importlib.machinery.SourceFileLoader("house", str(SOURCE / "tools" / "house"))
house = importlib.util.module_from_spec(importlib.util.spec_from_loader("house", loader))
loader.exec_module(house)

FUNCTIONS = """
#include <x>
namespace talus {
// int commented(int a) {
struct Point {
  int x{0};
  Point(int a)
      : x{a}, y(a) {
    more();
  }
  bool operator==(const Point& b) const { return x == b.x; }
  int operator()(int a = int{3}) const {
    return a;
  }
  int y;
};
template <class T,
          class U>
T twice(const T& a) {
  const auto f = [&](int b) {
    struct Local { int c() { return 1; } };
    return '}' + b;
  };
  if (a) { f("{{{"); }
  return a;
}
constexpr int table[] = {1, 2, 3};
template <class L>
concept Law = requires(L l) {
  { l.f() };
};
enum class Kind { one, two };
#if defined(A)
int either() {
#else
int either(int) {
#endif
  return 1;
}
}
"""


class Functions(unittest.TestCase):
    def test_are_found_with_their_lines(self):
        self.assertEqual(house.functions(FUNCTIONS),
                         [("Point", 7, 4), ("operator==", 11, 1), ("operator()", 12, 3), ("twice", 19, 8), ("either", 34, 6)])

    def test_of_a_method_outside_its_class_keep_the_class_in_their_name(self):
        self.assertEqual(house.functions("template <int D>\nvoid Runner<D>::run(int a) const {\n  f();\n}\n"),
                         [("Runner<D>::run", 2, 3)])


class RepeatedRuns(unittest.TestCase):
    lines = [f"call({n});" for n in range(8)]

    def test_are_found_across_comments_blanks_and_braces(self):
        a = "\n".join(self.lines)
        b = "int x;\n" + "\n\n  // a word\n}\n  ".join(self.lines[1:7]) + "\n"
        (run,) = house.repeated_runs({"a.cpp": a, "b.cpp": b})
        self.assertEqual(run, (6, "a.cpp", 2, 7, "b.cpp", 2, 22))

    def test_of_five_lines_do_not_count(self):
        self.assertEqual(house.repeated_runs({"a.cpp": "\n".join(self.lines[:5]), "b.cpp": "\n".join(self.lines[:5])}), [])

    def test_within_one_file_do_not_overlap(self):
        self.assertEqual(house.repeated_runs({"a.cpp": "same();\n" * 11}), [])
        self.assertEqual(len(house.repeated_runs({"a.cpp": "\n".join(self.lines * 2)})), 1)

    def test_leave_declared_overrides_out(self):
        text = "class A {\n public:\n" + "".join(f"  std::vector<int> f{n}(int a,\n    int b) const override;\n" for n in range(9)) + "};\n"
        self.assertEqual(house.repeated_runs({"a.hpp": text, "b.hpp": text}), [])

    def test_leave_directives_out(self):
        text = "\n".join(f"#include <a{n}>" for n in range(9))
        self.assertEqual(house.repeated_runs({"a.cpp": text, "b.cpp": text}), [])


class Places(unittest.TestCase):
    def test_a_switch_on_the_method_is_seen_in_code_only(self):
        files = {"a.cpp": 'if (m == Method::dem) f();  // Method::dem\nif (name == "impulse") g();\nprint("Method::");\n'}
        found = house.places(files, house.SWITCH, keep_strings=True)
        self.assertEqual([place.split(":")[1] for place in found], ["1", "2"])

    def test_the_normal_of_a_wall_is_told_from_that_of_a_contact(self):
        files = {"a.cpp": "dot(model.shapes[s.bodies.shape[i]].normal, v);\nfn * touch.normal;\nwall.normal;\nwalls.normal(w);\n"}
        self.assertEqual([place.split(":")[1] for place in house.places(files, house.NORMAL)], ["1", "3", "4"])


if __name__ == "__main__":
    unittest.main()
