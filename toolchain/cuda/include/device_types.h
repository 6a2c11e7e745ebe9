/* SPDX-License-Identifier: Apache-2.0
   Roundings, for the conversions that take one as an argument. */
#pragma once
#pragma GCC system_header
#define __DEVICE_TYPES_H__
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
