# cmake -DSOURCE=FOLDER -DOUT=FILE -P WriteCommit.cmake: a source that knows the commit it was built from, written anew only when that
# changed. Empty where SOURCE is not the top of a git checkout.
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(commit "")
if(top STREQUAL SOURCE)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[#include <talus/app/commit.hpp>

const char* const talus::app::commit = "@commit@";
]])
