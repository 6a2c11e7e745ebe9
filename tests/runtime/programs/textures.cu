// Every way of reading a texture against a sampler of this file's own, written in double precision from the CUDA guide's
// appendix on texture fetching: floor for points; for linear filtering x - 0.5, its floor, and a fraction of 8 bits (9 with
// the 1.0); clamped or wrapped texel numbers; whole numbers as fractions of their largest value.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// A unit has a sampler only if it is one of the first 16, and units are counted from the top of the file.
texture<float, 1> line;
texture<float, 2> plane;
texture<float, 3> solid;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<unsigned short, 2, cudaReadModeNormalizedFloat> greys;
texture<int2, 2> pairs;

static unsigned failures = 0, compared = 0;

static void same(double seen, double expected, double tolerance, const char* what, int at) {
  ++compared;
  if (std::fabs(seen - expected) <= tolerance) return;
  if (failures++ < 20) std::printf("%s: element %d is %.9g, not %.9g\n", what, at, seen, expected);
}

// ---- The sampler

struct Image {
  int width, height, depth;     // 1 where there is no such axis
  std::vector<double> texels;   // of one component
  double at(int x, int y, int z) const { return texels[(z * height + y) * width + x]; }
};

static int addressed(int i, int n, bool wrap) {
  if (wrap) return ((i % n) + n) % n;
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

struct Tap {
  int first, second;
  double weight;  // of the second
};

static Tap tap(double x, int n, bool linear, bool wrap, bool normalized) {
  if (normalized) x *= n;
  if (!linear) {
    const int i = addressed((int)std::floor(x), n, wrap);
    return {i, i, 0};
  }
  if (!wrap) x = x < 0 ? 0 : x > n ? n : x;  // the coordinate is clamped first
  const double fixed = std::floor(x * 256 + 0.5) / 256 - 0.5;
  const int i = (int)std::floor(fixed);
  return {addressed(i, n, wrap), addressed(i + 1, n, wrap), fixed - i};
}

static double sample(const Image& image, const float* c, int dimensions, bool linear, bool wrap, bool normalized) {
  const Tap x = tap(c[0], image.width, linear, wrap, normalized);
  const Tap y = dimensions > 1 ? tap(c[1], image.height, linear, wrap, normalized) : Tap{0, 0, 0};
  const Tap z = dimensions > 2 ? tap(c[2], image.depth, linear, wrap, normalized) : Tap{0, 0, 0};
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const double w = (corner & 1 ? x.weight : 1 - x.weight) * (corner & 2 ? y.weight : 1 - y.weight) * (corner & 4 ? z.weight : 1 - z.weight);
    if (w != 0) sum += w * image.at(corner & 1 ? x.second : x.first, corner & 2 ? y.second : y.first, corner & 4 ? z.second : z.first);
  }
  return sum;
}

// ---- Linear memory: every element type, as it is and as a fraction

const int kTexels = 48, kBeyond = 4;  // texels outside of the range read zero

template <class S>
static double component(const void* texels, int index) {
  S value;
  std::memcpy(&value, static_cast<const char*>(texels) + index * sizeof(S), sizeof value);
  return (double)value;
}

#define FETCHES(X)                                                                          \
  X(char, signed char, 1) X(char2, signed char, 2) X(char4, signed char, 4)                 \
  X(uchar1, unsigned char, 1) X(uchar2, unsigned char, 2) X(uchar4, unsigned char, 4)       \
  X(short, short, 1) X(short2, short, 2) X(short4, short, 4)                                \
  X(ushort1, unsigned short, 1) X(ushort2, unsigned short, 2) X(ushort4, unsigned short, 4) \
  X(int, int, 1) X(int2, int, 2) X(int4, int, 4)                                            \
  X(uint1, unsigned, 1) X(uint2, unsigned, 2) X(uint4, unsigned, 4)                         \
  X(float, float, 1) X(float2, float, 2) X(float4, float, 4)

