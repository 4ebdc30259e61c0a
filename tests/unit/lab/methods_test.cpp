// The list of methods, and what a run asks of them whatever they are.
#include <set>

#include <gtest/gtest.h>

#include <talus/core/input_error.hpp>
#include <talus/impulse/impulse_method.hpp>
#include <talus/lab/methods.hpp>

#include "../../support/wait_stage.hpp"

using namespace talus;
using namespace talus::lab;

namespace {

template <int D>
void each_word_has_its_method() {
  for (const std::string& word : method_words()) {
    const auto method = make_method<D>(word);
    EXPECT_EQ(method->word(), word);
    EXPECT_EQ(method->fresh()->word(), word);
    EXPECT_FALSE(method->on_device());
  }
  EXPECT_THROW(make_method<D>("demm"), InputError);
}

}  // namespace

TEST(Methods, EachWordHasItsMethodAndOthersAreRefused) {
  each_word_has_its_method<2>();
  each_word_has_its_method<3>();
}

TEST(Methods, DeclareEachDiagnosticOnceWithAUnitAndAMeaning) {
  Model<2> model;
  for (const std::string& word : method_words()) {
    std::set<std::string_view> names;
    for (const Diagnostic& d : make_method<2>(word)->diagnostics(model)) {
      EXPECT_TRUE(names.insert(d.name).second) << d.name;
      EXPECT_FALSE(d.unit.empty() || d.about.empty()) << d.name;
      EXPECT_EQ(d.figure.empty(), d.definition.text.empty()) << d.name;
    }
  }
}

// A job that is put off is done at the latest when somebody asks for it.
TEST(Methods, DoJobsThatWerePutOff) {
  for (const std::string& word : method_words()) {
    const auto method = make_method<2>(word);
    int done = 0;
    method->later([&] { ++done; });
    method->flush();
    method->flush();
    EXPECT_EQ(done, 1) << word;
  }
}

TEST(StrictRun, HasFailedWithFiveOfAHundredStepsNotConverged) {
  for (const bool strict : {false, true}) {
    Experiment<2> x;
    x.method = impulse::make_method<2>({.strict = strict});
    x.state.globals.step = 100;
    Runner<2> runner(x, {});
    for (const Real not_converged : {0, 4, 5, 100}) {
      runner.since_row.in_all = {0, 0, 0, not_converged};
      EXPECT_EQ(runner.verdict().outcome, strict && not_converged >= 5 ? Outcome::failed : Outcome::done)
          << not_converged;
    }
  }
}
