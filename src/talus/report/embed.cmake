# Writes a C++ source that holds files as string views in talus::report::assets.
#   cmake -DOUT=assets.cpp -DNAMES=page_js,page_css -DFILES=page.js,page.css -P embed.cmake
string(REPLACE "," ";" NAMES "${NAMES}")
string(REPLACE "," ";" FILES "${FILES}")
set(source "#include <talus/report/assets.hpp>\n\nnamespace talus::report::assets {\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ ${file} text)
  if(text MATCHES "</script|</style|<!--")
    message(FATAL_ERROR "${file}: holds ${CMAKE_MATCH_0}, which would end its element in report.html")
  endif()
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  # Bytes, not a literal: compilers limit the length of literals. A cast per byte is avoided by unsigned char.
  string(APPEND source "static constexpr unsigned char ${name}_bytes[] = {\n${bytes}};\n"
    "const std::string_view ${name}{reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes};\n")
endforeach()
string(APPEND source "}  // namespace talus::report::assets\n")
file(WRITE ${OUT} "${source}")
