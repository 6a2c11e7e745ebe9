// A separable convolution of an image with a 17-tap filter: rows, then columns. The filter lies in constant memory, the
// image's piece with its margin in shared memory.
#include "../cuda_program.h"

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)
#define WIDTH_BLOCK 64  // outputs of a block along the filter
#define ROWS_BLOCK 4    // lines of a block across the filter

__constant__ float filter[TAPS];

/// Filters along lines: element i of line l lies at l * line_pitch + i * step.
__device__ void convolve_line(float* out, const float* in, int length, int first, int base, int step, int t, float* line) {
  for (int i = t; i < WIDTH_BLOCK + 2 * RADIUS; i += WIDTH_BLOCK) {
    const int position = first + i - RADIUS;
    line[i] = position >= 0 && position < length ? in[base + position * step] : 0.0f;
  }
  __syncthreads();
  if (first + t < length) {
    float sum = 0;
    for (int k = 0; k < TAPS; ++k) sum += filter[k] * line[t + k];
    out[base + (first + t) * step] = sum;
  }
}

__global__ void convolve_rows(float* out, const float* in, int width, int height) {
  __shared__ float lines[ROWS_BLOCK][WIDTH_BLOCK + 2 * RADIUS];
  const int row = blockIdx.y * ROWS_BLOCK + threadIdx.y;
  const int inside = row < height ? row : height - 1;  // every thread must reach the barrier
  convolve_line(out, in, width, blockIdx.x * WIDTH_BLOCK, inside * width, 1, threadIdx.x, lines[threadIdx.y]);
}

__global__ void convolve_columns(float* out, const float* in, int width, int height) {
  __shared__ float lines[ROWS_BLOCK][WIDTH_BLOCK + 2 * RADIUS + 1];
  const int column = blockIdx.y * ROWS_BLOCK + threadIdx.y;
  const int inside = column < width ? column : width - 1;
  convolve_line(out, in, height, blockIdx.x * WIDTH_BLOCK, inside, width, threadIdx.x, lines[threadIdx.y]);
}

static std::vector<float> host_convolve(const std::vector<float>& in, const float* taps, int lines, int length, int pitch, int step) {
  std::vector<float> out(in.size());
  for (int l = 0; l < lines; ++l) {
    for (int i = 0; i < length; ++i) {
      float sum = 0;
      for (int k = 0; k < TAPS; ++k) {
        const int position = i + k - RADIUS;
        const float value = position >= 0 && position < length ? in[l * pitch + position * step] : 0.0f;
        const float product = taps[k] * value;
        sum += product;
      }
      out[l * pitch + i * step] = sum;
    }
  }
  return out;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int width = program.argument("width", 100), height = program.argument("height", 30);
  RandomNumbers random(6);
  float taps[TAPS];
  for (int k = 0; k < TAPS; ++k) taps[k] = 1.0f / static_cast<float>(1 + (k - RADIUS) * (k - RADIUS));
  std::vector<float> image(width * height);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = random.uniform(0, 255);

  CHECK_CUDA(cudaMemcpyToSymbol(filter, taps, sizeof taps));
  DeviceArray<float> in(image), rows(image.size()), out(image.size());
  const dim3 block(WIDTH_BLOCK, ROWS_BLOCK);
  convolve_rows<<<dim3((width + WIDTH_BLOCK - 1) / WIDTH_BLOCK, (height + ROWS_BLOCK - 1) / ROWS_BLOCK), block>>>(
      rows.get(), in.get(), width, height);
  convolve_columns<<<dim3((height + WIDTH_BLOCK - 1) / WIDTH_BLOCK, (width + ROWS_BLOCK - 1) / ROWS_BLOCK), block>>>(
      out.get(), rows.get(), width, height);
  CHECK_LAUNCH();
  const std::vector<float> want_rows = host_convolve(image, taps, height, width, width, 1);
  const std::vector<float> got_rows = rows.read();
  const std::vector<float> want_image = host_convolve(got_rows, taps, width, height, 1, width);
  // No product is negative: the sums are as large as their terms.
  program.sums("rows", got_rows, want_rows, want_rows, TAPS);
  program.sums("image", out.read(), want_image, want_image, TAPS);
  return program.finish();
}
