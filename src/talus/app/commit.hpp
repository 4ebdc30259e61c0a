#pragma once
// What the program was built from; the file behind it is written by the build (cmake/WriteCommit.cmake).

namespace talus::app {

extern const char* const commit;  // "-dirty" at its end: with changes; empty: not known

}  // namespace talus::app