#define FETCH(T, S, n)                                                                 \
  texture<T, 1, cudaReadModeElementType> fetched_##T;                                  \
  __global__ void fetch_##T(T* out) { out[threadIdx.x] = tex1Dfetch(fetched_##T, (int)threadIdx.x - 2); }
FETCHES(FETCH)
#undef FETCH

// Fractions
#define FRACTIONS(X)                                                                                           \
  X(char, float, signed char, 127.0, 1) X(uchar2, float2, unsigned char, 255.0, 2)                             \
  X(uchar1, float1, unsigned char, 255.0, 1) X(short1, float1, short, 32767.0, 1)                              \
  X(short2, float2, short, 32767.0, 2) X(ushort4, float4, unsigned short, 65535.0, 4) X(uchar4, float4, unsigned char, 255.0, 4)
#define FRACTION(T, F, S, most, n)                                                        \
  texture<T, 1, cudaReadModeNormalizedFloat> fraction_##T;                             \
  __global__ void fraction_of_##T(F* out) { out[threadIdx.x] = tex1Dfetch(fraction_##T, (int)threadIdx.x - 2); }
FRACTIONS(FRACTION)
#undef FRACTION

static void fetches() {
  std::vector<unsigned char> bytes(kTexels * 16);
  unsigned state = 12345;
  for (unsigned char& byte : bytes) byte = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
  // Floats in a range that a double compares exactly, the rest of the bits at random.
  std::vector<float> floats(kTexels * 4);
  for (std::size_t k = 0; k < floats.size(); ++k) floats[k] = (float)bytes[k] * 0.37f - 40.0f;
  char* memory = 0;
  void* out = 0;
  cudaMalloc((void**)&memory, bytes.size());
  cudaMalloc(&out, (kTexels + kBeyond) * 16);
  std::vector<unsigned char> seen((kTexels + kBeyond) * 16);

#define FETCH(T, S, n)                                                                                             \
  {                                                                                                                \
    const void* source = std::is_same<S, float>::value ? (const void*)floats.data() : (const void*)bytes.data();   \
    cudaMemcpy(memory, source, bytes.size(), cudaMemcpyHostToDevice);                                              \
    cudaBindTexture(0, fetched_##T, memory, kTexels * sizeof(T));                                                  \
    fetch_##T<<<1, kTexels + kBeyond>>>((T*)out);                                                                  \
    cudaMemcpy(seen.data(), out, (kTexels + kBeyond) * sizeof(T), cudaMemcpyDeviceToHost);                         \
    for (int k = 0; k < (kTexels + kBeyond) * n; ++k) {                                                            \
      const int from = k - 2 * n;                                                                                  \
      same(component<S>(seen.data(), k), from < 0 || from >= kTexels * n ? 0 : component<S>(source, from), 0, #T, k); \
    }                                                                                                              \
  }
  FETCHES(FETCH)
#define FRACTION(T, F, S, most, n)                                                                                  \
  {                                                                                                                 \
    cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);                                         \
    cudaBindTexture(0, fraction_##T, memory, kTexels * sizeof(T));                                                  \
    fraction_of_##T<<<1, kTexels + kBeyond>>>((F*)out);                                                             \
    cudaMemcpy(seen.data(), out, (kTexels + kBeyond) * sizeof(F), cudaMemcpyDeviceToHost);                          \
    for (int k = 0; k < (kTexels + kBeyond) * n; ++k) {                                                             \
      const int from = k - 2 * n;                                                                                   \
      double expected = from < 0 || from >= kTexels * n ? 0 : component<S>(bytes.data(), from) / most;              \
      if (expected < -1) expected = -1; /* the smallest whole number is that, too */                                \
      same(component<float>(seen.data(), k), (float)expected, 0, "fraction of " #T, k);                             \
    }                                                                                                               \
  }
  FRACTIONS(FRACTION)
  cudaFree(memory);
  cudaFree(out);
}

// ---- Arrays and rows: points and filters, both address modes, both kinds of coordinates

__global__ void sample_line(float* out, const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D(line, c[3 * i]);
}
__global__ void sample_plane(float* out, const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D(plane, c[3 * i], c[3 * i + 1]);
}
__global__ void sample_solid(float* out, const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex3D(solid, c[3 * i], c[3 * i + 1], c[3 * i + 2]);
}
__global__ void sample_colours(float4* out, const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D(colours, c[3 * i], c[3 * i + 1]);
}
__global__ void sample_greys(float* out, const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D(greys, c[3 * i], c[3 * i + 1]);
}
__global__ void sample_pairs(int2* out, const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D(pairs, c[3 * i], c[3 * i + 1]);
}

const int kSamples = 160;

struct Coordinates {
  std::vector<float> host;
  float* device;
  Coordinates() : host(3 * kSamples), device(0) { cudaMalloc((void**)&device, host.size() * sizeof(float)); }
  /// From one texture's width before its beginning to one behind its end, and the corners themselves.
  void fill(int width, int height, int depth, bool normalized) {
    unsigned state = 99;
    const int size[3] = {width, height, depth};
    for (int i = 0; i < kSamples; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const double n = normalized ? 1 : size[axis];
        state = state * 1664525u + 1013904223u;
        host[3 * i + axis] = i < 12 ? (float)(n * (i % 4) / 2) : (float)(n * ((state >> 8) / 16777216.0 * 3 - 1));
      }
    }
    cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  }
};

static Image make_image(int width, int height, int depth, unsigned seed) {
  Image image = {width, height, depth, {}};
  unsigned state = seed;
  for (int k = 0; k < width * height * depth; ++k) {
    state = state * 1664525u + 1013904223u;
    image.texels.push_back((float)((int)(state >> 8) % 2000 - 1000) * 0.125f);
  }
  return image;
}
static std::vector<float> floats_of(const Image& image) { return std::vector<float>(image.texels.begin(), image.texels.end()); }

template <class Texture>
static void set(Texture& texture, bool linear, bool wrap, bool normalized) {
  texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.normalized = normalized;
  for (int axis = 0; axis < 3; ++axis) texture.addressMode[axis] = wrap ? cudaAddressModeWrap : cudaAddressModeClamp;
}

static void check(const Image& image, const Coordinates& c, const float* out, int stride, int dimensions, bool linear, bool wrap, bool normalized,
                  double largest, const char* what) {
  for (int i = 0; i < kSamples; ++i) {
    const double expected = sample(image, &c.host[3 * i], dimensions, linear, wrap, normalized);
    same(out[i * stride], expected, linear ? largest * 1e-6 : 0, what, i);  // a filter's products and sums are rounded one by one
  }
}

static void samples() {
  Coordinates c;
  float4* out = 0;
  cudaMalloc((void**)&out, kSamples * sizeof(float4));
  std::vector<float> seen(4 * kSamples);
  const auto read = [&](std::size_t floats) { cudaMemcpy(seen.data(), out, floats * sizeof(float), cudaMemcpyDeviceToHost); };

  const Image one = make_image(21, 1, 1, 1), two = make_image(19, 13, 1, 2), three = make_image(7, 6, 5, 3);
  const cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
  cudaArray *line_array, *plane_array, *solid_array;
  cudaMallocArray(&line_array, &f32, one.width);
  cudaMallocArray(&plane_array, &f32, two.width, two.height);
  cudaMemcpyToArray(line_array, 0, 0, floats_of(one).data(), one.texels.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpyToArray(plane_array, 0, 0, floats_of(two).data(), two.texels.size() * 4, cudaMemcpyHostToDevice);
  const cudaExtent extent = make_cudaExtent(three.width, three.height, three.depth);
  cudaMalloc3DArray(&solid_array, &f32, extent);
  std::vector<float> volume = floats_of(three);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume.data(), three.width * 4, three.width, three.height);
  copy.dstArray = solid_array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);

  // Rows in linear memory
  char* rows = 0;
  std::size_t pitch = 0;
  cudaMallocPitch((void**)&rows, &pitch, two.width * 4, two.height);
  cudaMemcpy2D(rows, pitch, floats_of(two).data(), two.width * 4, two.width * 4, two.height, cudaMemcpyHostToDevice);

  for (int mode = 0; mode < 8; ++mode) {
    const bool linear = mode & 1, wrap = mode & 2, normalized = mode & 4;
    if (wrap && !normalized) continue;  // the chip wraps coordinates from 0 to 1 only
    char name[64];
    std::snprintf(name, sizeof name, "%s %s %s", linear ? "linear" : "point", wrap ? "wrap" : "clamp", normalized ? "normalised" : "texels");
    const auto what = [&](const char* texture) { return std::string(texture) + " " + name; };
    set(line, linear, wrap, normalized);
    cudaBindTextureToArray(line, line_array, f32);
    c.fill(one.width, 1, 1, normalized);
    sample_line<<<2, 96>>>((float*)out, c.device, kSamples);
    read(kSamples);
    check(one, c, seen.data(), 1, 1, linear, wrap, normalized, 125, what("1D array").c_str());

    set(plane, linear, wrap, normalized);
    c.fill(two.width, two.height, 1, normalized);
    for (int in_rows = 0; in_rows < 2; ++in_rows) {
      if (in_rows) {
        std::size_t offset = 0;
        cudaBindTexture2D(&offset, plane, rows, f32, two.width, two.height, pitch);
      } else {
        cudaBindTextureToArray(plane, plane_array, f32);
      }
      sample_plane<<<2, 96>>>((float*)out, c.device, kSamples);
      read(kSamples);
      check(two, c, seen.data(), 1, 2, linear, wrap, normalized, 125, what(in_rows ? "2D rows" : "2D array").c_str());
    }

    set(solid, linear, wrap, normalized);
    cudaBindTextureToArray(solid, solid_array, f32);
    c.fill(three.width, three.height, three.depth, normalized);
    sample_solid<<<2, 96>>>((float*)out, c.device, kSamples);
    read(kSamples);
    check(three, c, seen.data(), 1, 3, linear, wrap, normalized, 125, what("3D array").c_str());
  }

  // Bytes and half words as fractions, filtered; pairs of integers as they are
  const int width = 9, height = 7;
  std::vector<unsigned char> bytes(width * height * 8);
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = (unsigned char)(k * 37 + k / 11);
  Image channel[4];
  cudaArray *colour_array, *grey_array, *pair_array;
  const cudaChannelFormatDesc rgba = cudaCreateChannelDesc<uchar4>(), u16 = cudaCreateChannelDesc<unsigned short>(), i2 = cudaCreateChannelDesc<int2>();
  cudaMallocArray(&colour_array, &rgba, width, height);
  cudaMallocArray(&grey_array, &u16, width, height);
  cudaMallocArray(&pair_array, &i2, width, height);
  cudaMemcpy2DToArray(colour_array, 0, 0, bytes.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice);
  cudaMemcpy2DToArray(grey_array, 0, 0, bytes.data(), width * 2, width * 2, height, cudaMemcpyHostToDevice);
  cudaMemcpy2DToArray(pair_array, 0, 0, bytes.data(), width * 8, width * 8, height, cudaMemcpyHostToDevice);
  c.fill(width, height, 1, true);
  for (int linear = 0; linear < 2; ++linear) {
    set(colours, linear, true, true);
    cudaBindTextureToArray(colours, colour_array, rgba);
    sample_colours<<<2, 96>>>(out, c.device, kSamples);
    read(4 * kSamples);
    for (int k = 0; k < 4; ++k) {
      channel[k] = Image{width, height, 1, {}};
      for (int t = 0; t < width * height; ++t) channel[k].texels.push_back((float)(bytes[4 * t + k] / 255.0));
      check(channel[k], c, seen.data() + k, 4, 2, linear, true, true, 1, linear ? "uchar4 linear" : "uchar4 point");
    }
    set(greys, linear, false, true);
    cudaBindTextureToArray(greys, grey_array, u16);
    sample_greys<<<2, 96>>>((float*)out, c.device, kSamples);
    read(kSamples);
    Image grey = {width, height, 1, {}};
    for (int t = 0; t < width * height; ++t) grey.texels.push_back((float)(component<unsigned short>(bytes.data(), t) / 65535.0));
    check(grey, c, seen.data(), 1, 2, linear, false, true, 1, linear ? "ushort linear" : "ushort point");
  }
  set(pairs, false, true, true);
  cudaBindTextureToArray(pairs, pair_array, i2);
  sample_pairs<<<2, 96>>>((int2*)out, c.device, kSamples);
  read(2 * kSamples);
  for (int i = 0; i < kSamples; ++i) {
    for (int k = 0; k < 2; ++k) {
      Image image = {width, height, 1, {}};
      for (int t = 0; t < width * height; ++t) image.texels.push_back(component<int>(bytes.data(), 2 * t + k));
      same(component<int>(seen.data(), 2 * i + k), sample(image, &c.host[3 * i], 2, false, true, true), 0, "int2", i);
    }
  }
}

// ---- Halves: the memory has 16 bits, the kernel reads floats

texture<float, 1> halves;
__global__ void read_halves(float* out) { out[threadIdx.x] = tex1Dfetch(halves, threadIdx.x); }

static void half_floats() {
  const unsigned short bits[] = {0x0000, 0x3c00, 0xbc00, 0x3800, 0x7bff, 0x0001, 0x0400, 0x5640};
  const double values[] = {0, 1, -1, 0.5, 65504, std::ldexp(1.0, -24), std::ldexp(1.0, -14), 100};
  unsigned short* memory = 0;
  float *out = 0, seen[8];
  cudaMalloc((void**)&memory, sizeof bits);
  cudaMalloc((void**)&out, sizeof seen);
  cudaMemcpy(memory, bits, sizeof bits, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaBindTexture(0, &halves, memory, &desc, sizeof bits);
  read_halves<<<1, 8>>>(out);
  cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 8; ++k) same(seen[k], values[k], 0, "half", k);
}

// ---- Textures that are bound beyond their allocation: what lies there is the neighbour

texture<float4, 1> longer;
__global__ void read_beyond(float* out, int row) {
  out[2 * threadIdx.x] = tex1Dfetch(longer, threadIdx.x).y;
  out[2 * threadIdx.x + 1] = tex2D(plane, threadIdx.x, threadIdx.x < 16 ? 0 : row);
}

static void bound_beyond() {
  const int kFloats = 64, kPitch = kFloats * sizeof(float);  // an allocation is a row
  float numbers[2 * kFloats], seen[64], *low = 0, *high = 0, *out = 0;
  for (int i = 0; i < 2 * kFloats; ++i) numbers[i] = (float)i;
  cudaMalloc((void**)&low, kPitch);
  cudaMalloc((void**)&high, kPitch);
  cudaMalloc((void**)&out, sizeof seen);
  if (high < low) std::swap(low, high);
  cudaMemcpy(low, numbers, kPitch, cudaMemcpyHostToDevice);
  cudaMemcpy(high, numbers + kFloats, kPitch, cudaMemcpyHostToDevice);
  const int row = (int)(((char*)high - (char*)low) / kPitch);
  set(plane, false, false, false);
  if (cudaBindTexture(0, longer, low, 2 * kPitch) != cudaSuccess) ++failures;
  if (cudaBindTexture2D(0, plane, low, cudaCreateChannelDesc<float>(), kFloats, row + 1, kPitch) != cudaSuccess) ++failures;
  read_beyond<<<1, 32>>>(out, row);
  cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) {
    if (t < 16 || row == 1) same(seen[2 * t], 4 * t + 1, 0, "longer", t);
    same(seen[2 * t + 1], t < 16 ? t : kFloats + t, 0, "taller", t);
  }
}

int main() {
  fetches();
  samples();
  half_floats();
  bound_beyond();
  if (cudaGetLastError() != cudaSuccess) ++failures;
  std::printf("%u values compared\n%s\n", compared, failures == 0 && compared > 8000 ? "PASSED" : "FAILED");
  return failures != 0;
}
