// SPDX-License-Identifier: Apache-2.0
// Files that a run leaves: the statistics against their schema, the page of --report against the statistics, and the
// page in a browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "source_dir.h"
#include "tests/support/json_schema.h"
#include "tests/support/shell.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::JsonSchema;
using test::shell;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Files : public ::testing::Test {
 protected:
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  /// The one run of `g80 run ...`, as its statistics file has it.
  Json run(const std::string& options) {
    const auto outcome =
        shell("cd " + folder_.string() + " && " G80_PROGRAM " run " + options + " --stats " + file("s.json"));
    EXPECT_LE(outcome.code, 3) << outcome.output;
    return Json::parse(text_of(file("s.json")));
  }
  /// The data of the page.
  static Json page(const std::string& html) {
    const std::string start = "<script type=\"application/json\" id=\"page\">";
    const std::size_t from = html.find(start) + start.size();
    return Json::parse(html.substr(from, html.find("</script>", from) - from));
  }
  const fs::path folder_ = fs::path(::testing::TempDir()) / ("g80_report." + std::to_string(getpid()));
};

const Json* item(const Json& page, const std::string& id) {
  for (const Json& section : page["sections"]) {
    for (const Json& item : section["items"]) {
      if (item.value("id", "") == id) return &item;
    }
  }
  return nullptr;
}
double tile(const Json& page, const std::string& label) {
  for (const Json& section : page["sections"]) {
    for (const Json& item : section["items"]) {
      for (const Json& tile : item.value("tiles", Json::array())) {
        if (tile["label"] == label) return tile["value"];
      }
    }
  }
  ADD_FAILURE() << "no tile " << label;
  return -1;
}
std::uint64_t sum(const Json& numbers) {
  std::uint64_t all = 0;
  for (const Json& number : numbers) all += number.get<std::uint64_t>();
  return all;
}
std::uint64_t over_sms(const Json& launch, const std::string& counter) {
  std::uint64_t all = 0;
  for (const Json& sm : launch["sms"]) all += sm[counter].get<std::uint64_t>();
  return all;
}

TEST_F(Files, StatisticsOfRealRunsFollowTheSchema) {
  const JsonSchema schema(Json::parse(shell(G80_PROGRAM " list schema").output));
  for (const char* options :
       {"vec_add --check off", "texture_read --check off --device gtx280", "vec_add --model golden",
        "atomics --check off --device tiny", "dot_product_hang --check off --max-cycles 20000",
        "vec_add --check final --inject sm0.to_sp.lanes^=0x4@1000"}) {
    EXPECT_THAT(schema.errors(run(options)), IsEmpty()) << options;
  }
}

TEST_F(Files, TheSchemaRefusesWhatIsNotInIt) {
  const JsonSchema schema(Json::parse(shell(G80_PROGRAM " list schema").output));
  const Json good = run("vec_add --check off");
  const auto refused = [&](const std::string& pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return schema.errors(bad);
  };
  EXPECT_THAT(refused("/format", "g80-stats 1"), Contains(HasSubstr("$.format")));
  EXPECT_THAT(refused("/runs/0/launches/0/sms/0/issued", -1), Contains(HasSubstr("sms[0].issued")));
  EXPECT_THAT(refused("/runs/0/launches/0/sms/0/isued", 1), Contains(HasSubstr("unknown key isued")));
  EXPECT_THAT(refused("/runs/0/launches/0/grid", Json::array({1, 2})), Contains(HasSubstr("has 2 items")));
  EXPECT_THAT(refused("/runs/0/launches/0/end", "ended"), Contains(HasSubstr("is not one of")));
  Json bad = good;
  bad["runs"][0]["launches"][0]["sms"][1].erase("gld_32b");
  EXPECT_THAT(schema.errors(bad), Contains(HasSubstr("lacks gld_32b")));
  bad = good;
  bad["runs"][0].erase("ipc");
  EXPECT_THAT(schema.errors(bad), Contains(HasSubstr("lacks ipc")));
}

