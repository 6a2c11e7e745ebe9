// SPDX-License-Identifier: Apache-2.0
// Arithmetic on vector types for hosts and kernels, as the SDK's programs use it.
#pragma once
#define HELPER_MATH_H
#include <math.h>

#include <cuda_runtime.h>

#define __G80_VECTOR__ inline __host__ __device__

__G80_VECTOR__ float2 make_float2(float s) { return make_float2(s, s); }
__G80_VECTOR__ float3 make_float3(float s) { return make_float3(s, s, s); }
__G80_VECTOR__ float4 make_float4(float s) { return make_float4(s, s, s, s); }
__G80_VECTOR__ float2 make_float2(float3 v) { return make_float2(v.x, v.y); }
__G80_VECTOR__ float3 make_float3(float2 v) { return make_float3(v.x, v.y, 0); }
__G80_VECTOR__ float3 make_float3(float2 v, float s) { return make_float3(v.x, v.y, s); }
__G80_VECTOR__ float3 make_float3(float4 v) { return make_float3(v.x, v.y, v.z); }
__G80_VECTOR__ float4 make_float4(float3 v) { return make_float4(v.x, v.y, v.z, 0); }
__G80_VECTOR__ float4 make_float4(float3 v, float s) { return make_float4(v.x, v.y, v.z, s); }
__G80_VECTOR__ int2 make_int2(int s) { return make_int2(s, s); }
__G80_VECTOR__ int3 make_int3(int s) { return make_int3(s, s, s); }
__G80_VECTOR__ int4 make_int4(int s) { return make_int4(s, s, s, s); }
__G80_VECTOR__ int2 make_int2(int3 v) { return make_int2(v.x, v.y); }
__G80_VECTOR__ int3 make_int3(int2 v) { return make_int3(v.x, v.y, 0); }
__G80_VECTOR__ int3 make_int3(int2 v, int s) { return make_int3(v.x, v.y, s); }
__G80_VECTOR__ int3 make_int3(int4 v) { return make_int3(v.x, v.y, v.z); }
__G80_VECTOR__ int4 make_int4(int3 v) { return make_int4(v.x, v.y, v.z, 0); }
__G80_VECTOR__ int4 make_int4(int3 v, int s) { return make_int4(v.x, v.y, v.z, s); }
__G80_VECTOR__ uint2 make_uint2(unsigned int s) { return make_uint2(s, s); }
__G80_VECTOR__ uint3 make_uint3(unsigned int s) { return make_uint3(s, s, s); }
__G80_VECTOR__ uint4 make_uint4(unsigned int s) { return make_uint4(s, s, s, s); }
__G80_VECTOR__ uint2 make_uint2(uint3 v) { return make_uint2(v.x, v.y); }
__G80_VECTOR__ uint3 make_uint3(uint2 v) { return make_uint3(v.x, v.y, 0); }
__G80_VECTOR__ uint3 make_uint3(uint2 v, unsigned int s) { return make_uint3(v.x, v.y, s); }
__G80_VECTOR__ uint3 make_uint3(uint4 v) { return make_uint3(v.x, v.y, v.z); }
__G80_VECTOR__ uint4 make_uint4(uint3 v) { return make_uint4(v.x, v.y, v.z, 0); }
__G80_VECTOR__ uint4 make_uint4(uint3 v, unsigned int s) { return make_uint4(v.x, v.y, v.z, s); }
__G80_VECTOR__ float2 make_float2(int2 v) { return make_float2((float)v.x, (float)v.y); }
__G80_VECTOR__ float2 make_float2(uint2 v) { return make_float2((float)v.x, (float)v.y); }
__G80_VECTOR__ int2 make_int2(float2 v) { return make_int2((int)v.x, (int)v.y); }
__G80_VECTOR__ int2 make_int2(uint2 v) { return make_int2((int)v.x, (int)v.y); }
__G80_VECTOR__ uint2 make_uint2(int2 v) { return make_uint2((unsigned int)v.x, (unsigned int)v.y); }
__G80_VECTOR__ float3 make_float3(int3 v) { return make_float3((float)v.x, (float)v.y, (float)v.z); }
__G80_VECTOR__ float3 make_float3(uint3 v) { return make_float3((float)v.x, (float)v.y, (float)v.z); }
__G80_VECTOR__ int3 make_int3(float3 v) { return make_int3((int)v.x, (int)v.y, (int)v.z); }
__G80_VECTOR__ int3 make_int3(uint3 v) { return make_int3((int)v.x, (int)v.y, (int)v.z); }
__G80_VECTOR__ uint3 make_uint3(int3 v) { return make_uint3((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z); }
__G80_VECTOR__ float4 make_float4(int4 v) { return make_float4((float)v.x, (float)v.y, (float)v.z, (float)v.w); }
__G80_VECTOR__ float4 make_float4(uint4 v) { return make_float4((float)v.x, (float)v.y, (float)v.z, (float)v.w); }
__G80_VECTOR__ int4 make_int4(float4 v) { return make_int4((int)v.x, (int)v.y, (int)v.z, (int)v.w); }
__G80_VECTOR__ int4 make_int4(uint4 v) { return make_int4((int)v.x, (int)v.y, (int)v.z, (int)v.w); }
__G80_VECTOR__ uint4 make_uint4(int4 v) {
  return make_uint4((unsigned int)v.x, (unsigned int)v.y, (unsigned int)v.z, (unsigned int)v.w);
}

__G80_VECTOR__ float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }
__G80_VECTOR__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__G80_VECTOR__ float2 operator+(float2 a, float b) { return make_float2(a.x + b, a.y + b); }
__G80_VECTOR__ float2 operator+(float a, float2 b) { return make_float2(a + b.x, a + b.y); }
__G80_VECTOR__ void operator+=(float2& a, float2 b) { a = a + b; }
__G80_VECTOR__ void operator+=(float2& a, float b) { a = a + b; }
__G80_VECTOR__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__G80_VECTOR__ float2 operator-(float2 a, float b) { return make_float2(a.x - b, a.y - b); }
__G80_VECTOR__ float2 operator-(float a, float2 b) { return make_float2(a - b.x, a - b.y); }
__G80_VECTOR__ void operator-=(float2& a, float2 b) { a = a - b; }
__G80_VECTOR__ void operator-=(float2& a, float b) { a = a - b; }
__G80_VECTOR__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
__G80_VECTOR__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }
__G80_VECTOR__ float2 operator*(float a, float2 b) { return make_float2(a * b.x, a * b.y); }
__G80_VECTOR__ void operator*=(float2& a, float2 b) { a = a * b; }
__G80_VECTOR__ void operator*=(float2& a, float b) { a = a * b; }
__G80_VECTOR__ float2 operator/(float2 a, float2 b) { return make_float2(a.x / b.x, a.y / b.y); }
__G80_VECTOR__ float2 operator/(float2 a, float b) { return make_float2(a.x / b, a.y / b); }
__G80_VECTOR__ float2 operator/(float a, float2 b) { return make_float2(a / b.x, a / b.y); }
__G80_VECTOR__ void operator/=(float2& a, float2 b) { a = a / b; }
__G80_VECTOR__ void operator/=(float2& a, float b) { a = a / b; }
__G80_VECTOR__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__G80_VECTOR__ float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__G80_VECTOR__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__G80_VECTOR__ float3 operator+(float3 a, float b) { return make_float3(a.x + b, a.y + b, a.z + b); }
__G80_VECTOR__ float3 operator+(float a, float3 b) { return make_float3(a + b.x, a + b.y, a + b.z); }
__G80_VECTOR__ void operator+=(float3& a, float3 b) { a = a + b; }
__G80_VECTOR__ void operator+=(float3& a, float b) { a = a + b; }
__G80_VECTOR__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__G80_VECTOR__ float3 operator-(float3 a, float b) { return make_float3(a.x - b, a.y - b, a.z - b); }
__G80_VECTOR__ float3 operator-(float a, float3 b) { return make_float3(a - b.x, a - b.y, a - b.z); }
__G80_VECTOR__ void operator-=(float3& a, float3 b) { a = a - b; }
__G80_VECTOR__ void operator-=(float3& a, float b) { a = a - b; }
__G80_VECTOR__ float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
__G80_VECTOR__ float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
__G80_VECTOR__ float3 operator*(float a, float3 b) { return make_float3(a * b.x, a * b.y, a * b.z); }
__G80_VECTOR__ void operator*=(float3& a, float3 b) { a = a * b; }
__G80_VECTOR__ void operator*=(float3& a, float b) { a = a * b; }
__G80_VECTOR__ float3 operator/(float3 a, float3 b) { return make_float3(a.x / b.x, a.y / b.y, a.z / b.z); }
__G80_VECTOR__ float3 operator/(float3 a, float b) { return make_float3(a.x / b, a.y / b, a.z / b); }
__G80_VECTOR__ float3 operator/(float a, float3 b) { return make_float3(a / b.x, a / b.y, a / b.z); }
__G80_VECTOR__ void operator/=(float3& a, float3 b) { a = a / b; }
__G80_VECTOR__ void operator/=(float3& a, float b) { a = a / b; }
__G80_VECTOR__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__G80_VECTOR__ float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
__G80_VECTOR__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__G80_VECTOR__ float4 operator+(float4 a, float b) { return make_float4(a.x + b, a.y + b, a.z + b, a.w + b); }
__G80_VECTOR__ float4 operator+(float a, float4 b) { return make_float4(a + b.x, a + b.y, a + b.z, a + b.w); }
__G80_VECTOR__ void operator+=(float4& a, float4 b) { a = a + b; }
__G80_VECTOR__ void operator+=(float4& a, float b) { a = a + b; }
__G80_VECTOR__ float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__G80_VECTOR__ float4 operator-(float4 a, float b) { return make_float4(a.x - b, a.y - b, a.z - b, a.w - b); }
__G80_VECTOR__ float4 operator-(float a, float4 b) { return make_float4(a - b.x, a - b.y, a - b.z, a - b.w); }
__G80_VECTOR__ void operator-=(float4& a, float4 b) { a = a - b; }
__G80_VECTOR__ void operator-=(float4& a, float b) { a = a - b; }
__G80_VECTOR__ float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__G80_VECTOR__ float4 operator*(float4 a, float b) { return make_float4(a.x * b, a.y * b, a.z * b, a.w * b); }
__G80_VECTOR__ float4 operator*(float a, float4 b) { return make_float4(a * b.x, a * b.y, a * b.z, a * b.w); }
__G80_VECTOR__ void operator*=(float4& a, float4 b) { a = a * b; }
__G80_VECTOR__ void operator*=(float4& a, float b) { a = a * b; }
__G80_VECTOR__ float4 operator/(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
__G80_VECTOR__ float4 operator/(float4 a, float b) { return make_float4(a.x / b, a.y / b, a.z / b, a.w / b); }
__G80_VECTOR__ float4 operator/(float a, float4 b) { return make_float4(a / b.x, a / b.y, a / b.z, a / b.w); }
__G80_VECTOR__ void operator/=(float4& a, float4 b) { a = a / b; }
__G80_VECTOR__ void operator/=(float4& a, float b) { a = a / b; }
__G80_VECTOR__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__G80_VECTOR__ int2 operator-(int2 a) { return make_int2(-a.x, -a.y); }
__G80_VECTOR__ int2 operator+(int2 a, int2 b) { return make_int2(a.x + b.x, a.y + b.y); }
__G80_VECTOR__ int2 operator+(int2 a, int b) { return make_int2(a.x + b, a.y + b); }
__G80_VECTOR__ int2 operator+(int a, int2 b) { return make_int2(a + b.x, a + b.y); }
__G80_VECTOR__ void operator+=(int2& a, int2 b) { a = a + b; }
__G80_VECTOR__ void operator+=(int2& a, int b) { a = a + b; }
__G80_VECTOR__ int2 operator-(int2 a, int2 b) { return make_int2(a.x - b.x, a.y - b.y); }
__G80_VECTOR__ int2 operator-(int2 a, int b) { return make_int2(a.x - b, a.y - b); }
__G80_VECTOR__ int2 operator-(int a, int2 b) { return make_int2(a - b.x, a - b.y); }
__G80_VECTOR__ void operator-=(int2& a, int2 b) { a = a - b; }
__G80_VECTOR__ void operator-=(int2& a, int b) { a = a - b; }
__G80_VECTOR__ int2 operator*(int2 a, int2 b) { return make_int2(a.x * b.x, a.y * b.y); }
__G80_VECTOR__ int2 operator*(int2 a, int b) { return make_int2(a.x * b, a.y * b); }
__G80_VECTOR__ int2 operator*(int a, int2 b) { return make_int2(a * b.x, a * b.y); }
__G80_VECTOR__ void operator*=(int2& a, int2 b) { a = a * b; }
__G80_VECTOR__ void operator*=(int2& a, int b) { a = a * b; }
__G80_VECTOR__ int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
__G80_VECTOR__ int3 operator-(int3 a) { return make_int3(-a.x, -a.y, -a.z); }
__G80_VECTOR__ int3 operator+(int3 a, int3 b) { return make_int3(a.x + b.x, a.y + b.y, a.z + b.z); }
__G80_VECTOR__ int3 operator+(int3 a, int b) { return make_int3(a.x + b, a.y + b, a.z + b); }
__G80_VECTOR__ int3 operator+(int a, int3 b) { return make_int3(a + b.x, a + b.y, a + b.z); }
__G80_VECTOR__ void operator+=(int3& a, int3 b) { a = a + b; }
__G80_VECTOR__ void operator+=(int3& a, int b) { a = a + b; }
__G80_VECTOR__ int3 operator-(int3 a, int3 b) { return make_int3(a.x - b.x, a.y - b.y, a.z - b.z); }
__G80_VECTOR__ int3 operator-(int3 a, int b) { return make_int3(a.x - b, a.y - b, a.z - b); }
__G80_VECTOR__ int3 operator-(int a, int3 b) { return make_int3(a - b.x, a - b.y, a - b.z); }
__G80_VECTOR__ void operator-=(int3& a, int3 b) { a = a - b; }
__G80_VECTOR__ void operator-=(int3& a, int b) { a = a - b; }
__G80_VECTOR__ int3 operator*(int3 a, int3 b) { return make_int3(a.x * b.x, a.y * b.y, a.z * b.z); }
__G80_VECTOR__ int3 operator*(int3 a, int b) { return make_int3(a.x * b, a.y * b, a.z * b); }
__G80_VECTOR__ int3 operator*(int a, int3 b) { return make_int3(a * b.x, a * b.y, a * b.z); }
__G80_VECTOR__ void operator*=(int3& a, int3 b) { a = a * b; }
__G80_VECTOR__ void operator*=(int3& a, int b) { a = a * b; }
__G80_VECTOR__ int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__G80_VECTOR__ int4 operator-(int4 a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
__G80_VECTOR__ int4 operator+(int4 a, int4 b) { return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__G80_VECTOR__ int4 operator+(int4 a, int b) { return make_int4(a.x + b, a.y + b, a.z + b, a.w + b); }
__G80_VECTOR__ int4 operator+(int a, int4 b) { return make_int4(a + b.x, a + b.y, a + b.z, a + b.w); }
__G80_VECTOR__ void operator+=(int4& a, int4 b) { a = a + b; }
__G80_VECTOR__ void operator+=(int4& a, int b) { a = a + b; }
__G80_VECTOR__ int4 operator-(int4 a, int4 b) { return make_int4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__G80_VECTOR__ int4 operator-(int4 a, int b) { return make_int4(a.x - b, a.y - b, a.z - b, a.w - b); }
__G80_VECTOR__ int4 operator-(int a, int4 b) { return make_int4(a - b.x, a - b.y, a - b.z, a - b.w); }
__G80_VECTOR__ void operator-=(int4& a, int4 b) { a = a - b; }
__G80_VECTOR__ void operator-=(int4& a, int b) { a = a - b; }
__G80_VECTOR__ int4 operator*(int4 a, int4 b) { return make_int4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__G80_VECTOR__ int4 operator*(int4 a, int b) { return make_int4(a.x * b, a.y * b, a.z * b, a.w * b); }
__G80_VECTOR__ int4 operator*(int a, int4 b) { return make_int4(a * b.x, a * b.y, a * b.z, a * b.w); }
__G80_VECTOR__ void operator*=(int4& a, int4 b) { a = a * b; }
__G80_VECTOR__ void operator*=(int4& a, int b) { a = a * b; }
__G80_VECTOR__ int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__G80_VECTOR__ uint2 operator+(uint2 a, uint2 b) { return make_uint2(a.x + b.x, a.y + b.y); }
__G80_VECTOR__ uint2 operator+(uint2 a, unsigned int b) { return make_uint2(a.x + b, a.y + b); }
__G80_VECTOR__ uint2 operator+(unsigned int a, uint2 b) { return make_uint2(a + b.x, a + b.y); }
__G80_VECTOR__ void operator+=(uint2& a, uint2 b) { a = a + b; }
__G80_VECTOR__ void operator+=(uint2& a, unsigned int b) { a = a + b; }
__G80_VECTOR__ uint2 operator-(uint2 a, uint2 b) { return make_uint2(a.x - b.x, a.y - b.y); }
__G80_VECTOR__ uint2 operator-(uint2 a, unsigned int b) { return make_uint2(a.x - b, a.y - b); }
__G80_VECTOR__ uint2 operator-(unsigned int a, uint2 b) { return make_uint2(a - b.x, a - b.y); }
__G80_VECTOR__ void operator-=(uint2& a, uint2 b) { a = a - b; }
__G80_VECTOR__ void operator-=(uint2& a, unsigned int b) { a = a - b; }
__G80_VECTOR__ uint2 operator*(uint2 a, uint2 b) { return make_uint2(a.x * b.x, a.y * b.y); }
__G80_VECTOR__ uint2 operator*(uint2 a, unsigned int b) { return make_uint2(a.x * b, a.y * b); }
__G80_VECTOR__ uint2 operator*(unsigned int a, uint2 b) { return make_uint2(a * b.x, a * b.y); }
__G80_VECTOR__ void operator*=(uint2& a, uint2 b) { a = a * b; }
__G80_VECTOR__ void operator*=(uint2& a, unsigned int b) { a = a * b; }
__G80_VECTOR__ unsigned int dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }
__G80_VECTOR__ uint3 operator+(uint3 a, uint3 b) { return make_uint3(a.x + b.x, a.y + b.y, a.z + b.z); }
__G80_VECTOR__ uint3 operator+(uint3 a, unsigned int b) { return make_uint3(a.x + b, a.y + b, a.z + b); }
__G80_VECTOR__ uint3 operator+(unsigned int a, uint3 b) { return make_uint3(a + b.x, a + b.y, a + b.z); }
__G80_VECTOR__ void operator+=(uint3& a, uint3 b) { a = a + b; }
__G80_VECTOR__ void operator+=(uint3& a, unsigned int b) { a = a + b; }
__G80_VECTOR__ uint3 operator-(uint3 a, uint3 b) { return make_uint3(a.x - b.x, a.y - b.y, a.z - b.z); }
__G80_VECTOR__ uint3 operator-(uint3 a, unsigned int b) { return make_uint3(a.x - b, a.y - b, a.z - b); }
__G80_VECTOR__ uint3 operator-(unsigned int a, uint3 b) { return make_uint3(a - b.x, a - b.y, a - b.z); }
__G80_VECTOR__ void operator-=(uint3& a, uint3 b) { a = a - b; }
__G80_VECTOR__ void operator-=(uint3& a, unsigned int b) { a = a - b; }
__G80_VECTOR__ uint3 operator*(uint3 a, uint3 b) { return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z); }
__G80_VECTOR__ uint3 operator*(uint3 a, unsigned int b) { return make_uint3(a.x * b, a.y * b, a.z * b); }
__G80_VECTOR__ uint3 operator*(unsigned int a, uint3 b) { return make_uint3(a * b.x, a * b.y, a * b.z); }
__G80_VECTOR__ void operator*=(uint3& a, uint3 b) { a = a * b; }
__G80_VECTOR__ void operator*=(uint3& a, unsigned int b) { a = a * b; }
__G80_VECTOR__ unsigned int dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__G80_VECTOR__ uint4 operator+(uint4 a, uint4 b) { return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__G80_VECTOR__ uint4 operator+(uint4 a, unsigned int b) { return make_uint4(a.x + b, a.y + b, a.z + b, a.w + b); }
__G80_VECTOR__ uint4 operator+(unsigned int a, uint4 b) { return make_uint4(a + b.x, a + b.y, a + b.z, a + b.w); }
__G80_VECTOR__ void operator+=(uint4& a, uint4 b) { a = a + b; }
__G80_VECTOR__ void operator+=(uint4& a, unsigned int b) { a = a + b; }
__G80_VECTOR__ uint4 operator-(uint4 a, uint4 b) { return make_uint4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__G80_VECTOR__ uint4 operator-(uint4 a, unsigned int b) { return make_uint4(a.x - b, a.y - b, a.z - b, a.w - b); }
__G80_VECTOR__ uint4 operator-(unsigned int a, uint4 b) { return make_uint4(a - b.x, a - b.y, a - b.z, a - b.w); }
__G80_VECTOR__ void operator-=(uint4& a, uint4 b) { a = a - b; }
__G80_VECTOR__ void operator-=(uint4& a, unsigned int b) { a = a - b; }
__G80_VECTOR__ uint4 operator*(uint4 a, uint4 b) { return make_uint4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__G80_VECTOR__ uint4 operator*(uint4 a, unsigned int b) { return make_uint4(a.x * b, a.y * b, a.z * b, a.w * b); }
__G80_VECTOR__ uint4 operator*(unsigned int a, uint4 b) { return make_uint4(a * b.x, a * b.y, a * b.z, a * b.w); }
__G80_VECTOR__ void operator*=(uint4& a, uint4 b) { a = a * b; }
__G80_VECTOR__ void operator*=(uint4& a, unsigned int b) { a = a * b; }
__G80_VECTOR__ unsigned int dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

#if __cplusplus <= 201703L  // later it is the library's
__G80_VECTOR__ float lerp(float a, float b, float t) { return a + t * (b - a); }
#endif
__G80_VECTOR__ float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }
__G80_VECTOR__ int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
__G80_VECTOR__ unsigned int clamp(unsigned int v, unsigned int low, unsigned int high) {
  return v < low ? low : v > high ? high : v;
}
__G80_VECTOR__ float smoothstep(float a, float b, float x) {
  const float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}
__G80_VECTOR__ float2 fminf(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), fminf(a.y, b.y)); }
__G80_VECTOR__ float2 fmaxf(float2 a, float2 b) { return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y)); }
__G80_VECTOR__ float2 lerp(float2 a, float2 b, float t) { return a + t * (b - a); }
__G80_VECTOR__ float2 clamp(float2 v, float low, float high) {
  return make_float2(clamp(v.x, low, high), clamp(v.y, low, high));
}
__G80_VECTOR__ float2 clamp(float2 v, float2 low, float2 high) {
  return make_float2(clamp(v.x, low.x, high.x), clamp(v.y, low.y, high.y));
}
__G80_VECTOR__ float length(float2 v) { return sqrtf(dot(v, v)); }
__G80_VECTOR__ float2 normalize(float2 v) { return v * (1.0f / sqrtf(dot(v, v))); }
__G80_VECTOR__ float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
__G80_VECTOR__ float2 fracf(float2 v) { return v - floorf(v); }
__G80_VECTOR__ float2 fabs(float2 v) { return make_float2(fabsf(v.x), fabsf(v.y)); }
__G80_VECTOR__ float3 fminf(float3 a, float3 b) {
  return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}
__G80_VECTOR__ float3 fmaxf(float3 a, float3 b) {
  return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}
__G80_VECTOR__ float3 lerp(float3 a, float3 b, float t) { return a + t * (b - a); }
__G80_VECTOR__ float3 clamp(float3 v, float low, float high) {
  return make_float3(clamp(v.x, low, high), clamp(v.y, low, high), clamp(v.z, low, high));
}
__G80_VECTOR__ float3 clamp(float3 v, float3 low, float3 high) {
  return make_float3(clamp(v.x, low.x, high.x), clamp(v.y, low.y, high.y), clamp(v.z, low.z, high.z));
}
__G80_VECTOR__ float length(float3 v) { return sqrtf(dot(v, v)); }
__G80_VECTOR__ float3 normalize(float3 v) { return v * (1.0f / sqrtf(dot(v, v))); }
__G80_VECTOR__ float3 floorf(float3 v) { return make_float3(floorf(v.x), floorf(v.y), floorf(v.z)); }
__G80_VECTOR__ float3 fracf(float3 v) { return v - floorf(v); }
__G80_VECTOR__ float3 fabs(float3 v) { return make_float3(fabsf(v.x), fabsf(v.y), fabsf(v.z)); }
__G80_VECTOR__ float4 fminf(float4 a, float4 b) {
  return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w));
}
__G80_VECTOR__ float4 fmaxf(float4 a, float4 b) {
  return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
}
__G80_VECTOR__ float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
__G80_VECTOR__ float4 clamp(float4 v, float low, float high) {
  return make_float4(clamp(v.x, low, high), clamp(v.y, low, high), clamp(v.z, low, high), clamp(v.w, low, high));
}
__G80_VECTOR__ float4 clamp(float4 v, float4 low, float4 high) {
  return make_float4(clamp(v.x, low.x, high.x), clamp(v.y, low.y, high.y), clamp(v.z, low.z, high.z),
                     clamp(v.w, low.w, high.w));
}
__G80_VECTOR__ float length(float4 v) { return sqrtf(dot(v, v)); }
__G80_VECTOR__ float4 normalize(float4 v) { return v * (1.0f / sqrtf(dot(v, v))); }
__G80_VECTOR__ float4 floorf(float4 v) { return make_float4(floorf(v.x), floorf(v.y), floorf(v.z), floorf(v.w)); }
__G80_VECTOR__ float4 fracf(float4 v) { return v - floorf(v); }
__G80_VECTOR__ float4 fabs(float4 v) { return make_float4(fabsf(v.x), fabsf(v.y), fabsf(v.z), fabsf(v.w)); }
__G80_VECTOR__ int2 min(int2 a, int2 b) { return make_int2(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y); }
__G80_VECTOR__ int2 max(int2 a, int2 b) { return make_int2(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y); }
__G80_VECTOR__ int3 min(int3 a, int3 b) {
  return make_int3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
__G80_VECTOR__ int3 max(int3 a, int3 b) {
  return make_int3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
__G80_VECTOR__ int4 min(int4 a, int4 b) {
  return make_int4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, a.w < b.w ? a.w : b.w);
}
__G80_VECTOR__ int4 max(int4 a, int4 b) {
  return make_int4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, a.w > b.w ? a.w : b.w);
}
__G80_VECTOR__ uint2 min(uint2 a, uint2 b) { return make_uint2(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y); }
__G80_VECTOR__ uint2 max(uint2 a, uint2 b) { return make_uint2(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y); }
__G80_VECTOR__ uint3 min(uint3 a, uint3 b) {
  return make_uint3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
__G80_VECTOR__ uint3 max(uint3 a, uint3 b) {
  return make_uint3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
__G80_VECTOR__ uint4 min(uint4 a, uint4 b) {
  return make_uint4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, a.w < b.w ? a.w : b.w);
}
__G80_VECTOR__ uint4 max(uint4 a, uint4 b) {
  return make_uint4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, a.w > b.w ? a.w : b.w);
}
__G80_VECTOR__ float fracf(float v) { return v - floorf(v); }
__G80_VECTOR__ float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
__G80_VECTOR__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#undef __G80_VECTOR__
