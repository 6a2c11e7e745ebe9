// SPDX-License-Identifier: Apache-2.0
// Host threads as the SDK's programs for several devices start them.
#pragma once
#pragma GCC system_header
#define MULTITHREADING_H
#include <pthread.h>

typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

inline CUTThread cutStartThread(CUT_THREADROUTINE routine, void* data) {
  CUTThread thread;
  pthread_create(&thread, 0, routine, data);
  return thread;
}
inline void cutEndThread(CUTThread thread) { pthread_join(thread, 0); }
inline void cutDestroyThread(CUTThread thread) { pthread_cancel(thread); }
inline void cutWaitForThreads(const CUTThread* threads, int count) {
  for (int i = 0; i < count; ++i) cutEndThread(threads[i]);
}