TEST_F(Files, TheReportHasTheFiguresOfTheStatistics) {
  const Json stats = run("vec_add --check off --report " + file("r.html"));
  Json expected = stats["runs"][0];
  for (Json& launch : expected["launches"]) launch.erase("pcs");
  expected["manifest"].erase("config");
  const Json data = page(text_of(file("r.html")));
  EXPECT_EQ(data["statistics"], expected);

  const Json& launch = stats["runs"][0]["launches"][0];
  // clang-format off
  EXPECT_EQ(tile(data, "shader cycles"), expected["shader_cycles"]);
  EXPECT_EQ(tile(data, "executing cycles"), expected["executing_cycles"]);
  EXPECT_DOUBLE_EQ(tile(data, "IPC"), expected["ipc"]);
  EXPECT_DOUBLE_EQ(tile(data, "milliseconds"), expected["milliseconds"]);
  EXPECT_DOUBLE_EQ(tile(data, "active lanes"), expected["thread_instructions"].get<double>() / expected["warp_instructions"].get<double>());
  // clang-format on
  const Json& memory = launch["memory"];
  const double bytes = memory["dram_read_bytes"].get<double>() + memory["dram_write_bytes"].get<double>();
  EXPECT_LT(tile(data, "DRAM bandwidth"), bytes / 1e6 / expected["milliseconds"].get<double>())
      << "stores move after the last block has ended";

  ASSERT_NE(item(data, "lanes"), nullptr);
  EXPECT_EQ(sum((*item(data, "lanes"))["series"][0]["y"]), expected["warp_instructions"]);
  EXPECT_EQ((*item(data, "lanes"))["series"][0]["y"][0], over_sms(launch, "active_lanes_32"));
  const Json& coalescing = (*item(data, "coalescing"))["series"];
  EXPECT_EQ(coalescing[0]["y"][1], over_sms(launch, "gld_64b"));
  EXPECT_EQ(coalescing[1]["y"][1], over_sms(launch, "gst_64b"));
  EXPECT_EQ(sum((*item(data, "partitions"))["series"][0]["y"]), memory["dram_read_bytes"]);
  const Json& per_sm = (*item(data, "stall-per-sm"))["series"][0];
  EXPECT_EQ(per_sm["name"], "issued");
  EXPECT_NEAR(per_sm["y"][0],
              100 * launch["sms"][0]["issued"].get<double>() / launch["sms"][0]["scheduler_cycles"].get<double>(),
              0.006);

  std::uint64_t loads = 0;
  for (const Json& pc : launch["pcs"]) {
    if (std::regex_search(pc["instruction"].get<std::string>(), std::regex("ld .*g\\d*\\[")))
      loads += pc["issued"].get<std::uint64_t>();
  }
  for (const Json& series : (*item(data, "latency"))["series"]) {
    if (series["name"] == "global memory") {
      EXPECT_EQ(sum(series["y"]), loads);
    }
  }
  EXPECT_GT(loads, 0u);
}

TEST_F(Files, TheReportsTimeAddsUpToTheLaunch) {
  const Json stats = run("dot_product --check off --report " + file("r.html"));
  const Json data = page(text_of(file("r.html")));
  const Json& stall = *item(data, "stall-over-time");
  const std::size_t samples = stall["x"]["values"].size();
  EXPECT_GE(samples, 300u);
  EXPECT_LE(samples, 800u);
  for (std::size_t k = 0; k < samples; ++k) {
    double all = 0;
    for (const Json& series : stall["series"]) all += series["y"][k].get<double>();
    EXPECT_NEAR(all, 100, 0.1) << "every cycle has one reason";
  }
}

