// SPDX-License-Identifier: Apache-2.0
// The cut of the copy engine in SystemVerilog against the function in C++.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/common/field_values.h"
#include "hw/host/byte_mask.h"
#include "hw/host/copy_engine.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/clock_edge.h"

#include "Vcut_piece.h"

namespace g80 {
namespace {

struct Cut {
  CutPiece cut;
  std::array<std::uint64_t, 2> byte_enable;
  CopyOrder left;
};

std::uint64_t both(std::uint64_t low, std::uint64_t high, unsigned bits) { return low | high << bits; }

/// Compares the edge of the twin with the function, whose result it returns.
Cut check_cut(Vcut_piece& model, const CopyOrder& order, std::uint32_t line_bytes) {
  const CopySurface &a = order.surface, &b = order.source_surface;
  model.on_device_i = order.op == CopyOp::kOnDevice;
  model.on_link_i = order.op == CopyOp::kToDevice || order.op == CopyOp::kFromDevice;
  model.line_bytes_i = line_bytes;
  model.bytes_i = order.bytes;
  model.lines_i = order.lines;
  model.host_address_i = order.host_address;
  model.host_pitch_i = order.host_pitch;
  model.address_i = both(order.device_address, order.source_address, 32);
  model.pitch_i = both(order.pitch, order.source_pitch, 32);
  model.block_linear_i = static_cast<std::uint8_t>(both(a.block_linear, b.block_linear, 1));
  model.height_i = static_cast<std::uint8_t>(both(a.block.height, b.block.height, 3));
  model.depth_i = static_cast<std::uint8_t>(both(a.block.depth, b.block.depth, 3));
  model.x_i = both(a.x, b.x, 32);
  model.y_i = static_cast<std::uint32_t>(both(a.y, b.y, 16));
  model.z_i = static_cast<std::uint32_t>(both(a.z, b.z, 12));
  testing::clock_edge(model);

  Cut expected{{}, {}, order};
  expected.cut = cut_piece(expected.left, line_bytes);
  const CopyPiece& piece = expected.cut.piece;
  expected.byte_enable = byte_mask(piece.first, piece.count);
  const CopyOrder& left = expected.left;
  EXPECT_EQ(model.piece_address_o, piece.address);
  EXPECT_EQ(model.piece_bytes_o, piece.bytes);
  EXPECT_EQ(model.piece_first_o, piece.first);
  EXPECT_EQ(model.piece_count_o, piece.count);
  for (unsigned word = 0; word < 4; ++word) {
    EXPECT_EQ(model.byte_enable_o[word], static_cast<std::uint32_t>(expected.byte_enable[word / 2] >> 32 * (word % 2)));
  }
  EXPECT_EQ(model.target_o, expected.cut.target);
  EXPECT_EQ(model.bytes_o, left.bytes);
  EXPECT_EQ(model.lines_o, left.lines);
  EXPECT_EQ(model.host_address_o, left.host_address);
  EXPECT_EQ(model.address_o, both(left.device_address, left.source_address, 32));
  EXPECT_EQ(model.x_o, both(left.surface.x, left.source_surface.x, 32));
  EXPECT_EQ(model.y_o, both(left.surface.y & 0xffff, left.source_surface.y & 0xffff, 16));
  return expected;
}

void draw_surface(CopySurface& surface, std::mt19937& random) {
  surface.block_linear = random() % 2 != 0;
  surface.block = {static_cast<std::uint8_t>(random() % 6), static_cast<std::uint8_t>(random() % 6)};
  surface.x = static_cast<std::uint32_t>(random() % (random() % 2 != 0 ? 1u << 20 : 200));
  surface.y = static_cast<std::uint32_t>(random() & 0xffff);
  surface.z = static_cast<std::uint32_t>(random() & 0xfff);
  if (random() % 4 == 0) surface.y |= 0xff;
}

TEST(CutPieceTwin, CutsOrdersAsInCpp) {
  std::mt19937_64 wide(random_seed());
  std::mt19937 random(static_cast<unsigned>(wide()));
  Vcut_piece model;
  unsigned lines = 0, rows = 0, pages = 0, split = 0, last = 0;
  const CopyOp ops[] = {CopyOp::kToDevice, CopyOp::kFromDevice, CopyOp::kFill, CopyOp::kOnDevice};
  for (unsigned step = 0; step < 100'000; ++step) {
    CopyOrder order;
    order.op = ops[random() % 4];
    order.bytes = 1 + (random() % 2 != 0 ? random() % 140 : random() >> random() % 32);
    if (order.bytes == 0) order.bytes = 1;
    order.lines = 1 + random() % 3;
    for (std::uint32_t* const number :
         {&order.device_address, &order.source_address, &order.pitch, &order.source_pitch, &order.host_pitch})
      *number = static_cast<std::uint32_t>(random());
    order.host_address = wide() | (random() % 2 != 0 ? 0xf00 : 0);
    if (random() % 8 == 0) order.host_address |= 0xffff'ff00;
    draw_surface(order.surface, random);
    draw_surface(order.source_surface, random);
    const auto line_bytes = static_cast<std::uint32_t>(order.bytes + random() % 1000);
    const Cut cut = check_cut(model, order, line_bytes);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "step " << step << ", " << line_bytes << " of " << order;
    lines += cut.left.lines != order.lines;
    rows += order.surface.block_linear && cut.left.device_address != order.device_address;
    pages += cut.left.host_address % 4096 == 0;
    split += cut.cut.piece.bytes == 128 && cut.cut.piece.count <= 64;
    last += cut.left.bytes == 0;
  }
  EXPECT_GT(lines, 10'000u);
  EXPECT_GT(rows, 1'000u) << "the next line is in the next row of blocks";
  EXPECT_GT(pages, 1'000u) << "the page of the host ends";
  EXPECT_GT(split, 1'000u) << "a short piece lies on both sides of the middle";
  EXPECT_GT(last, 3'000u);
}

TEST(CutPieceTwin, CutsTheLinesOfASurfaceAtItsRowsOfBlocks) {
  Vcut_piece model;
  CopyOrder order;
  order.op = CopyOp::kOnDevice;
  order.device_address = 0x10000;
  order.bytes = 70;
  order.lines = 5;
  order.source_address = 0x2000 + 100;
  order.source_pitch = 1000 - 70;
  order.pitch = 0x800;  // of a row of blocks
  order.surface = {true, {0, 0}, 256, 64, 60, 3, 0};
  const struct {
    std::uint32_t target, from, count;
  } pieces[] = {{0x100fc, 0x2064, 4}, {0x101c0, 0x2068, 24}, {0x101d8, 0x2080, 40}, {0x102c0, 0x20a8, 2}};
  for (const auto& [target, from, count] : pieces) {
    const auto [cut, byte_enable, left] = check_cut(model, order, 70);
    EXPECT_EQ(cut.target, target);
    EXPECT_EQ(cut.piece.address + cut.piece.first, from);
    EXPECT_EQ(cut.piece.count, count);
    order = left;
  }
  EXPECT_EQ(order.lines, 4u);
  EXPECT_EQ(order.bytes, 70u);
  EXPECT_EQ(order.device_address, 0x10800u) << "line 4 is in the next row of blocks";
  EXPECT_EQ(order.source_address, 0x2064u + 1000);
  EXPECT_EQ(order.surface.x, 60u);
  EXPECT_EQ(order.surface.y, 4u);
}

}  // namespace
}  // namespace g80
