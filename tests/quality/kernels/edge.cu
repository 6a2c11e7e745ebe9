// Edges of an image of 16 pixels a row: grey values first, then the sum of the differences to the four neighbours. Each
// thread takes pieces of rows, as many pixels as threads and pixels give.
#include "pointer.h"

// In the order of the binary's literals: (mask of a thread number), the largest grey value, where the grey image lies.
__constant__ int literals[3];

__device__ int bits(int n) {
  int count = 0;
#pragma unroll 1
  while (n > 0) {
    n >>= 1;
    ++count;
  }
  return count;
}

extern "C" __global__ void fgp_edge(unsigned in, unsigned out, int height, int width) {
  const int limit = literals[1];
  const unsigned grey = literals[2];
  const int block_threads = blockDim.x * blockDim.y * blockDim.z;
  const int threads = block_threads * gridDim.x * gridDim.y;
  const int pixels = 1 << (bits(width * height) - bits(threads));
  const int thread = threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * threadIdx.z +
                     block_threads * (blockIdx.x + gridDim.x * blockIdx.y);
  int row, column, rows, columns;
  if ((unsigned)width >= (unsigned)pixels) {
    const int pieces = 1 << (bits(width) - bits(pixels));
    row = thread >> (bits(pieces) - 1);
    column = pixels * (thread & (pieces - 1));
    columns = 1 << (bits(width) - bits(pieces));
    rows = 1;
  } else {
    const int whole = 1 << (bits(pixels) - bits(width));
    row = thread << (bits(whole) - 1);
    column = 0;
    columns = width;
    rows = 1 << (bits(height) - bits(whole));
  }
#pragma unroll 1
  for (int i = 0; i < rows; ++i) {
#pragma unroll 1
    for (int j = 0; j < columns; ++j) {
      const int pixel = (row + i) * 16 + column + j;
      const unsigned char* colour = pointer<unsigned char>(in) + 3 * pixel;
      short value = (colour[0] * 0x4c84 >> 16) + (colour[1] * 0x9645 >> 16) + (colour[2] * 0x12df >> 16);
      if (value > limit) value = limit;
      pointer<volatile unsigned char>(grey)[pixel] = value;
    }
  }
#pragma unroll 1
  for (int i = 0; i < rows; ++i) {
#pragma unroll 1
    for (int j = 0; j < columns; ++j) {
      const int y = row + i, x = column + j, pixel = y * 16 + x;
      const volatile unsigned char* centre = pointer<unsigned char>(grey) + pixel;
      short value = *centre * -4;
      if ((unsigned)(x + 1) <= (unsigned)(width - 1)) value += centre[1];
      if ((unsigned)(y + 1) <= (unsigned)(height - 1)) value += centre[16];
      if (x - 1 >= 0) value += centre[-1];
      if (y - 1 >= 0) value += centre[-16];
      if (value < 0) value = 0;
      else if (value > limit) value = limit;
      pointer<unsigned char>(out)[pixel] = value;
    }
  }
}