/// Whatever the page plots or shows as a bar is possible: a part is at most the whole, what is stacked stays below the
/// peak of the chip, nothing is negative, and no kernel lies above the roof.
void expect_possible(const Json& page) {
  constexpr double kRounded = 0.0051;  // a plotted value has two decimals
  const auto is_part = [](const Json& of, const Json& part) {
    EXPECT_GE(part.get<double>(), 0) << of;
    EXPECT_LE(part.get<double>(), 1 + 1e-9) << of;
  };
  std::size_t plots = 0;
  for (const Json& section : page["sections"]) {
    for (const Json& item : section["items"]) {
      for (const Json& tile : item.value("tiles", Json::array())) {
        if (tile.contains("part")) is_part(tile, tile["part"]);
      }
      for (const Json& row : item.value("rows", Json::array())) {
        for (const Json& cell : row) {
          if (cell.is_object() && cell.contains("part")) is_part(row, cell["part"]);
        }
      }
      if (item["kind"] != "plot" || item["type"] == "scatter") continue;
      SCOPED_TRACE(item["id"]);
      ++plots;
      const Json& series = item["series"];
      const std::size_t places = series.empty() ? 0 : series[0]["y"].size();
      const double most = item["y"].value("most", 1e300);
      std::string beyond;
      for (std::size_t k = 0; k < places; ++k) {
        double sum = 0, highest = 0;
        for (const Json& one : series) {
          const double value = one["y"][k].is_null() ? 0 : one["y"][k].get<double>();
          if (value < 0 || !std::isfinite(value)) beyond += " " + one["y"][k].dump();
          sum += value, highest = std::max(highest, value);
        }
        const double drawn = item.value("stacked", false) ? sum : highest;
        if (drawn > most + kRounded * static_cast<double>(series.size())) beyond += " " + std::to_string(drawn);
      }
      EXPECT_EQ(beyond, "") << "of " << places << " places, with " << most << " at most";
    }
  }
  EXPECT_GT(plots, 5u);
  const Json& roof = (*item(page, "roofline-plot"))["series"];
  const Json& knee = roof[0]["points"][1];
  for (std::size_t k = 1; k < roof.size(); ++k) {
    const double x = roof[k]["points"][0][0], y = roof[k]["points"][0][1];
    EXPECT_LE(y, knee[1].get<double>() * std::min(1.0, x / knee[0].get<double>())) << roof[k];
  }
}

// The last sample may have any length: kernels of many sizes, launches that a limit cuts anywhere, and clocks that do
// not divide each other.
TEST_F(Files, NoPlotOfTheReportShowsMoreThanTheMachineCanDo) {
  std::vector<std::string> runs;
  for (const char* kernel : {"vec_add", "square_array", "dot_product", "reduction_sequential", "matrix_mul", "atomics",
                             "coordinates", "texture_read", "local_spill", "global_sync"})
    runs.push_back(kernel);
  for (unsigned n = 500; n < 516; n += 3) runs.push_back("vec_add --arg block=64 --arg n=" + std::to_string(n * 67));
  for (unsigned cycles = 5000; cycles < 5040; cycles += 3)
    runs.push_back("vec_add --arg n=65536 --max-cycles " + std::to_string(cycles));
  const std::string soon = "vec_add --arg n=20000 --set host.launch_cycles=1";
  for (const char* clocks : {"", " --set clock.shader_mhz=500", " --set clock.dram_mhz=211", " --set dram.t_ccd=2",
                             " --device gtx280", " --device tiny --arg block=64"})
    runs.push_back(soon + clocks);
  // A memory that still writes what the host has put there when a launch begins that only writes.
  std::ofstream(file("wide.sasm")) << ".arch sm_10\n.kernel wide\n.param ptr out\n  shl b32 $r1 $r0 0x4\n"
                                      "  add b32 $r4 b32 s[out] $r1\n  exit st b128 g14[$r4] $r0q\n";
  runs.push_back("wide.sasm --grid 16 --block 256 --arg 's32[16384]' --set clock.dram_mhz=100");
  for (const std::string& options : runs) {
    SCOPED_TRACE(options);
    run(options + " --check off --report " + file("r.html"));
    expect_possible(page(text_of(file("r.html"))));
  }
}

