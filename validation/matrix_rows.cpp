// SPDX-License-Identifier: Apache-2.0
// Rows of matrix products in single precision.
//
// The first product shows the upper limit if all multiply-adds take one operand from s[]: each of 64 threads keeps 16
// sums in registers and multiplies an element of A with a column of 16 x 16 elements of B in s[]. The second is the
// product of the textbook: 256 threads load 16 x 16 elements of A and of B into s[], and each computes one element. It
// has the style of the first CUBLAS, not its code. The chip is full of blocks, and the rate is the difference between
// two lengths of the inner loop. The third product has no tiles: each thread loads a row of A and a column of B, so the
// lanes of a half-warp load one word of A, and sixteen words of B in order. The last three (validation/kernels) have
// the tiles of the second and are CUDA: what the compiler makes of the inner loop decides.
#include <fmt/format.h>

#include <cstring>

#include "hw/config/occupancy.h"
#include "input/input_error.h"
#include "validation/rows.h"

namespace g80::silicon {
namespace {

constexpr const char* kRyoo = "Ryoo et al., PPoPP 2008: 4096 x 4096";
constexpr const char* kCeiling = "sm.shared_operand_cycles: 16 of 17 instructions are MADs with s[]";
constexpr const char* kPairs = "the issue port and the port of s[]: a read of s[] and a MAD with s[] for each product";
constexpr double kStyle = 0.15;                // tolerance: the measured kernel is NVIDIA's, this one is only similar
constexpr unsigned kColumns = 16, kTile = 16;  // of C and of a block; steps of k between two barriers
constexpr unsigned kPitch = 68;                // bytes from column to column of B's tile: no bank conflicts

// C = A B, stored by columns. $r8 to $r23 are the sums, $r24 to $r27 the next elements of A; the thread stores its
// elements of B at $a1. $r4 points into A: column 64 block.x + 16 y + x; $r28 into C: the same rows, column 16 block.y;
// $r3 into B: column 16 block.y + y, row x.
std::string product() {
  std::string text =
      ".kernel product\n.reg 32\n.smem 1152\n.param ptr c\n.param ptr a\n.param ptr b\n.param u32 column_of_a\n.param "
      "u32 column_of_b\n.param u32 tiles\n"
      "  and b32 $r1 $r0 0xf\n  shr u32 $r2 $r0 0x10\n"
      "  mul $r3 u24 $r1 0x44\n  shl b32 $r4 $r2 0x2\n  add b32 $r3 $r3 $r4\n  shl $a1 $r3 0x0\n"  // 68 x + 4 y
      "  shl b32 $r4 $r2 0x4\n  add b32 $r4 $r4 $r1\n  mov b32 $r5 u16 s[0xc]\n  shl b32 $r5 $r5 0x6\n  add b32 $r4 "
      "$r4 $r5\n  shl b32 $r4 $r4 0x2\n"
      "  mov b32 $r28 $r4\n  add b32 $r4 b32 s[a] $r4\n"
      "  mov b32 $r3 u16 s[0xe]\n  shl b32 $r3 $r3 0x4\n  add b32 $r5 $r3 $r2\n  mov b32 $r7 b32 s[column_of_b]\n  mov "
      "b32 $r6 b32 s[column_of_a]\n"
      "  mul $r5 u24 $r5 $r7\n  mul $r3 u24 $r3 $r6\n  add b32 $r28 $r28 $r3\n  add b32 $r28 b32 s[c] $r28\n"
      "  shl b32 $r3 $r1 0x2\n  add b32 $r3 $r3 $r5\n  add b32 $r3 b32 s[b] $r3\n  shl b32 $r7 $r7 0x2\n"
      "  mov b32 $r0 b32 s[tiles]\n";
  for (unsigned j = 0; j < kColumns; ++j) text += fmt::format("  mov b32 $r{} 0x0\n", 8 + j);
  text += "again:\n";
  const auto next_of_a = [&](unsigned i) {
    text += fmt::format("  ld b32 $r{} g14[$r4]\n  add b32 $r4 $r4 $r6\n", 24 + i % 4);
  };
  for (unsigned i = 0; i < 4; ++i) next_of_a(i);
  text += "  mov b32 $r2 $r3\n";
  for (const char* reg : {"$r1", "$r5", "$r29", "$r30"})
    text += fmt::format("  ld b32 {} g14[$r2]\n  add b32 $r2 $r2 $r7\n", reg);
  text +=
      "  st b32 s[$a1+0x40] $r1\n  st b32 s[$a1+0x50] $r5\n  st b32 s[$a1+0x60] $r29\n  st b32 s[$a1+0x70] $r30\n  bar "
      "inc wait 0x0 0xfff\n"
      "  add $a2 0x0 0x40\n";
  for (unsigned i = 0; i < kTile; ++i) {
    for (unsigned j = 0; j < kColumns; ++j) {
      text += fmt::format("  add f32 $r{0} (mul b32 s[$a2+{1:#x}] $r{2}) $r{0}\n", 8 + j, 4 * j, 24 + i % 4);
    }
    if (i + 4 < kTile) next_of_a(i);
    if (i + 1 < kTile) text += fmt::format("  add $a2 $a2 {:#x}\n", kPitch);
  }
  text +=
      "  add b32 $r3 $r3 0x40\n  add b32 $r0 $r0 0xffffffff\n  set $c0 # lg s32 $r0 $r124\n  bar inc wait 0x0 0xfff\n  "
      "(lg $c0) bra again\n";
  for (unsigned j = 0; j < kColumns; ++j)
    text += fmt::format("  st b32 g14[$r28] $r{}\n  add b32 $r28 $r28 $r6\n", 8 + j);
  return text + "  exit nop\n";
}

// The same product with one thread for each element: $r7 is its sum; $r3, $r4 and $r5 point into A, B and C. A's tile
// has the layout of B's above, so that a thread reaches all its elements from one address register. It stores its
// elements at $a1 and $a4; $a2 is its row of A, $a3 its column of B.
std::string product_of_tiles() {
  std::string text =
      ".kernel product\n.reg 10\n.smem 2176\n.param ptr c\n.param ptr a\n.param ptr b\n.param u32 column_of_a\n"
      ".param u32 column_of_b\n.param u32 tiles\n"
      "  and b32 $r1 $r0 0xf\n  shr u32 $r2 $r0 0x10\n  mul $r5 u24 $r1 0x44\n  shl $a2 $r5 0x0\n  add $a2 $a2 0x40\n"
      "  shl b32 $r4 $r2 0x2\n  add b32 $r5 $r5 $r4\n  shl $a1 $r5 0x0\n"  // 68 x + 4 y
      "  shl b32 $r3 $r2 0x6\n  shl $a3 $r3 0x0\n  add $a3 $a3 0x480\n"
      "  shl b32 $r4 $r1 0x2\n  add b32 $r3 $r3 $r4\n  shl $a4 $r3 0x0\n"  // 64 y + 4 x
      "  mov b32 $r6 b32 s[column_of_a]\n  mov b32 $r5 u16 s[0xc]\n  shl b32 $r5 $r5 0x6\n  add b32 $r5 $r5 $r4\n"
      "  mul $r3 u24 $r2 $r6\n  add b32 $r3 $r3 $r5\n  add b32 $r3 b32 s[a] $r3\n"  // row 16 block.x + x, column y
      "  mov b32 $r7 u16 s[0xe]\n  shl b32 $r7 $r7 0x4\n  add b32 $r7 $r7 $r2\n"    // column 16 block.y + y
      "  mul $r8 u24 $r7 $r6\n  add b32 $r5 $r5 $r8\n  add b32 $r5 b32 s[c] $r5\n"
      "  mov b32 $r8 b32 s[column_of_b]\n  mul $r8 u24 $r7 $r8\n  add b32 $r4 $r4 $r8\n  add b32 $r4 b32 s[b] $r4\n"
      "  shl b32 $r6 $r6 0x4\n  mov b32 $r0 b32 s[tiles]\n  mov b32 $r7 0x0\n"
      "again:\n  ld b32 $r1 g14[$r3]\n  ld b32 $r2 g14[$r4]\n  add b32 $r3 $r3 $r6\n  add b32 $r4 $r4 0x40\n"
      "  st b32 s[$a1+0x40] $r1\n  st b32 s[$a4+0x480] $r2\n  bar inc wait 0x0 0xfff\n";
  for (unsigned k = 0; k < kTile; ++k) {
    text += fmt::format("  mov b32 $r{0} b32 s[$a2+{1:#x}]\n  add f32 $r7 (mul b32 s[$a3+{1:#x}] $r{0}) $r7\n",
                        1 + k % 2, 4 * k);
  }
  return text +
         "  add b32 $r0 $r0 0xffffffff\n  set $c0 # lg s32 $r0 $r124\n  bar inc wait 0x0 0xfff\n  (lg $c0) bra again\n"
         "  st b32 g14[$r5] $r7\n  exit nop\n";
}

struct Product {
  std::string (*text)();
  unsigned rows, columns, threads;  // of C for each block; threads in y, 16 in x
  BlockNeeds needs;
};
const Product kRegisters = {product, 64, kColumns, 4, {64, 32, 1152}};
const Product kTiles = {product_of_tiles, 16, 16, 16, {256, 10, 2176}};

// Small integers, so that every sum is exact in any order.
float element_of_a(unsigned row, unsigned k) { return static_cast<float>((row + 3 * k) % 5); }
float element_of_b(unsigned k, unsigned column) { return static_cast<float>((2 * k + column) % 7); }

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  return bits;
}

// Shader cycles of C = A B, where C has as many blocks as the chip holds at once.
double product_cycles(Bench& bench, const Product& product, unsigned blocks_x, unsigned blocks_y, unsigned tiles) {
  const unsigned rows = blocks_x * product.rows, columns = blocks_y * product.columns, k = tiles * kTile;
  Experiment experiment;
  experiment.kernel = product.text();
  experiment.grid = {blocks_x, blocks_y, 1};
  experiment.block = {kTile, product.threads, 1};
  experiment.buffers = {Words(rows * columns), Words(rows * k), Words(k * columns)};
  for (unsigned i = 0; i < rows * k; ++i) experiment.buffers[1][i] = bits_of(element_of_a(i % rows, i / rows));
  for (unsigned i = 0; i < k * columns; ++i) experiment.buffers[2][i] = bits_of(element_of_b(i % k, i / k));
  experiment.params = {rows * 4, k * 4, tiles};
  const Observation seen = bench.run(std::move(experiment));
  for (unsigned i = 0; i < rows * columns; i += 97) {
    float sum = 0;
    for (unsigned n = 0; n < k; ++n) sum += element_of_a(i % rows, n) * element_of_b(n, i / rows);
    if (seen.buffers[0][i] != bits_of(sum)) throw InputError(fmt::format("product: element {} is wrong", i));
  }
  return static_cast<double>(seen.result.shader_cycles);
}

double product_gflops(Bench& bench, const Product& product) {
  constexpr unsigned kFew = 4, kMany = 10;  // in the first tiles the blocks are still in step, and lines of code come
  const unsigned blocks = bench.num_sms() * occupancy(bench.config(), product.needs).blocks;
  const unsigned across = blocks % 8 == 0 ? 8 : 4;
  const double cycles = product_cycles(bench, product, across, blocks / across, kMany) -
                        product_cycles(bench, product, across, blocks / across, kFew);
  return 2.0 * blocks * product.rows * product.columns * kTile * (kMany - kFew) / (cycles / bench.shader_hz()) / 1e9;
}
double of_registers(Bench& bench) { return product_gflops(bench, kRegisters); }
double of_tiles(Bench& bench) { return product_gflops(bench, kTiles); }

// One element of C a thread, of matrices stored by rows of `pitch` bytes. $r3 and $r4 point into A and B.
std::string naive_product() {
  return ".kernel product\n.reg 10\n.param ptr c\n.param ptr a\n.param ptr b\n.param u32 pitch\n.param u32 steps\n"
         "  and b32 $r1 $r0 0xf\n  shr u32 $r2 $r0 0x10\n  mov b32 $r6 b32 s[pitch]\n"
         "  mov b32 $r3 u16 s[0xe]\n  shl b32 $r3 $r3 0x4\n  add b32 $r3 $r3 $r2\n  mul $r3 u24 $r3 $r6\n"
         "  mov b32 $r4 u16 s[0xc]\n  shl b32 $r4 $r4 0x4\n  add b32 $r4 $r4 $r1\n  shl b32 $r4 $r4 0x2\n"
         "  add b32 $r5 $r3 $r4\n  add b32 $r5 b32 s[c] $r5\n  add b32 $r3 b32 s[a] $r3\n"
         "  add b32 $r4 b32 s[b] $r4\n  mov b32 $r0 b32 s[steps]\n  mov b32 $r7 0x0\n"
         "again:\n  ld b32 $r1 g14[$r3]\n  ld b32 $r2 g14[$r4]\n  add b32 $r3 $r3 0x4\n  add b32 $r4 $r4 $r6\n"
         "  add b32 $r0 $r0 0xffffffff\n  set $c0 # lg s32 $r0 $r124\n  add f32 $r7 (mul $r1 $r2) $r7\n"
         "  (lg $c0) bra again\n  st b32 g14[$r5] $r7\n  exit nop\n";
}

// `steps` steps of the first blocks of a product of 4096 x 4096; `kernel` and `entry` as in Experiment.
LaunchResult first_blocks(Bench& bench, const std::string& kernel, const std::string& entry, unsigned blocks,
                          unsigned steps) {
  constexpr unsigned kWidth = 4096;
  Experiment experiment;
  experiment.kernel = kernel;
  experiment.entry = entry;
  experiment.grid = {blocks, 1, 1};
  experiment.block = {kTile, kTile, 1};
  experiment.buffers = {Words(kTile * kWidth), Words(kTile * kWidth), Words(steps * kWidth)};
  for (unsigned i = 0; i < kTile * kWidth; ++i)
    experiment.buffers[1][i] = bits_of(element_of_a(i / kWidth, i % kWidth));
  for (unsigned i = 0; i < steps * kWidth; ++i)
    experiment.buffers[2][i] = bits_of(element_of_b(i / kWidth, i % kWidth));
  experiment.params = {entry.empty() ? kWidth * 4 : kWidth, steps};
  const Observation seen = bench.run(std::move(experiment));
  for (unsigned i = 0; i < kTile * kWidth; i += 97) {
    if (i % kWidth >= blocks * kTile) continue;
    float sum = 0;
    for (unsigned n = 0; n < steps; ++n) sum += element_of_a(i / kWidth, n) * element_of_b(n, i % kWidth);
    if (seen.buffers[0][i] != bits_of(sum)) throw InputError(fmt::format("{}: element {} is wrong", entry, i));
  }
  return seen.result;
}

// As many blocks as the chip holds at once.
double gflops_of_elements(Bench& bench, const std::string& kernel, const std::string& entry) {
  constexpr unsigned kFew = 48, kMany = 112;  // from the third tile on the blocks are out of step
  const unsigned blocks = bench.num_sms() * first_blocks(bench, kernel, entry, 1, kFew).occupancy.blocks;
  const auto cycles = static_cast<double>(first_blocks(bench, kernel, entry, blocks, kMany).shader_cycles -
                                          first_blocks(bench, kernel, entry, blocks, kFew).shader_cycles);
  return 2.0 * blocks * kTile * kTile * (kMany - kFew) / (cycles / bench.shader_hz()) / 1e9;
}

#define TILED(id, what, gflops, entry)                                                                  \
  {                                                                                                     \
    id, 'D', "8800gtx", "matrix product, an element a thread: " what, "Gflop/s", gflops, gflops, kRyoo, \
        "instructions of the loop: compiled code",                                                      \
        [](Bench& b) { return gflops_of_elements(b, "products.cu", entry); }, kStyle                    \
  }

const std::vector<Row> kMatrixRows = {
    {"sgemm", 'D', "8800gtx", "matrix product, B from s[]", "Gflop/s", 206, 206, kVolkov, kCeiling, of_registers},
    {"sgemm_8600gts", 'D', "8600gts", "matrix product, B from s[]", "Gflop/s", 56, 56, kVolkov, kCeiling, of_registers},
    {"sgemm_tiles", 'D', "8800gtx", "matrix product in the style of CUBLAS 1.1, A and B from s[]", "Gflop/s", 127, 127,
     kVolkov, kPairs, of_tiles, kStyle},
    {"sgemm_tiles_8600gts", 'D', "8600gts", "matrix product in the style of CUBLAS 1.1, A and B from s[]", "Gflop/s",
     34, 34, kVolkov, kPairs, of_tiles, kStyle},
    {"matmul_naive", 'D', "8800gtx", "matrix product without tiles: lanes of a half-warp load one word of A", "Gflop/s",
     10.58, 10.58, kRyoo, "sm.address_cycles: the addresses of lanes with one word leave one by one",
     [](Bench& b) { return gflops_of_elements(b, naive_product(), ""); }, kStyle},
    TILED("matmul_tiled", "16 x 16 tiles in s[]", 46.49, "tiled"),
    TILED("matmul_unrolled", "16 x 16 tiles in s[], inner loop unrolled", 91.14, "unrolled"),
    TILED("matmul_prefetched", "the same, the next tile loaded before this one is used", 87.10, "prefetched"),
};

}  // namespace

const std::vector<Row>& matrix_rows() { return kMatrixRows; }

}  // namespace g80::silicon
