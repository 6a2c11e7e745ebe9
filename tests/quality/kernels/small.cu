// Programs of a few instructions that try one thing each: pointers of 64 bits, one thread.

__constant__ int divisor = 3;  // the binary divides by a number in a register

extern "C" __global__ void decuda_float1(float* x) { *x = fmaxf(*x, 3.14f); }

extern "C" __global__ void decuda_sev6(unsigned* x, const unsigned* y) { *x = y[0] ^ y[1] ^ (y[2] ^ y[3]); }

extern "C" __global__ void decuda_test6(unsigned long long* x, const unsigned long long* y) { *x = *y - 3; }

extern "C" __global__ void decuda_test8_16(short* x, const short* y) { *x = *y * 3; }

extern "C" __global__ void decuda_test8div(int* x, const int* y) { *x = *y / divisor; }

extern "C" __global__ void decuda_test11(float* x, const float* y) { *x = __saturatef(*y * 3.0f); }

extern "C" __global__ void decuda_test19(unsigned* x, const unsigned* y) { *x = y[0] & y[1] & (y[2] & y[3]); }
