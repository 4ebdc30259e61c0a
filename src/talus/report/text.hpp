#pragma once
// Text made safe for the place in the page where it goes.
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace talus::report {

// "peak stress" as a heading begins; "mean of q" as a sentence.
std::string capital(std::string text);
std::string sentence(std::string text);

std::string escape_html(std::string_view text);  // for elements and for quoted attributes

// JSON inside a <script> element: no character sequence of it can end the element.
std::string json_for_script(const nlohmann::json& value);

}  // namespace talus::report
