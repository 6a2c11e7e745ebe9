// SPDX-License-Identifier: Apache-2.0
// A scenario: one kernel program, its arguments, data, launches and expected results. It comes from scenario.toml
// (docs/scenario.md), or from the command line for a bare kernel file. It is symbolic: arguments have no values
// yet.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/scenario/element_type.h"

namespace g80 {

/// Text of an expression and its position in the file, for messages.
struct ScenarioText {
  std::string text;
  std::string where;  // "kernels/vec_add/scenario.toml:12: launch.grid"
};

struct ArgumentDecl {
  std::string name;
  ElementType type = ElementType::kU32;
  ScenarioText default_value;  // may use the arguments before it
  std::optional<ScenarioText> min, max;
  std::string doc;
};

/// A condition on the arguments and the error message if it is false.
struct RequireDecl {
  ScenarioText condition;
  std::string message;
};

enum class InitKind : std::uint8_t { kExpression, kValues, kFile };

struct BufferDecl {
  std::string name;
  ElementType type = ElementType::kU32;
  ScenarioText count;
  InitKind init = InitKind::kExpression;
  ScenarioText init_text;                   // expression over i and the arguments, or a file name
  std::optional<std::uint64_t> seed;        // of uniform() and random(); else that of the run
  std::vector<ScenarioText> values;         // kValues: repeated to fill the buffer
  bool scratch = false;                     // contents after the run are not compared
  std::uint64_t ulp = 0;                    // f32/f64: distance that still counts as equal; 0 = exact
  std::optional<ScenarioText> expect;       // expression over i and the arguments
  std::optional<ScenarioText> golden_file;  // recorded contents
};

/// Elements written into a __constant__ or __device__ variable before the first launch.
struct ConstantDecl {
  std::string name;          // of the variable in the kernel source
  std::uint32_t offset = 0;  // bytes into it
  ElementType type = ElementType::kU32;
  ScenarioText count;
  ScenarioText init;
  std::string where;
};

enum class TexelElement : std::uint8_t {
  kUnorm8,
  kUnorm16,
  kSnorm8,
  kSnorm16,
  kU8,
  kS8,
  kU16,
  kS16,
  kU32,
  kS32,
  kF16,
  kF32
};
enum class TextureFilter : std::uint8_t { kPoint, kLinear };
enum class TextureWrap : std::uint8_t { kClamp, kWrap, kMirror, kBorder };

struct TextureDecl {
  std::string name;  // .texture of the kernel source
  std::uint32_t unit = 0;
  std::string buffer;
  TexelElement texel = TexelElement::kF32;
  unsigned channels = 1;  // 1, 2, 4
  unsigned dimensions = 1;
  bool linear_memory = false;  // tex1Dfetch on linear memory: integer coordinates, no filter
  ScenarioText width, height;
  TextureFilter filter = TextureFilter::kPoint;
  TextureWrap wrap_x = TextureWrap::kClamp, wrap_y = TextureWrap::kClamp;
  bool normalized = false;
  std::string where;
};

struct ParamDecl {
  ElementType type = ElementType::kU32;
  bool typed = true;   // false: the kernel says which type; if it does not, a whole number is a u32, a real one an f32
  ScenarioText value;  // expression over the arguments and the buffers' addresses
};

struct LaunchDecl {
  std::string kernel;
  std::vector<ScenarioText> grid, block;  // 1..2 and 1..3 expressions
  std::vector<ParamDecl> params;
  std::optional<ScenarioText> dynamic_shared;  // bytes
  std::optional<ScenarioText> repeat;          // default 1
  std::string where;
};

/// How a run must end.
enum class Expectation : std::uint8_t { kPass, kBarrierDeadlock, kLivelock, kFault };

struct Scenario {
  std::string name;    // folder or file stem
  std::string path;    // the scenario or kernel file, as shown in messages
  std::string folder;  // where its files are looked for
  std::string summary;
  std::string kernel_file;
  std::string device = "8600gts";
  std::vector<ScenarioText> config;  // "key=value" overrides, in file order
  std::vector<ArgumentDecl> args;
  std::vector<RequireDecl> require;
  std::vector<BufferDecl> buffers;
  std::vector<ConstantDecl> constants;
  std::vector<TextureDecl> textures;
  std::vector<LaunchDecl> launches;
  std::string golden;  // function of tb/scenario/goldens.def; empty: `expect` expressions and recorded files only
  std::vector<std::string> print;  // buffers whose contents are shown after the run
  std::string host_sum;  // f32 buffer whose elements the host adds in order, as the program's last step; or empty
  Expectation expect = Expectation::kPass;
  std::string order_dependent;                            // the reason, or empty
  std::uint64_t max_cycles = 0;                           // default limit of this scenario; 0 = none
  std::vector<std::map<std::string, std::string>> suite;  // argument sets of the main job; empty: not in it
};

std::string_view expectation_name(Expectation expectation);

}  // namespace g80
