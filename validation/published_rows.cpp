// SPDX-License-Identifier: Apache-2.0
// Rows of whole programs (validation/kernels/published.cu). A rate is the difference between two sizes of a launch, so
// that neither the start nor the end count. None of these rows decided a number or a mechanism of the model.
#include <array>

#include "validation/rows.h"

namespace g80::silicon {
namespace {

constexpr const char* kRuetsch =
    "Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009, quoted from memory: 2048 x 2048";
constexpr const char* kSlides = "NVIDIA tutorial CUDA, 2007 and 2008, quoted from memory: on a G80 board";
constexpr const char* kPractices = "CUDA Best Practices Guide 2.3, table 3.3, quoted from memory";
constexpr const char* kDram = "DRAM data bus: rows of tiles, turnarounds; camping on partitions";
constexpr const char* kCode = "instructions of the loop: compiled code";
constexpr double kAsPrinted = 0.15;

struct Program {
  const char* entry;
  std::array<std::uint32_t, 3> less, more;  // grids
  std::array<std::uint32_t, 3> block;
  unsigned buffers;
  std::uint32_t bytes;            // of each
  Words params{}, less_params{};  // less_params: where the small launch differs
};

// Seconds of what the larger launch does beyond the smaller one.
double seconds(Bench& bench, const Program& program) {
  const auto of = [&](const std::array<std::uint32_t, 3>& grid, const Words& params) {
    Experiment experiment;
    experiment.kernel = "published.cu";
    experiment.entry = program.entry;
    experiment.grid = grid;
    experiment.block = program.block;
    experiment.buffers.assign(program.buffers, Words(program.bytes / 4, 0x3fc00000));  // 1.5
    experiment.params = params;
    return experiment;
  };
  return bench.cycles_beyond(of(program.more, program.params),
                             of(program.less, program.less_params.empty() ? program.params : program.less_params)) /
         bench.shader_hz();
}

// GB/s, read and written, of tiles of 32 x 32 in rows of 64 tiles.
double tiles(Bench& bench, const char* entry, unsigned few, unsigned many) {
  return 2e-9 * 4 * 2048 * 32 * (many - few) /
         seconds(bench, {entry, {64, few, 1}, {64, many, 1}, {32, 8, 1}, 2, 4 * 2048 * 2048, {2048}});
}
// Milliseconds of a transpose of 1024 x 1024.
double transpose(Bench& bench, const char* entry, unsigned few, unsigned many) {
  return 1e3 * 64 / (many - few) *
         seconds(bench, {entry, {64, few, 1}, {64, many, 1}, {16, 16, 1}, 2, 4 * 1024 * 1024, {1024, 1024}});
}
double product_seconds(Bench& bench, const char* entry) {
  return seconds(bench, {entry, {128, 2, 1}, {128, 6, 1}, {16, 16, 1}, 3, 4 * 2048 * 96, {2048}});
}
double tile_of_a(Bench& bench) {
  return product_seconds(bench, "rows_by_columns") / product_seconds(bench, "tile_by_columns");
}
// Gflop/s of a product whose inner length is 96, by as many blocks as the chip holds at once.
double gemm(Bench& bench, const char* entry, unsigned columns, unsigned bytes) {
  const unsigned rows = 64 * bench.num_sms();
  const std::array<std::uint32_t, 3> grid{bench.num_sms(), columns, 1};
  return 2e-9 * rows * 16 * columns * 96 /
         seconds(bench, {entry, grid, grid, {16, 4, 1}, 3, rows * 128 * bytes, {rows, 128, 128}, {rows, 128, 32}});
}

const std::vector<Row> kPublishedRows = {
    {"copy_tiles", 'B', "gtx280", "copy by tiles of 32 x 32", "GB/s", 96.9, 96.9, kRuetsch, kDram,
     [](Bench& b) { return tiles(b, "copy_tiles", 4, 12); }},
    {"copy_shared", 'B', "gtx280", "copy by tiles of 32 x 32 through s[]", "GB/s", 80.9, 80.9, kRuetsch, kDram,
     [](Bench& b) { return tiles(b, "copy_shared", 4, 12); }},
    {"transpose_rows", 'B', "gtx280", "transpose through s[], blocks by rows", "GB/s", 16.6, 16.6, kRuetsch, kDram,
     [](Bench& b) { return tiles(b, "transpose_rows", 4, 12); }},
    {"transpose_diagonal", 'B', "gtx280", "transpose through s[], blocks by diagonals", "GB/s", 69.5, 69.5, kRuetsch,
     kDram, [](Bench& b) { return tiles(b, "transpose_diagonal", 4, 12); }},
    {"transpose_naive", 'B', "8800gtx", "transpose of 1024 x 1024, writes by columns", "ms", 1.92, 1.92, kSlides,
     "hw/mem/coalesce.h: a transaction of 32 bytes for every lane",
     [](Bench& b) { return transpose(b, "transpose_naive", 4, 12); }, kAsPrinted},
    {"transpose_padded", 'B', "8800gtx", "transpose of 1024 x 1024 through s[]", "ms", 0.30, 0.30, kSlides, kDram,
     [](Bench& b) { return transpose(b, "transpose_padded", 16, 48); }},
    {"float3_shared", 'B', "8800gtx", "4K blocks of 256 float3 through s[]", "us", 359, 359, kSlides, kDram,
     [](Bench& b) {
       return 1e6 * 16 * seconds(b, {"float3_shared", {128, 1, 1}, {384, 1, 1}, {256, 1, 1}, 2, 384 * 3072});
     }},
    {"product_tile", 'D', "8800gtx", "C = AB with 16 columns of A: A from s[] beside A from memory", "times", 11.7,
     11.7, kPractices, "coalescer.share_words, sm.address_cycles: lanes that load one word", tile_of_a},
    {"product_tile_gt200", 'D', "gtx280", "C = AB with 16 columns of A: A from s[] beside A from memory", "times", 1.62,
     1.62, kPractices, "hw/mem/coalesce.h: one transaction for one word", tile_of_a},
    {"sgemm_gt200", 'D', "gtx280", "matrix product, B from s[], as published", "Gflop/s", 375, 375, kVolkov, kCode,
     [](Bench& b) { return gemm(b, "sgemm", 8, 4); }},
    {"dgemm_gt200", 'D', "gtx280", "matrix product in f64, B from s[]", "Gflop/s", 75, 75, kVolkov, "sm.num_dps = 1",
     [](Bench& b) { return gemm(b, "dgemm", 4, 8); }},
    {"fft512", 'D', "8800gtx", "Fourier transforms of 512 points", "Gflop/s", 144, 144,
     "Volkov and Kazian, Fitting FFT onto the G80 Architecture, 2008, abstract", kCode,
     [](Bench& b) {
       return 1e-9 * 512 * 45 * 256 / seconds(b, {"fft512", {256, 1, 1}, {512, 1, 1}, {64, 1, 1}, 1, 512 * 512 * 8});
     },
     kAsPrinted},
    {"black_scholes", 'D', "8800gtx", "BlackScholes of the SDK", "Goption/s", 4.45, 4.45,
     "forums.developer.nvidia.com/t/880/6, by the sample's author: a call and a put an index", kCode,
     [](Bench& b) {
       constexpr unsigned kRound = 480 * 128;
       return 1e-9 * 2 * 2 * kRound /
              seconds(b, {"black_scholes",
                          {480, 1, 1},
                          {480, 1, 1},
                          {128, 1, 1},
                          5,
                          3 * kRound * 4,
                          {0x3ca3d70a, 0x3e99999a, 3 * kRound},
                          {0x3ca3d70a, 0x3e99999a, kRound}});
     },
     kAsPrinted},
    {"cyclic_reduction", 'D', "gtx280", "512 tridiagonal systems of 512 equations", "ms", 1.066, 1.066,
     "Zhang, Cohen and Owens, Fast Tridiagonal Solvers on the GPU, PPoPP 2010, quoted from memory",
     "sm.replay_cycles: conflicts of one warp",
     [](Bench& b) {
       return 1e3 * 512 / 60 * seconds(b, {"cyclic_reduction", {30, 1, 1}, {90, 1, 1}, {256, 1, 1}, 5, 90 * 2048});
     },
     kAsPrinted},
    {"udiv_rate", 'D', "gtx280", "divisions of unsigned integers", "an SM and cycle", 0.28, 0.28,
     "Wong et al., ISPASS 2010, quoted from memory", kCode,
     [](Bench& b) {
       return 512 * 64 / b.shader_hz() /
              seconds(b, {"divisions", {1, 1, 1}, {1, 1, 1}, {512, 1, 1}, 1, 2048, {3}, {1}});
     }},
};

}  // namespace

const std::vector<Row>& published_rows() { return kPublishedRows; }

}  // namespace g80::silicon
