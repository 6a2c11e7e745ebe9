// Structures that are read and written in one access, and used in part: the values are those of the host, whatever kind of memory
// they come from, and however members, copies, references and functions look at them.
#include <cstdio>
#include <cstring>

#define EITHER __host__ __device__ inline

struct __align__(8) Mixed { short a; char b, c; float d; };
struct __align__(16) Three { float x, y, z; };
struct __align__(16) Five { float v, w; int k; unsigned char bytes[2]; short s; };
struct __align__(16) Long { float a, b, c, d, e; };
struct __align__(8) Table { unsigned short of[4]; };
struct __align__(16) Wide { double a; int b, c; };
struct __align__(4) Nested { uchar2 low; struct { unsigned char x, y; } high; };
struct Plain { int a; float4 in; short2 pair; };

__constant__ float4 fixed[4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
static const float4 host_fixed[4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};

EITHER float4 sum(float4 a, const float4& b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w - b.w); }
EITHER float part(const float4* p) { return p->y; }
EITHER void swap(uchar4& c) { unsigned char x = c.x; c.x = c.w; c.w = x; }

struct All {
  float4 f4;
  uchar4 u4;
  short4 s4;
  Mixed mixed;
  Three three;
  Five five;
  Long five_floats;
  Table table;
  Wide wide;
  Nested nested;
  Plain plain;
  longlong2 wide_pair;
};

/// What every thread does with its element; `c` is of constant memory on the device.
EITHER void change(All& e, const float4& c, const float4& neighbour, unsigned t) {
  float4 q = e.f4;
  float all[4];
  memcpy(all, &q, sizeof all);
  if (t & 1) q = sum(q, c);
  else q.z = part(&neighbour) + all[t & 3];
  e.f4 = q;
  uchar4 u = e.u4;
  swap(u);
  u.y += u.z;
  e.u4 = u;
  short4 s = e.s4;
  s.z = s.x - s.w;
  e.s4 = s;
  Mixed m = e.mixed;
  m.b ^= m.c;
  m.d += m.a;
  e.mixed = m;
  Three v = e.three;
  v.y = v.x * 2;
  e.three = v;
  Five five = e.five;
  five.bytes[t & 1] += five.k;
  five.s -= five.bytes[1];
  e.five = five;
  Long l = e.five_floats;
  l.e += l.a;
  e.five_floats = l;
  Table table = e.table;
  table.of[t & 3] += table.of[1];
  e.table = table;
  Wide w = e.wide;
  w.b += w.c;
  e.wide = w;
  Nested n = e.nested;
  n.high.x = n.low.y;
  e.nested = n;
  Plain p = e.plain;
  p.pair.y = p.a;
  p.in.w = p.in.x;
  e.plain = p;
  longlong2 pair = e.wide_pair;
  pair.x += pair.y;
  e.wide_pair = pair;
}

__global__ void run(All* data) {
  __shared__ float4 line[64];
  unsigned t = threadIdx.x;
  line[t] = data[t].f4;
  __syncthreads();
  float4 neighbour = line[63 - t];
  change(data[t], fixed[t & 3], neighbour, t);
}

// One access each, as the tests count them.
__global__ void read_three(float* to, const float4* from) { float4 q = from[threadIdx.x]; to[threadIdx.x] = q.x + q.y + q.z; }
__global__ void copy_four(float4* to, const float4* from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void change_one(float4* to) { float4 q = to[threadIdx.x]; q.y += 1; to[threadIdx.x] = q; }
__global__ void red(float* to, const uchar4* from) { uchar4 q = from[threadIdx.x]; to[threadIdx.x] = q.x + q.y; }
__global__ void of_16_bits(short2* to) { short2 q = to[threadIdx.x]; q.x += q.y; to[threadIdx.x] = q; }
__global__ void two_of_16(Long* to) { Long q = to[threadIdx.x]; q.a += q.e; to[threadIdx.x] = q; }

int main() {
  const unsigned kCount = 64;
  static All host[kCount], device[kCount], before[kCount];
  unsigned char* bytes = (unsigned char*)host;
  for (unsigned k = 0; k < sizeof host; ++k) bytes[k] = k * 37 ^ k >> 5;
  for (unsigned t = 0; t < kCount; ++t) {
    host[t].f4 = make_float4(t, t + 1, t * 2, 3);
    host[t].mixed.d = t * 4;
    host[t].three.x = host[t].five_floats.a = host[t].five_floats.e = t;
    host[t].plain.in.x = t;
  }
  memcpy(before, host, sizeof host);
  All* memory;
  cudaMalloc(&memory, sizeof host);
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
  run<<<1, kCount>>>(memory);
  cudaMemcpy(device, memory, sizeof device, cudaMemcpyDeviceToHost);
  for (unsigned t = 0; t < kCount; ++t) change(host[t], host_fixed[t & 3], before[63 - t].f4, t);
  unsigned wrong = 0;
  for (unsigned t = 0; t < kCount; ++t) {
    const All &a = host[t], &b = device[t];
#define SAME(member) if (memcmp(&a.member, &b.member, sizeof a.member) != 0) { ++wrong; std::printf("%u: " #member "\n", t); }
    SAME(f4) SAME(u4) SAME(s4) SAME(mixed) SAME(three.y) SAME(five.v) SAME(five.k) SAME(five.bytes) SAME(five.s) SAME(five_floats.a) SAME(five_floats.e)
    SAME(table) SAME(wide) SAME(nested) SAME(plain.a) SAME(plain.in) SAME(plain.pair) SAME(wide_pair)
  }
  std::printf(wrong == 0 ? "PASSED\n" : "FAILED\n");
  return wrong != 0;
}
