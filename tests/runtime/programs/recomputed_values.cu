// SPDX-License-Identifier: Apache-2.0
// Values that are computed again where they are read, because registers are short: a delay line that begins without a
// value, and a random function whose addresses are chains of operations (-maxrregcount=13). Host and device agree.
#include <stdio.h>

typedef unsigned short us;
typedef unsigned char uc;
typedef long long ll;

// The operations are hidden from the compiler's front end, which would put them elsewhere.
#ifdef __CUDA_ARCH__
#define XOR(d, a, k) asm("xor.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "n"(k))
#else
#define XOR(d, a, k) d = (a) ^ (k)
#endif

__global__ void delay(int* out, const int* in, int n) {
  int p, b, c;
  for (int i = 0; i < n; i++) {
    int q, r, v[12];
    XOR(q, p, 0x111);
    out[100] = q;
    XOR(r, p, 0x222);
    out[101] = r;
#pragma unroll
    for (int j = 0; j < 12; j++) v[j] = in[j + 20 + i];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 12; j++) out[j + 60 + i] = v[j];
    if (i >= 2) {
      out[i] = b;
      out[i + 20] = c;
    }
    p = in[i];
    b = q;
    c = r;
  }
}

__host__ __device__ void mix(int* out, const int* in, int t) {
  short a0=(short)(in[52+t]+t);
  int a1=(int)(in[46+t]);
  ll a2=(ll)(in[45+t]*3);
  int a3=(int)(in[3+t]);
  int a4=(int)(in[61+t]);
  int a5=(int)(in[24+t]+t);
  unsigned a6=(unsigned)(in[48+t]*3);
  ll a7=(ll)(in[8+t]*3);
  ll a8=(ll)(in[61+t]+t);
  int a9=(int)(in[49+t]+t);
  int a10=(int)(in[14+t]*3);
  unsigned a11=(unsigned)(in[54+t]*3);
  int a12=(int)(in[59+t]+t);
  ll a13=(ll)(in[26+t]*3);
  ll a14=(ll)(in[47+t]*3);
  short a15=(short)(in[7+t]);
  int a16=(int)(in[57+t]*3);
  us a17=(us)(in[12+t]+t);
  short a18=(short)(in[44+t]+t);
  for(int i1=(t&3);i1<2;i1++){
  a4=(int)(a0&a0);
  if(a17<a1) { a3=(int)(a10+a2);  }
  if(a12>a18) { a8=(ll)(a17&a0); a2=(ll)((a17<<4)); } else { a9=(int)(a2*4); }
  a12=(int)((short)a2+(uc)a0);
  a18=(short)(in[(a5&63)+t]);
  a6=(unsigned)(a15|(a18>>1));
  a11=(unsigned)(in[(a2&63)+t]);
  for(int i2=1;i2<3;i2++){
  a16=(int)(a11|(a18>>1));
  a17=(us)((a3<a12?a3:a12));
  }
  a6=(unsigned)(a14*7);
  if(a2<a2) { a15=(short)(a15*a13);  }
  if(a4&a14) { a6=(unsigned)(a4-a16);  }
  for(int i3=0;i3<5;i3++){
  a8=(ll)(a17%8);
  if((a18&7)==3) break;
  }
  a16=(int)(a3+a6);
  if(a7>a3) { a9=(int)(a2*42);  } else { a12=(int)(a6/2); }
  a14=(ll)((short)a11+(uc)a13);
  if(a10!=a4) { a13=(ll)(a18+a5); a5=(int)(a18|(a18>>1)); }
  if(a0&a6) { a1=(int)(a13&a7); a7=(ll)(a18-a14); } else { a10=(int)((a13<a12?a13:a12)); }
  a14=(ll)(a2+a17);
  if(a6&a16) { a17=(us)(a17-a11); a7=(ll)(in[(a9&63)+t]); }
  if(a17&a12) { a13=(ll)(a18/2);  } else { a8=(ll)(a14&a5); }
  }
  for(int i4=1;i4<2;i4++){
  a14=(ll)((a14<<1));
  a16=(int)((a16<<4));
  if(a3<a8) { a9=(int)(a7/2); a1=(int)((short)a12+(uc)a13); } else { a9=(int)(a1&a3); }
  if(a8>a5) { a3=(int)(in[(a11&63)+t]); a15=(short)(a11%8); }
  if(a3>a3) { a2=(ll)((a13<a17?a13:a17));  } else { a4=(int)(in[(a15&63)+t]); }
  if(a14!=a15) { a17=(us)(a12|(a16>>1));  }
  }
  out[0*32+t]=(int)a0^(int)((ll)a0>>32);
  out[1*32+t]=(int)a1^(int)((ll)a1>>32);
  out[11*32+t]=(int)a11^(int)((ll)a11>>32);
  out[12*32+t]=(int)a12^(int)((ll)a12>>32);
  out[13*32+t]=(int)a13^(int)((ll)a13>>32);
  out[14*32+t]=(int)a14^(int)((ll)a14>>32);
  out[15*32+t]=(int)a15^(int)((ll)a15>>32);
  out[16*32+t]=(int)a16^(int)((ll)a16>>32);
}
__global__ void mix_all(int* out, const int* in) { mix(out, in, threadIdx.x); }

int main() {
  static int in[128], found[1024], expected[1024];
  for (int i = 0; i < 128; i++)
    in[i] = i % 5 == 0 ? i - 3 : i % 7 == 0 ? (i & 8 ? 0x80000000 : 0x7fffffff) : i * 0x9e3779b1u + 77;
  int *d, *o, wrong = 0;
  cudaMalloc(&d, sizeof in);
  cudaMalloc(&o, sizeof found);
  cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(o, 0, sizeof found);
  delay<<<1, 1>>>(o, d, 10);
  cudaMemcpy(found, o, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 2; i < 10; i++) wrong += found[i] != (in[i - 2] ^ 0x111) || found[i + 20] != (in[i - 2] ^ 0x222);
  cudaMemset(o, 0, sizeof found);
  mix_all<<<1, 32>>>(o, d);
  cudaMemcpy(found, o, sizeof found, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; t++) mix(expected, in, t);
  for (int i = 0; i < 1024; i++) wrong += found[i] != expected[i];
  printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
}
