#pragma once
// Files that the page carries inside itself, put into the program when it is built (embed.cmake).
#include <string_view>

namespace talus::report::assets {

extern const std::string_view chart_js;  // the chart library
extern const std::string_view plot_js, tools_js, page_js, page_css;  // one chart; zoom and downloads; the page

}  // namespace talus::report::assets
