// Arrays of any shape, filled and copied piece by piece on every way, against an image of the host: what is read back
// is what was written, and a texture finds each texel where the copies have put it. The seed is the argument.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

texture<unsigned, 1> line;
texture<unsigned char, 2> bytes;
texture<unsigned short, 2> halves;
texture<unsigned, 2> words;
texture<uint2, 2> pairs;
texture<uint4, 2> fours;
texture<unsigned, 3> solid;
texture<uint4, 3> solid_fours;

static unsigned failures = 0, compared = 0;
static void check(bool good, const char* what) {
  ++compared;
  if (!good && failures++ < 20) std::printf("%s\n", what);
}
#define OK(call) check((call) == cudaSuccess, #call)

static unsigned state = 1;
static unsigned below(unsigned n) { return ((state = state * 1664525u + 1013904223u) >> 8) % n; }
static int from_to(int first, int last) { return first + (int)below(last - first + 1); }
static std::vector<unsigned char> random_bytes(std::size_t count) {
  std::vector<unsigned char> made(count);
  for (unsigned char& byte : made) byte = (unsigned char)below(256);
  return made;
}

struct Box {
  int x, y, z, width, height, depth;  // bytes, rows, slices
};

struct Array {
  int width, height, depth, texel;  // texels, rows, slices, bytes
  cudaArray* device;
  std::vector<unsigned char> host;
  int row() const { return width * texel; }
  unsigned char* at(int x, int y, int z) { return &host[((std::size_t)z * height + y) * row() + x]; }
};

/// An array of a random shape.
static Array make(int dimensions, const cudaChannelFormatDesc& format) {
  Array a;
  a.texel = (format.x + format.y + format.z + format.w) / 8;
  a.width = from_to(1, 300 / a.texel);
  a.height = dimensions > 1 ? from_to(1, below(2) ? 10 : 75) : 1;
  a.depth = dimensions > 2 ? from_to(1, below(2) ? 3 : 19) : 1;
  if (dimensions > 2 && a.height > 20) a.height = 20;
  OK(cudaMalloc3DArray(&a.device, &format, make_cudaExtent(a.width, dimensions > 1 ? a.height : 0, dimensions > 2 ? a.depth : 0)));
  a.host.assign((std::size_t)a.row() * a.height * a.depth, 0);
  return a;
}

static Box random_box(const Array& a) {
  const int texels = from_to(1, a.width);
  Box b = {0, 0, 0, texels * a.texel, from_to(1, a.height), from_to(1, a.depth)};
  b.x = from_to(0, a.width - texels) * a.texel, b.y = from_to(0, a.height - b.height), b.z = from_to(0, a.depth - b.depth);
  return b;
}

static void put(Array& a, const Box& b, const unsigned char* from, int pitch, int rows) {
  for (int z = 0; z < b.depth; ++z) {
    for (int y = 0; y < b.height; ++y) std::memcpy(a.at(b.x, b.y + y, b.z + z), from + ((std::size_t)z * rows + y) * pitch, b.width);
  }
}

static cudaMemcpy3DParms parameters(const Array& a, const Box& b, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p = {};
  p.extent = make_cudaExtent(b.width / a.texel, b.height, b.depth);
  p.kind = kind;
  return p;
}
static cudaPos place(const Array& a, const Box& b) { return make_cudaPos(b.x / a.texel, b.y, b.z); }

/// A box from memory with gaps behind rows and slices.
static void write_box(Array& a, bool from_device) {
  const Box b = random_box(a);
  const int pitch = b.width + from_to(0, 40), rows = b.height + from_to(0, 3);
  const std::vector<unsigned char> from = random_bytes((std::size_t)pitch * rows * b.depth);
  void* memory = 0;
  if (from_device) {
    OK(cudaMalloc(&memory, from.size()));
    OK(cudaMemcpy(memory, from.data(), from.size(), cudaMemcpyHostToDevice));
  }
  cudaMemcpy3DParms p = parameters(a, b, from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice);
  p.srcPtr = make_cudaPitchedPtr(from_device ? memory : (void*)from.data(), pitch, b.width, rows);
  p.dstArray = a.device;
  p.dstPos = place(a, b);
  OK(cudaMemcpy3D(&p));
  put(a, b, from.data(), pitch, rows);
  if (from_device) OK(cudaFree(memory));
}

/// From any byte of the first slice on, row after row.
static void write_run(Array& a) {
  const int slice = a.row() * a.height, first = below(slice), count = from_to(1, slice - first);
  const std::vector<unsigned char> from = random_bytes(count);
  OK(cudaMemcpyToArray(a.device, first % a.row(), first / a.row(), from.data(), count, cudaMemcpyHostToDevice));
  std::memcpy(&a.host[first], from.data(), count);
}

/// The box stays where it is.
static void copy_box(Array& to, Array& from) {
  const Box b = random_box(from);
  cudaMemcpy3DParms p = parameters(from, b, cudaMemcpyDeviceToDevice);
  p.srcArray = from.device, p.dstArray = to.device;
  p.srcPos = p.dstPos = place(from, b);
  OK(cudaMemcpy3D(&p));
  put(to, b, from.at(b.x, b.y, b.z), from.row(), from.height);
}

