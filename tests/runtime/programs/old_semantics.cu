// What C and C++ leave undefined and compilers of 2007 to 2010 did not exploit. Every function is compiled twice, for
// the device and for the host, but for one; the program prints what is wrong.
#include <cstdio>

#define BOTH static __host__ __device__
#define INT_MAX_ 0x7fffffff

struct Copied {  // is returned through memory
  int value;
  __host__ __device__ Copied(int v) : value(v) {}
  __host__ __device__ Copied(const Copied& other) : value(other.value + 1) {}
};
struct Owner {  // clang's -fno-strict-return leaves out what has a destructor
  int value;
  __host__ __device__ Owner(int v) : value(v) {}
  __host__ __device__ ~Owner() { value = -1; }
};
struct Cell {
  int value;
  __host__ __device__ Cell& operator=(int v) { value = v; }
};
BOTH __noinline__ int& no_reference(int* p, int v) { p[12] = v; }
BOTH int& no_reference_on_one_way(int v, int* p) {
  if (v < 3) return p[0];
  p[13] = v;
}
enum Kind { kFirst, kSecond };
BOTH int no_return(int* p, int v) { p[0] = v; }
BOTH int return_on_one_way(int* p, int v) {
  if (v < 3) return 1;
  p[1] = v;
}
BOTH Copied no_object(int* p, int v) { p[2] = v; }
BOTH Owner no_owner(int* p, int v) {
  if (v > 1000) return Owner(v);
  Owner kept(v);
  p[8] = kept.value;
}
BOTH Owner no_such_case(int* p, Kind kind) {
  p[9] = kind;
  switch (kind) {
    case kFirst: return Owner(1);
    case kSecond: return Owner(2);
  }
}

BOTH int is_less_than_next(int x) { return x < x + 1; }
BOTH int is_twice_the_half(int x) { return x * 2 / 2 == x; }
BOTH int doublings(int x) {
  int n = 0;
  for (int i = x; i > 0 && n < 100; i += i) ++n;
  return n;
}

BOTH int is_before_zero(char* p, unsigned n) { return p - n > p; }

BOTH float seen_through_both(float* a, int* b) {
  a[0] = 1;
  b[0] = 0;
  return a[0];
}

struct Node {
  int value;
  __host__ __device__ int get() {
    if (this == 0) return -1;
    return value;
  }
};

__device__ __noinline__ int if_wanted(int wanted, int value) { return wanted ? value : 5; }
__device__ __noinline__ int argument_without_value(int* out, int wanted) {
  int value;
  if (wanted)
    value = out[0];
  else
    out[10] = 5;
  return if_wanted(wanted, value);
}

struct Flags {
  bool first, second;
};
BOTH int read_flags(volatile unsigned char* bytes, int seven, bool argument) {
  bytes[0] = seven - 5;
  bytes[1] = seven << 4;
  const volatile Flags* flags = (const volatile Flags*)bytes;
  const bool copy = flags->second;
  return (flags->first ? 1 : 0) + 2 * !flags->second + 4 * (flags->first == copy) + 8 * copy + 16 * argument;
}

#define RESULTS 17
BOTH void all(int* out, int seven, int zero, bool argument) {
  no_return(out, seven);
  return_on_one_way(out, seven);
  no_object(out, seven);
  out[3] = is_less_than_next(INT_MAX_ + zero);
  out[4] = is_twice_the_half(0x40000000 + zero);
  out[5] = doublings(1 + zero);
  int word = 3;
  out[6] = (int)seen_through_both((float*)&word + zero, &word);
  out[7] = ((Node*)(size_t)zero)->get();
  no_owner(out, seven);
  no_such_case(out, (Kind)seven);
  no_reference(out, seven);
  no_reference_on_one_way(seven, out);
  Cell cell, first;
  first = cell = seven;
  out[14] = cell.value;
  out[15] = is_before_zero((char*)0x1000 + zero, 0x1000u * seven);
  unsigned char bytes[2];
  out[16] = read_flags(bytes, seven, argument);
}

__global__ void on_device(int* out, int seven, int zero, bool argument) {
  all(out, seven, zero, argument);
  out[11] = argument_without_value(out, zero) + 6;
}

int main(int argc, char**) {
  const char* const names[RESULTS] = {"a function that falls off its end",
                                      "a function that falls off its end on one way",
                                      "a function that falls off its end without an object",
                                      "x < x + 1",
                                      "x * 2 / 2",
                                      "a sum that wraps ends a loop",
                                      "a float written as an int",
                                      "no object",
                                      "a function that falls off its end without an object with a destructor",
                                      "and behind a switch",
                                      "an argument without a value",
                                      "and what it is not used for",
                                      "a function that falls off its end without a reference",
                                      "and on one way",
                                      "an assignment that returns nothing",
                                      "p - n > p",
                                      "a bool with a byte that is neither 0 nor 1"};
  const int wanted[RESULTS] = {7, 7, 7, 0, 0, 31, 0, -1, 7, 7, 5, 11, 7, 7, 7, 1, 29};
  int device[RESULTS] = {}, host[RESULTS] = {};
  int* memory;
  cudaMalloc((void**)&memory, sizeof device);
  cudaMemset(memory, 0, sizeof device);
  const int seven = 6 + argc, zero = argc - 1;
  const unsigned char byte = 4;
  cudaConfigureCall(1, 1);
  cudaSetupArgument(&memory, sizeof memory, 0);
  cudaSetupArgument(&seven, 4, 8);
  cudaSetupArgument(&zero, 4, 12);
  cudaSetupArgument(&byte, 1, 16);
  cudaLaunch(on_device);
  cudaMemcpy(device, memory, sizeof device, cudaMemcpyDeviceToHost);
  all(host, seven, zero, *(const bool*)&byte);
  bool ok = true;
  for (int i = 0; i < RESULTS; ++i) {
    if (device[i] != wanted[i]) ok = false, printf("on the device: %s: %d\n", names[i], device[i]);
    if (host[i] != wanted[i] && i / 2 != 5) ok = false, printf("on the host: %s: %d\n", names[i], host[i]);
  }
  printf(ok ? "PASSED\n" : "FAILED\n");
  return ok ? 0 : 1;
}
