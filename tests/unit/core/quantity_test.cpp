#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include <talus/core/nearest.hpp>
#include <talus/core/quantity.hpp>

using namespace talus;

namespace {

Real value_of(std::string_view text, const Dimension& expected) {
  const Quantity q = parse_quantity(text);
  EXPECT_EQ(si_name(q.dimension), si_name(expected)) << text;
  EXPECT_TRUE(q.has_unit) << text;
  return q.value;
}

std::string refusal(std::string_view text) {
  try {
    parse_quantity(text);
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "accepted";
}

bool says(const std::string& message, std::string_view part) { return message.find(part) != std::string::npos; }

}  // namespace

// Exact comparison on purpose: a prefix goes into the exponent of the number and rounds nothing.
TEST(Quantity, ADecimalPrefixGivesTheSameDoubleAsTheNumberWrittenInSi) {
  EXPECT_EQ(value_of("0.44 mm", dim::length), 0.44e-3);
  EXPECT_EQ(value_of("600 kPa", dim::pressure), 600e3);
  EXPECT_EQ(value_of("15 mg", dim::mass), 15e-6);
  EXPECT_EQ(value_of("0.1 GPa", dim::pressure), 0.1e9);
  EXPECT_EQ(value_of("7.3 um", dim::length), 7.3e-6);
  EXPECT_EQ(value_of("2.65 g/cm3", dim::density), 2650);
  EXPECT_EQ(value_of("3.3e-2 kN", dim::force), 3.3e1);
}

TEST(Quantity, ThePaperUnitsAreUnderstood) {
  EXPECT_EQ(value_of("530 MPa s", {1, -1, -1}), 530e6);
  EXPECT_EQ(value_of("1 t", dim::mass), 1000);
  EXPECT_EQ(value_of("1.6 Mg/m^3", dim::density), 1600);
  EXPECT_EQ(value_of("2 ms", dim::time), 2e-3);
  EXPECT_EQ(value_of("3 us", dim::time), 3e-6);
  EXPECT_EQ(value_of("2 min", dim::time), 120);
  EXPECT_EQ(value_of("1.5 h", dim::time), 5400);
  EXPECT_EQ(value_of("9.81 m/s2", dim::acceleration), 9.81);
  EXPECT_EQ(value_of("36 km/h", dim::speed), 10);
  EXPECT_EQ(value_of("50 Hz", dim::rate), 50);
  EXPECT_EQ(value_of("5 N", dim::force), 5);
  EXPECT_EQ(value_of("2 mJ", dim::energy), 2e-3);
  EXPECT_EQ(value_of("1 bar", dim::pressure), 1e5);
  EXPECT_EQ(value_of("250 mL", dim::volume), 250e-6);
  EXPECT_EQ(value_of("35 %", dim::none), 0.35);
  EXPECT_EQ(value_of("1e-4 1/s", dim::rate), 1e-4);
  EXPECT_EQ(value_of("5 %/min", dim::rate), 0.05 / 60);
  EXPECT_EQ(value_of("4186 J/(kg K)", {0, 2, -2, -1}), 4186);
}

TEST(Quantity, ProductsAndPowersMayBeWrittenInSeveralWays) {
  for (const char* text : {"2 Pa s", "2 Pa*s", "2 Pa.s", "2 Pa\u00b7s", "2Pa s", "2 s Pa", "2 Pa / (1/s)"})
    EXPECT_EQ(value_of(text, dim::viscosity), 2) << text;
  for (const char* text : {"2 m3", "2 m^3", "2 m\u00b3", "2 m m m", "2 m2*m"})
    EXPECT_EQ(value_of(text, dim::volume), 2) << text;
  for (const char* text : {"2 m/s", "2 m s-1", "2 m s^-1", "2 m s\u207b\u00b9", " 2  m / s "})
    EXPECT_EQ(value_of(text, dim::speed), 2) << text;
  for (const char* text : {"2 1/s", "2/s", "2 /s", "2 s-1"}) EXPECT_EQ(value_of(text, dim::rate), 2) << text;
  for (const char* text : {"2 um", "2 \u00b5m", "2 \u03bcm"}) EXPECT_EQ(value_of(text, dim::length), 2e-6) << text;
}

TEST(Quantity, AnAngleIsAnAngleAloneAndAPlainNumberInsideARate) {
  EXPECT_DOUBLE_EQ(value_of("180 deg", dim::angle), pi);
  EXPECT_DOUBLE_EQ(value_of("30\u00b0", dim::angle), pi / 6);
  EXPECT_EQ(value_of("0.5 rad", dim::angle), 0.5);
  EXPECT_DOUBLE_EQ(value_of("60 rpm", dim::spin), 2 * pi);
  EXPECT_DOUBLE_EQ(value_of("360 deg/s", dim::spin), 2 * pi);
  EXPECT_EQ(value_of("2 rad/s", dim::spin), 2);
}

TEST(Quantity, CelsiusHasItsOffsetAndStandsAlone) {
  EXPECT_DOUBLE_EQ(value_of("20 degC", dim::temperature), 293.15);
  EXPECT_DOUBLE_EQ(value_of("-5 \u00b0C", dim::temperature), 268.15);
  EXPECT_EQ(value_of("300 K", dim::temperature), 300);
  EXPECT_TRUE(says(refusal("3 W/degC"), "stands alone"));
  EXPECT_TRUE(says(refusal("-300 degC"), "absolute zero"));
}

TEST(Quantity, ANumberWithoutAUnitSaysSo) {
  EXPECT_FALSE(parse_quantity("-3.5e2").has_unit);
  EXPECT_EQ(parse_quantity("-3.5e2").value, -350);
  EXPECT_EQ(parse_quantity("+.5").value, 0.5);
  EXPECT_EQ(parse_quantity("5.").value, 5);
  EXPECT_EQ(parse_quantity("1E+3").value, 1000);
}

TEST(Quantity, AnUnknownUnitNamesTheNearestOne) {
  EXPECT_EQ(refusal("3 kpa"), "'kpa' is not a known unit; did you mean 'kPa'?");
  EXPECT_TRUE(says(refusal("3 mpa"), "'MPa'"));
  EXPECT_TRUE(says(refusal("3 Kg/m3"), "'kg'"));
  EXPECT_TRUE(says(refusal("3 degc"), "'degC'"));
  EXPECT_TRUE(says(refusal("3 MM"), "'mm'"));
  EXPECT_TRUE(says(refusal("3 furlong"), "known are"));
  EXPECT_TRUE(says(refusal("0.44 Mm"), "'mm'")) << "a megametre is a slip in this field";
}

TEST(Quantity, WhatIsNotANumberIsRefusedWithTheText) {
  EXPECT_TRUE(says(refusal(""), "expected a number"));
  EXPECT_TRUE(says(refusal("glass"), "'glass'"));
  EXPECT_TRUE(says(refusal("nan"), "finite"));
  EXPECT_TRUE(says(refusal("-inf Pa"), "finite"));
  EXPECT_TRUE(says(refusal("0,44 mm"), "'0.44 mm'"));
  EXPECT_TRUE(says(refusal("1_000 Pa"), "without separators"));
  EXPECT_TRUE(says(refusal("1e400 Pa"), "too large"));
  EXPECT_TRUE(says(refusal("1e99999999999 Pa"), "exponent"));
  EXPECT_TRUE(says(refusal("3 4 m"), "'4 m'"));
}

TEST(Quantity, AnAmbiguousOrBrokenUnitIsRefused) {
  EXPECT_TRUE(says(refusal("3 W/m K"), "above or below the line"));
  EXPECT_TRUE(says(refusal("3 N/m*s"), "above or below the line"));
  EXPECT_TRUE(says(refusal("3 N/m^1.5"), "whole numbers"));
  EXPECT_TRUE(says(refusal("3 m^"), "whole numbers"));
  EXPECT_TRUE(says(refusal("3 m^99"), "whole numbers"));
  EXPECT_TRUE(says(refusal("3 m/"), "ends too early"));
  EXPECT_TRUE(says(refusal("3 W/(m K"), "lacks a ')'"));
  EXPECT_TRUE(says(refusal("3 m)"), "left over"));
}

TEST(Quantity, TheSiNameOfADimensionReadsBackAsThatDimension) {
  for (const Dimension& d : {dim::mass,
                             dim::length,
                             dim::time,
                             dim::temperature,
                             dim::angle,
                             dim::area,
                             dim::volume,
                             dim::speed,
                             dim::acceleration,
                             dim::rate,
                             dim::force,
                             dim::pressure,
                             dim::stiffness,
                             dim::density,
                             dim::energy,
                             dim::viscosity,
                             Dimension{1, 2, -3},
                             Dimension{1, 0, -1},
                             Dimension{-1, -2, 3, 1},
                             Dimension{0, -1, 0},
                             Dimension{1, 1, -3, -1},
                             dim::none}) {
    const Quantity back = parse_quantity("1 " + si_name(d));
    EXPECT_EQ(back.dimension, d) << si_name(d);
    EXPECT_EQ(back.value, 1) << si_name(d);
  }
  EXPECT_EQ(si_name(dim::density), "kg/m^3");
  EXPECT_EQ(si_name({1, 0, -1}), "kg/s");
  EXPECT_EQ(si_name({-1, -2, 3, 1}), "s^3 K/(kg m^2)");
  EXPECT_EQ(describe(dim::pressure), "a pressure (Pa)");
  EXPECT_EQ(describe(dim::none), "a plain number");
  EXPECT_EQ(describe({1, 0, -1}), "a quantity in kg/s");
}

TEST(Nearest, ASlipIsFoundAndAStrangerIsNot) {
  EXPECT_EQ(edit_distance("density", "densty"), 1u);
  EXPECT_EQ(edit_distance("young", "yuong"), 1u) << "neighbours swapped";
  EXPECT_EQ(nearest("densty", {"friction", "density"}), "density");
  EXPECT_EQ(nearest("Rolling-Friction", {"friction", "rolling_friction"}), "rolling_friction");
  EXPECT_EQ(nearest("young", {"poisson", "young_modulus"}), "young_modulus");
  EXPECT_EQ(nearest("colour", {"friction", "density"}), std::nullopt);
  EXPECT_EQ(nearest("x", {"y", "z"}), std::nullopt);
}
