#include <talus/report/report.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/core/base64.hpp>
#include <talus/report/assets.hpp>
#include <talus/report/colour_map.hpp>
#include <talus/report/decimate.hpp>
#include <talus/report/png.hpp>
#include <talus/report/text.hpp>
#include <talus/report/units.hpp>

namespace talus::report {
namespace {

using nlohmann::json;

struct LevelLook {
  const char *style, *sign, *word;  // told apart by sign and word too, not by colour alone
};
LevelLook look(Light::Level level) {
  switch (level) {
    case Light::Level::good:
      return {"good", "✓", "fulfilled"};
    case Light::Level::warn:
      return {"warn", "!", "caution"};
    case Light::Level::bad:
      return {"bad", "✕", "violated"};
    case Light::Level::unknown:
      break;
  }
  return {"unknown", "?", "not judged"};
}

// Six digits: more than a screen shows, a third of the bytes of a full double.
json short_number(double v) {
  if (!std::isfinite(v)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", v);
  return std::strtod(text, nullptr);
}

json numbers(const std::vector<double>& values) {
  json out = json::array();
  for (const double v : values) out.push_back(short_number(v));
  return out;
}

json curve_data(const Curve& full) {
  const Curve curve = decimate(full);
  json out{{"label", curve.label},
           {"x", numbers(curve.x)},
           {"y", numbers(curve.y)},
           {"colour", curve.colour},
           {"faint", curve.faint}};
  if (!curve.low.empty()) {
    out["low"] = numbers(curve.low);
    out["high"] = numbers(curve.high);
  }
  return out;
}

json chart_data(const Chart& chart) {
  json out{{"title", chart.title}, {"panel", chart.panel}, {"x_label", chart.x_label}, {"y_label", chart.y_label}, {"log_x", chart.log_x}, {"log_y", chart.log_y},
           {"curves", json::array()},  {"reference", json::array()}, {"marks", json::array()}};
  for (const Curve& c : chart.curves) out["curves"].push_back(curve_data(c));
  for (const Curve& c : chart.reference) out["reference"].push_back(curve_data(c));
  for (const Mark& m : chart.marks) out["marks"].push_back({{"x", short_number(m.x)}, {"label", m.label}});
  return out;
}

std::string header(const Report& report) {
  const Verdict verdict = judge(report.lights);
  std::string out =
      fmt::format("<header><div class=\"brand\">Talus report</div><h1>{}</h1>", escape_html(report.title));
  if (!report.subtitle.empty()) out += fmt::format("<div class=\"subtitle\">{}</div>", escape_html(report.subtitle));
  if (!report.test.empty()) {
    out += "<dl class=\"test\">";
    for (const auto& [name, value] : report.test) out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escape_html(name), escape_html(value));
    out += "</dl>";
  }
  if (!report.lights.empty())
    out += fmt::format("<div class=\"verdict {}\"><span class=\"sign\" aria-hidden=\"true\">{}</span>{}</div>",
                       look(verdict.level).style, look(verdict.level).sign, escape_html(verdict.text));
  return out + "</header>\n";
}

// Of several runs the value names the worst: "48.7 % (friction=0.5/seed-1)".
std::string light_value(const std::string& value) {
  const std::size_t at = value.find(" (");
  if (at == std::string::npos) return escape_html(value);
  return escape_html(value.substr(0, at)) + " <span class=\"run\">" + escape_html(value.substr(at + 1)) + "</span>";
}

std::string lights(const Report& report) {
  if (report.lights.empty()) return {};
  std::string out = "<section class=\"lights\" aria-label=\"Validity\">\n";
  for (const Light& light : report.lights) {
    const LevelLook l = look(light.level);
    out += fmt::format(
        "<div class=\"light {}\"><div class=\"name\"><span class=\"sign\" role=\"img\" "
        "aria-label=\"{}\">{}</span>{}</div>"
        "<div class=\"value\">{}</div>{}<div class=\"rule\">{}</div></div>\n",
        l.style, l.word, l.sign, escape_html(light.name), light_value(light.value),
        light.remedy.empty() ? "" : fmt::format("<div class=\"remedy\">{}</div>", escape_html(light.remedy)), escape_html(light.rule));
  }
  return out + "</section>\n";
}

const char* group_heading(FigureGroup group) {
  static constexpr const char* headings[] = {"Result", "Sample", "Quality", "Run"};
  return headings[std::size_t(group)];
}

// q_max/p_0 with its indices set low; an index ends where a fraction goes on.
std::string set_symbol(const std::string& symbol) {
  std::string out;
  for (std::size_t at = 0; at < symbol.size();) {
    const std::size_t end = std::min(symbol.find('/', at), symbol.size()), index = std::min(symbol.find('_', at), end);
    out += fmt::format("{}<var>{}</var>", at > 0 ? "/" : "", escape_html(symbol.substr(at, index - at)));
    if (index < end) out += fmt::format("<sub>{}</sub>", escape_html(symbol.substr(index + 1, end - index - 1)));
    at = end + 1;
  }
  return out;
}

// "Peak deviator stress", its symbol behind it; a figure without a title goes by its name.
std::string figure_name(const FigureRow& row) {
  const Definition& d = row.definition;
  if (d.title.empty()) return fmt::format("<code>{}</code>", escape_html(row.name));
  const std::string title = escape_html(capital(d.title));
  return d.symbol.empty() ? title : title + " <span class=\"symbol\">" + set_symbol(d.symbol) + "</span>";
}

std::string figures(const Report& report) {
  if (report.figures.empty()) return {};
  // In a narrow window a table of one value becomes a list; one of several scrolls.
  std::string out = fmt::format("<h2>Key figures</h2>\n<div class=\"card scroll{}\"><table><thead><tr><th>Figure</th>",
                                report.figure_columns.size() < 2 ? " figures" : "");
  if (report.figure_columns.empty()) out += "<th class=\"number\">Value</th>";
  for (const std::string& head : report.figure_columns)
    out += fmt::format("<th class=\"number\">{}</th>", escape_html(head));
  const bool is_wide = report.figure_columns.size() > 3;  // no room for sentences: they are told where the pointer rests
  out += fmt::format("<th>{}</th></tr></thead><tbody>\n", is_wide ? "Name" : "Definition");
  FigureGroup group = FigureGroup::result;
  for (const FigureRow& row : report.figures) {
    if (&row == report.figures.data() || group != row.definition.group)
      out += fmt::format("<tr class=\"group\"><th colspan=\"{}\">{}</th></tr>\n", row.values.size() + 2, group_heading(row.definition.group));
    group = row.definition.group;
    const std::string text = escape_html(sentence(row.definition.text));
    out += fmt::format("<tr><td{}>{}</td>", is_wide ? fmt::format(" title=\"{}\"", text) : "", figure_name(row));
    for (const std::string& value : row.values) {
      const bool missing = value.empty() || value.starts_with(not_reached);
      out += fmt::format("<td class=\"number{}\">{}</td>", missing ? " missing" : "",
                         value.empty() ? "–" : escape_html(value));
    }
    out += fmt::format("<td class=\"definition\">{}<code>{}</code></td></tr>\n", is_wide ? "" : text + " ", escape_html(row.name));
  }
  return out + "</tbody></table></div>\n";
}

std::string colour_bar(const ColourBar& bar) {
  std::string stops;
  for (int k = 0; k <= 16; ++k) {
    const Rgb c = map_colour(k / 16.0);
    stops += fmt::format("{}rgb({},{},{})", k ? "," : "", std::lround(255 * to_display(c[0])),
                         std::lround(255 * to_display(c[1])), std::lround(255 * to_display(c[2])));
  }
  const auto tick = [](double at, const std::string& text) {
    return fmt::format("<span style=\"bottom:{:.2f}%\">{}</span>", 100 * at, text);
  };
  std::string ticks;
  if (bar.more_below) ticks += tick(0, "≤ " + format_number(bar.low, 3));
  if (bar.more_above) ticks += tick(1, "≥ " + format_number(bar.high, 3));
  for (const double v : round_ticks(bar.low, bar.high)) {
    const double at = bar.high > bar.low ? (v - bar.low) / (bar.high - bar.low) : 0.5;
    if ((at < 0.08 && bar.more_below) || (at > 0.92 && bar.more_above)) continue;
    ticks += tick(at, v == 0 ? "0" : fmt::format("{:.4g}", v));
  }
  return fmt::format(
      "<div class=\"bar\"><div class=\"ramp\" style=\"background:linear-gradient(to top,{})\">{}</div>"
      "<div class=\"label\">{}</div></div>",
      stops, ticks, escape_html(bar.label));
}

std::string pictures(const Report& report) {
  if (report.pictures.empty()) return {};
  std::string out =
      fmt::format("<h2>The sample</h2>\n<div class=\"grid{}\">\n", report.pictures.size() == 1 ? " single" : "");
  for (const Picture& picture : report.pictures)
    // Drawn at twice the size it is shown, sharp on dense screens and on paper; not so a film.
    out += fmt::format(
        "<figure class=\"card\"><div class=\"picture\"><img width=\"{}\" height=\"{}\" alt=\"{}\" "
        "src=\"data:image/png;base64,{}\">{}</div><figcaption>{}</figcaption></figure>\n",
        picture.film.empty() ? picture.width / 2 : picture.width, picture.film.empty() ? picture.height / 2 : picture.height, escape_html(picture.caption), base64(picture.film.empty() ? encode_small(picture) : picture.film),
        picture.bar.label.empty() ? "" : colour_bar(picture.bar), escape_html(picture.caption));
  return out + "</div>\n";
}

std::string panel(const Chart& chart, std::size_t k, bool alone) {
  return fmt::format(
      "<div class=\"panel\"><div class=\"head\">{}<span class=\"word\">{}</span></div><div class=\"plot\"><canvas id=\"chart-{}\" role=\"img\" "
      "aria-label=\"{}: {} against {}\"></canvas></div></div>",
      alone ? fmt::format("<h3>{}</h3>", escape_html(chart.title)) : "", escape_html(chart.panel), k, escape_html(chart.title), escape_html(chart.y_label), escape_html(chart.x_label));
}

std::string charts(const Report& report) {
  const auto& all = report.charts;
  std::string out;
  const std::string* group = nullptr;
  for (std::size_t k = 0; k < all.size();) {
    const Chart& chart = all[k];
    if (!group || *group != chart.group) {
      if (group) out += "</div>\n";
      out +=
          fmt::format("<h2>{}</h2>\n<div class=\"grid\">\n", escape_html(chart.group.empty() ? "Curves" : chart.group));
      group = &chart.group;
    }
    std::size_t end = k + 1;  // panels of one frame
    while (end < all.size() && !chart.panel.empty() && all[end].group == chart.group && all[end].title == chart.title) ++end;
    const bool alone = end == k + 1;
    out += alone ? "<figure class=\"card\">" : fmt::format("<figure class=\"card wide\"><h3>{}</h3>", escape_html(chart.title));
    out += "<div class=\"panels\">";
    const std::string note = chart.note.empty() ? "" : fmt::format("<figcaption>{}</figcaption>", escape_html(chart.note));
    for (; k < end; ++k) out += panel(all[k], k, alone);
    out += "</div>" + note + "</figure>\n";
  }
  if (group)
    out += "</div>\n<noscript><p class=\"note\">The curves are drawn by a script inside this file.</p></noscript>\n";
  if (group && !report.tables.empty())
    out += "<h2>Any column against any</h2>\n<figure class=\"card\" id=\"explorer\"></figure>\n";
  return out;
}

std::string details(const Report& report) {
  std::string out;
  if (!report.provenance.empty()) {
    out += "<details class=\"card\" open><summary>Provenance</summary><dl>";
    for (const auto& [name, value] : report.provenance)
      out += fmt::format("<dt>{}</dt><dd>{}</dd>", escape_html(name), escape_html(value));
    out += "</dl></details>\n";
  }
  if (!report.scene_text.empty())
    out += fmt::format(
        "<details class=\"card\"><summary>Scene, with every default spelled out</summary><pre>{}</pre></details>\n",
        escape_html(report.scene_text));
  return out.empty() ? out : "<h2>How it was made</h2>\n" + out;
}

json table_data(const DataTable& table) {
  json out{{"label", table.label}, {"stage", table.stage}, {"stages", table.stage_names}, {"stride", table.stride}, {"columns", json::array()}};
  for (const DataColumn& c : table.columns)
    out["columns"].push_back({{"name", c.name}, {"unit", c.unit}, {"meaning", c.meaning}, {"values", numbers(c.values)}});
  return out;
}

std::string scripts(const Report& report) {
  if (report.charts.empty()) return {};
  json data{{"charts", json::array()}, {"tables", json::array()}};
  for (const Chart& chart : report.charts) data["charts"].push_back(chart_data(chart));
  for (const DataTable& table : report.tables) data["tables"].push_back(table_data(table));
  std::string out = "<script type=\"application/json\" id=\"data\">" + json_for_script(data) + "</script>\n<script>";
  out += assets::chart_js;
  out += "</script>\n<script>\n\"use strict\";\n";
  for (const std::string_view part : {assets::plot_js, assets::tools_js, assets::page_js}) out += part;
  return out + "</script>\n";
}

}  // namespace

Verdict judge(const std::vector<Light>& lights) {
  const auto names = [&](Light::Level level) {
    std::vector<std::string> out;
    for (const Light& light : lights)
      if (light.level == level) out.push_back(light.name);
    return out;
  };
  const auto bad = names(Light::Level::bad), warn = names(Light::Level::warn), unknown = names(Light::Level::unknown);
  const std::size_t known = lights.size() - unknown.size();
  const auto list = [](const std::vector<std::string>& all) { return fmt::format("{}", fmt::join(all, ", ")); };

  Verdict out;
  if (known == 0) return {Light::Level::unknown, "No validity condition could be judged."};
  if (!bad.empty()) {
    out = {Light::Level::bad, fmt::format("Do not rely on this run before looking at: {}.", list(bad))};
    if (!warn.empty()) out.text += fmt::format(" Caution: {}.", list(warn));
  } else if (!warn.empty()) {
    out = {Light::Level::warn, fmt::format("Usable with caution: {}.", list(warn))};
  } else {
    out = {Light::Level::good, known == 1 ? "The one validity condition that applies is fulfilled."
                                          : fmt::format("{} validity conditions that were judged are fulfilled.",
                                                        known == 2 ? "Both" : fmt::format("All {}", known))};
    if (unknown.empty()) out.text = fmt::format("All {} validity conditions are fulfilled.", known);
  }
  if (!unknown.empty()) out.text += fmt::format(" Not judged: {}.", list(unknown));
  return out;
}

std::string render_html(const Report& report) {
  // The policy forbids the browser to load anything: the page is complete or it is wrong.
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data:\">\n<title>{} · Talus report</title>\n<style>",
      escape_html(report.title));
  out += assets::page_css;
  out += "</style>\n</head>\n<body>\n";
  out += header(report) + lights(report) + figures(report) + pictures(report) + charts(report) + details(report);
  out += "<footer>Made by Talus " TALUS_VERSION ". This file is complete: it loads nothing.</footer>\n";
  return out + scripts(report) + "</body>\n</html>\n";
}

}  // namespace talus::report