/// A box that is read back, on the device first or not.
static void read_box(Array& a, bool over_device) {
  const Box b = random_box(a);
  const int pitch = b.width + from_to(0, 40), rows = b.height + from_to(0, 3);
  std::vector<unsigned char> to((std::size_t)pitch * rows * b.depth, 0xa5), expected = to;
  void* memory = 0;
  if (over_device) {
    OK(cudaMalloc(&memory, to.size()));
    OK(cudaMemcpy(memory, to.data(), to.size(), cudaMemcpyHostToDevice));
  }
  cudaMemcpy3DParms p = parameters(a, b, over_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost);
  p.srcArray = a.device;
  p.srcPos = place(a, b);
  p.dstPtr = make_cudaPitchedPtr(over_device ? memory : (void*)to.data(), pitch, b.width, rows);
  OK(cudaMemcpy3D(&p));
  if (over_device) {
    OK(cudaMemcpy(to.data(), memory, to.size(), cudaMemcpyDeviceToHost));
    OK(cudaFree(memory));
  }
  for (int z = 0; z < b.depth; ++z) {
    for (int y = 0; y < b.height; ++y) std::memcpy(&expected[((std::size_t)z * rows + y) * pitch], a.at(b.x, b.y + y, b.z + z), b.width);
  }
  check(to == expected, over_device ? "a box read over the device" : "a box read back");
}

static void fill_at_random(Array (&a)[2]) {
  for (int step = 0; step < 8; ++step) {
    Array& one = a[below(2)];
    switch (below(4)) {
      case 0: write_box(one, false); break;
      case 1: write_box(one, true); break;
      case 2: write_run(one); break;
      case 3: copy_box(one, &one == a ? a[1] : a[0]); break;
    }
    if (below(2)) read_box(a[below(2)], below(2));
  }
}

const int kThreads = 64;
#define AT const int i = blockIdx.x * kThreads + threadIdx.x; if (i < count) out[i] =
__global__ void read_line(unsigned* out, int count) { AT tex1D(line, i + 0.5f); }
#define PLANE(name, T) \
  __global__ void read_##name(T* out, int width, int count) { AT tex2D(name, i % width + 0.5f, i / width + 0.5f); }
PLANE(bytes, unsigned char) PLANE(halves, unsigned short) PLANE(words, unsigned) PLANE(pairs, uint2) PLANE(fours, uint4)
#define SOLID(name, T)                                                              \
  __global__ void read_##name(T* out, int width, int height, int count) {           \
    AT tex3D(name, i % width + 0.5f, i / width % height + 0.5f, i / (width * height) + 0.5f); \
  }
SOLID(solid, unsigned) SOLID(solid_fours, uint4)

template <class T, class Texture, class Launch>
static void through(Texture& texture, int dimensions, const char* what, Launch launch) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  Array first = make(dimensions, format);
  Array a[2] = {first, first};
  OK(cudaMalloc3DArray(&a[1].device, &format, make_cudaExtent(first.width, dimensions > 1 ? first.height : 0, dimensions > 2 ? first.depth : 0)));
  fill_at_random(a);
  for (Array& one : a) {
    const int count = one.width * one.height * one.depth;
    T* out = 0;
    OK(cudaMalloc((void**)&out, one.host.size()));
    OK(cudaBindTextureToArray(texture, one.device, format));
    launch((count + kThreads - 1) / kThreads, out, one, count);
    std::vector<unsigned char> seen(one.host.size());
    OK(cudaMemcpy(seen.data(), out, seen.size(), cudaMemcpyDeviceToHost));
    check(seen == one.host, what);
    OK(cudaFree(out));
    OK(cudaFreeArray(one.device));
  }
}

#define PLANES(name, T) \
  through<T>(name, 2, #name, [](int blocks, T* out, Array& a, int count) { read_##name<<<blocks, kThreads>>>(out, a.width, count); })
#define SOLIDS(name, T)                                                            \
  through<T>(name, 3, #name, [](int blocks, T* out, Array& a, int count) {         \
    read_##name<<<blocks, kThreads>>>(out, a.width, a.height, count);              \
  })

int main(int argc, char** argv) {
  state = argc > 1 ? (unsigned)std::strtoul(argv[1], 0, 10) : 1;
  through<unsigned>(line, 1, "line", [](int blocks, unsigned* out, Array&, int count) { read_line<<<blocks, kThreads>>>(out, count); });
  PLANES(bytes, unsigned char);
  PLANES(halves, unsigned short);
  PLANES(words, unsigned);
  PLANES(pairs, uint2);
  PLANES(fours, uint4);
  SOLIDS(solid, unsigned);
  SOLIDS(solid_fours, uint4);
  std::printf("%u of %u comparisons failed\n%s\n", failures, compared, failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