TEST_F(Files, TheReportsBandwidthHasEveryByteThatMoved) {
  for (const char* options : {"dot_product", "vec_add --arg n=30011 --set host.launch_cycles=1"}) {
    SCOPED_TRACE(options);
    const Json stats = run(options + std::string(" --check off --report ") + file("r.html"));
    const Json data = page(text_of(file("r.html")));
    const Json& bandwidth = *item(data, "bandwidth");
    const Json& middles = bandwidth["x"]["values"];
    double moved = 0, end = 0;  // GB/s times cycles
    for (std::size_t k = 0; k < middles.size(); ++k) {
      const double length = 2 * (middles[k].get<double>() - end);
      for (const Json& series : bandwidth["series"]) moved += series["y"][k].get<double>() * length;
      end += length;
    }
    const double cycles = stats["runs"][0]["shader_cycles"];
    EXPECT_GT(end, cycles) << "stores move after the last block has ended";
    EXPECT_NEAR(moved / end, tile(data, "DRAM bandwidth"), 0.005 * moved / end);
  }
}

TEST_F(Files, NothingIsGreenThatNobodyCompared) {
  const auto end_of = [&](const std::string& options) {
    run(options + " --check off --report " + file("r.html"));
    return page(text_of(file("r.html")))["sections"][0]["items"][0]["tiles"][0];
  };
  std::ofstream(file("k.sasm")) << ".kernel k\nexit nop\n";
  const Json bare = end_of("k.sasm --grid 1 --block 32");
  EXPECT_EQ(bare["value"], "not compared");
  EXPECT_EQ(bare["class"], "");
  EXPECT_EQ(end_of("vec_add")["class"], "good");
  EXPECT_EQ(end_of("vec_add --max-cycles 3000")["class"], "bad");
  std::ofstream(file("scenario.toml")) << "kernel = 'k.sasm'\nsummary = 's'\n[[launch]]\ngrid = 1\nblock = 32\n";
  std::ofstream(file("s.toml")) << "kernels = ['scenario.toml']\n";
  ASSERT_EQ(shell("cd " + folder_.string() + " && " G80_PROGRAM " sweep s.toml").code, 0);
  const Json sweep = page(text_of(file("s.sweep/report.html")));
  EXPECT_EQ(sweep["sections"][0]["items"][0]["tiles"][1]["class"], "");
  EXPECT_EQ(sweep["sections"].back()["items"][0]["rows"][0][1], Json({{"text", "not compared"}, {"class", ""}}));
}

/// What a browser says of a page: the value of an expression in JavaScript.
std::string in_browser(const fs::path& folder, const std::string& html, const std::string& expression) {
  const std::string file = (folder / "asked.html").string(), begin = "answer{";
  std::ofstream(file) << html << "<script>document.body.prepend('answer' + '{' + (" << expression
                      << ") + '}');</script>";
  const std::string dom =
      shell("timeout 1000 chromium --headless=new --no-sandbox --disable-gpu --window-size=1280,1000 --user-data-dir=" +
            folder.string() + "/profile --virtual-time-budget=3000 --dump-dom file://" + file)
          .output;
  const std::size_t at = dom.find(begin) + begin.size();
  return dom.find(begin) == std::string::npos ? dom : dom.substr(at, dom.find('}', at) - at);
}

// Where no browser is: the page has the lines, and its style keeps their ends.
TEST_F(Files, TheReportHasTheLinesOfAHang) {
  const Json stats = run("dot_product_hang --check off --report " + file("r.html"));
  const std::string html = text_of(file("r.html"));
  EXPECT_THAT(html, ::testing::ContainsRegex("\\.text \\{[^}]*white-space: pre-(wrap|line);"));
  const std::string message = stats["runs"][0]["launches"][0]["message"];
  ASSERT_THAT(message, HasSubstr("\n"));
  EXPECT_THAT(page(html)["sections"][0]["items"].dump(), HasSubstr(Json(message).dump().substr(1, 200)));
}

TEST_F(Files, ABrowserShowsTheLinesOfAHang) {
  if (shell("command -v chromium").code != 0) GTEST_SKIP() << "chromium is not installed";
  const Json stats = run("dot_product_hang --check off --report " + file("r.html"));
  const std::string message = stats["runs"][0]["launches"][0]["message"];
  ASSERT_THAT(message, HasSubstr("\n"));
  EXPECT_THAT(in_browser(folder_, text_of(file("r.html")), "document.querySelector('p.text').innerText"),
              HasSubstr(message.substr(0, message.find('\n') + 1)))
      << "a line ends where the message's does";
}

TEST_F(Files, ABrowserShowsSourceLinesWhole) {
  if (shell("command -v chromium").code != 0) GTEST_SKIP() << "chromium is not installed";
  std::ofstream(file("k.cu"))
      << "__global__ void scale_and_add(int count, float factor, const float* from, float* to) { "
         "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < count) to[i] = factor * "
         "from[i] + to[i]; }\n";
  const std::string launch = "run k.cu --grid 4 --block 64 --arg 256 --arg 2.0 --arg f32[256] --arg f32[256] ";
  run(launch.substr(4) + "--check off --report " + file("r.html"));
  const std::string source = "[...document.querySelectorAll('.scroll:has(td.source)')]";
  EXPECT_EQ(in_browser(folder_, text_of(file("r.html")),
                       source +
                           ".filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth).length + "
                           "' of ' + " +
                           source + ".length"),
            "0 of 2")
      << "tables that are cut at the edge of their card";
}

TEST_F(Files, TheReportNeedsNoNetwork) {
  run("vec_add --check off --report " + file("r.html"));
  std::string html = text_of(file("r.html"));
  const std::size_t from = html.find("id=\"page\""), to = html.find("</script>", from);
  html.erase(from, to - from);                           // texts of the run are no links
  const std::string svg = "http://www.w3.org/2000/svg";  // a name, not an address
  if (const std::size_t at = html.find(svg); at != std::string::npos) html.erase(at, svg.size());
  for (const char* word :
       {"http:", "https:", "//cdn", "@import", "url(", "fetch(", "XMLHttpRequest", "import(", "<link", " src="}) {
    EXPECT_THAT(html, Not(HasSubstr(word)));
  }
}

TEST_F(Files, ABrowserDrawsEveryPlotOfTheReportWithoutAnError) {
  if (shell("command -v chromium").code != 0) GTEST_SKIP() << "chromium is not installed";
  run("vec_add --check off --report " + file("r.html"));
  const Json data = page(text_of(file("r.html")));
  std::size_t plots = 0;
  for (const Json& section : data["sections"]) {
    for (const Json& item : section["items"]) plots += item["kind"] == "plot";
  }
  const auto browser =
      shell("timeout 1000 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir=" + folder_.string() +
            "/profile --enable-logging=stderr --virtual-time-budget=3000 --dump-dom file://" + file("r.html"));
  const std::string& dom = browser.output;
  EXPECT_THAT(dom, Not(HasSubstr("Uncaught")));
  std::size_t drawn = 0;
  for (std::size_t at = 0; (at = dom.find("<svg ", at)) != std::string::npos; ++at)
    drawn += dom.compare(dom.find('>', at) + 1, 5, "<line") == 0;
  EXPECT_EQ(drawn, plots) << "each plot begins with a line of its grid";
  EXPECT_GT(plots, 6u);
}

TEST_F(Files, ASuiteHasNoReport) {
  const auto outcome = shell(G80_PROGRAM " suite --only vec_add --report " + file("r.html"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("--report is a page of one run"));
}

}  // namespace
}  // namespace g80
