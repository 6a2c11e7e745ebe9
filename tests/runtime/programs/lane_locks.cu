// A lock that the lanes of a warp take one after the other, in all the ways in which loops are written: what stands in
// the loop is done in the loop, where no lane waits for another. Each lane of two warps counts once.
#include <cstdio>

__device__ int device_lock;
__device__ volatile int turn;

__device__ bool try_lock(int* lock) { return atomicCAS(lock, 0, 1) == 0; }
__device__ void unlock(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}
struct Guard {
  int* lock;
  bool owns;
  __device__ Guard(int* l) : lock(l), owns(try_lock(l)) {}
  __device__ ~Guard() {
    if (owns) unlock(lock);
  }
};

__global__ void flag(int* count, int*) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&device_lock, 0, 1) == 0) {
      *count = *count + 1;
      __threadfence();
      done = true;
      atomicExch(&device_lock, 0);
    }
  }
}
__global__ void flag_at_the_end(int* count, int* lock) {
  int waits = 1;
  do {
    if (atomicExch(lock, 1) == 0) {
      *count += 1;
      waits = 0;
      unlock(lock);
    }
  } while (waits);
}
__global__ void result_at_the_end(int* count, int* lock) {
  int taken;
  do {
    taken = atomicCAS(lock, 0, 1);
    if (taken == 0) {
      *count += 1;
      unlock(lock);
    }
  } while (taken != 0);
}
__global__ void break_out(int* count, int* lock) {
  while (true) {
    if (try_lock(lock)) {
      *count += 1;
      unlock(lock);
      break;
    }
  }
}
__global__ void break_from_do(int* count, int* lock) {
  do {
    if (try_lock(lock)) {
      *count += 1;
      unlock(lock);
      break;
    }
  } while (true);
}
__global__ void continue_first(int* count, int* lock) {
  for (;;) {
    if (!try_lock(lock)) continue;
    *count += 1;
    unlock(lock);
    break;
  }
}
__device__ int locked_sum(int* count, int* lock) {
  for (;;) {
    if (try_lock(lock)) {
      const int sum = *count += 1;
      unlock(lock);
      return sum;
    }
  }
}
__global__ void return_a_result(int* count, int* lock) {
  const int sum = locked_sum(count, lock);
  if (sum <= 0) *count = -1000;
}
__global__ void count_down(int* count, int* lock) {
  for (int left = 1; left > 0;) {
    if (try_lock(lock)) {
      *count += 1;
      unlock(lock);
      --left;
    }
  }
}
__global__ void limited(int* count, int* lock) {
  bool done = false;
  for (int i = 0; i < 100000 && !done; ++i) {
    if (try_lock(lock)) {
      *count += 1;
      unlock(lock);
      done = true;
    }
  }
}
__global__ void counter_to_the_end(int* count, int* lock) {
  for (int i = 0; i < 100000; ++i) {
    if (try_lock(lock)) {
      *count += 1;
      unlock(lock);
      i = 100000;
    }
  }
}
__global__ void break_if_it_may(int* count, int* lock) {
  while (true) {
    if (try_lock(lock)) {
      *count += 1;
      unlock(lock);
      if ((int)threadIdx.x >= 0) break;
    } else {
      if ((int)threadIdx.x < 0) break;
    }
  }
}
__global__ void states(int* count, int* lock) {
  int state = 0;
  while (state != 2) {
    switch (state) {
      case 0:
        if (try_lock(lock)) state = 1;
        break;
      case 1:
        *count += 1;
        unlock(lock);
        state = 2;
        break;
    }
  }
}
__global__ void guarded(int* count, int* lock) {
  while (true) {
    Guard guard(lock);
    if (guard.owns) {
      *count += 1;
      break;
    }
  }
}
__device__ bool step(int* count, int* lock) {
  if (!try_lock(lock)) return false;
  *count += 1;
  unlock(lock);
  return true;
}
__global__ void in_a_function(int* count, int* lock) {
  while (!step(count, lock)) {
  }
}
__global__ void nested(int* count, int* lock) {
  bool done = false;
  while (!done) {
    if (try_lock(lock)) {
      for (bool inner = false; !inner;) {
        if (try_lock(lock + 1)) {
          *count += 1;
          inner = true;
          unlock(lock + 1);
        }
      }
      done = true;
      unlock(lock);
    }
  }
}
__global__ void by_turns(int* count, int*) {
  bool done = false;
  while (!done) {
    if (turn == threadIdx.x) {
      *count += 1;
      __threadfence();
      turn = threadIdx.x + 1;
      done = true;
    }
  }
}
__global__ void lane_by_lane(int* count, int* lock) {
  for (int lane = 0; lane < 32; ++lane) {
    if (lane == (threadIdx.x & 31)) {
      while (!try_lock(lock)) {
      }
      *count += 1;
      unlock(lock);
    }
  }
}

__global__ void go_again_or_not(int* count, int* lock) {
again:
  if (try_lock(lock)) {
    *count += 1;
    unlock(lock);
  } else {
    goto again;
  }
}
__global__ void go_again_first(int* count, int* lock) {
again:
  if (!try_lock(lock)) goto again;
  *count += 1;
  unlock(lock);
}
__global__ void go_again_by_flag(int* count, int* lock) {
  bool done = false;
again:
  if (try_lock(lock)) {
    *count += 1;
    done = true;
    unlock(lock);
  }
  if (!done) goto again;
}
__global__ void go_to_work(int* count, int* lock) {
again:
  if (try_lock(lock)) goto work;
  goto again;
work:
  *count += 1;
  unlock(lock);
}
__global__ void go_out(int* count, int* lock) {
again:
  if (try_lock(lock)) {
    *count += 1;
    unlock(lock);
    goto out;
  }
  goto again;
out:;
}
/// What lanes do together stays behind the loop.
__global__ void go_to_barrier(int* count, int* lock) {
again:
  if (atomicAdd(lock, 1) < 200) goto again;
  __syncthreads();
  atomicAdd(count, 1);
}
__global__ void enter_at_the_test(int* count, int* lock) {
  bool done = false;
  goto test;
work:
  if (try_lock(lock)) {
    *count += 1;
    unlock(lock);
    done = true;
  }
test:
  if (!done) goto work;
}
__global__ void go_up_to_work(int* count, int* lock) {
  goto test;
work:
  *count += 1;
  unlock(lock);
  goto out;
test:
  if (try_lock(lock)) goto work;
  goto test;
out:;
}
__global__ void go_up_to_work_and_back(int* count, int* lock) {
  bool done = false;
  goto test;
work:
  *count += 1;
  unlock(lock);
  done = true;
test:
  if (!done) {
    if (try_lock(lock)) goto work;
    goto test;
  }
}
__global__ void go_up_in_a_loop(int* count, int* lock) {
  for (int k = 0; k < 2; ++k) {
    goto test;
  work:
    if (k == 1) *count += 1;
    unlock(lock);
    goto next;
  test:
    if (try_lock(lock)) goto work;
    goto test;
  next:;
  }
}
__global__ void go_up_to_barrier(int* count, int* lock) {
  goto test;
work:
  *count += 1;
  unlock(lock);
  goto out;
together:
  __syncthreads();
  if (threadIdx.x == 0 && *(volatile int*)count != 64) *count = -1000;
  return;
test:
  if (try_lock(lock)) goto work;
  goto test;
out:
  goto together;
}
__global__ void go_again_on_both_sides(int* count, int* lock) {
  if (threadIdx.x & 1) {
  again:
    if (!try_lock(lock)) goto again;
    for (int i = 0; i < 3; ++i) *count += i;
    unlock(lock);
  } else {
  again_here:
    if (!try_lock(lock)) goto again_here;
    *count -= 1;
    unlock(lock);
  }
}
__global__ void go_again_and_again(int* count, int* lock) {
again:
  if (!try_lock(lock)) goto again;
  *count += 2;
  unlock(lock);
again_here:
  if (!try_lock(lock)) goto again_here;
  *count -= 1;
  unlock(lock);
}
__global__ void go_up_in_a_lock(int* count, int* lock) {
again:
  if (try_lock(lock)) {
    goto test;
  work:
    *count += 1;
    unlock(lock + 1);
    goto out;
  test:
    if (try_lock(lock + 1)) goto work;
    goto test;
  out:
    unlock(lock);
  } else {
    goto again;
  }
}

__global__ void continue_and_return(int* count, int* lock) {
  while (true) {
    if (!try_lock(lock)) continue;
    *count += 1;
    unlock(lock);
    return;
  }
}
__device__ void count_one(int* count, int* lock) {
  for (;;) {
    if (atomicExch(lock, 1) != 0) {
      continue;
    } else {
      *count += 1;
      unlock(lock);
      return;
    }
  }
}
__global__ void return_on_one_side(int* count, int* lock) {
  if (threadIdx.x < 16) {
    count_one(count, lock);
  } else {
    while (1) {
      if (!try_lock(lock)) continue;
      *count += 1;
      unlock(lock);
      return;
    }
  }
}

static bool ok = true;
static int* memory;
static void test(const char* name, void (*kernel)(int*, int*)) {
  cudaMemset(memory, 0, 16);
  kernel<<<1, 64>>>(memory, memory + 1);
  int counted;
  cudaMemcpy(&counted, memory, 4, cudaMemcpyDeviceToHost);
  if (counted == 64) return;
  ok = false;
  printf("%s: %d, %s\n", name, counted, cudaGetErrorString(cudaGetLastError()));
}

int main() {
  cudaMalloc((void**)&memory, 16);
#define TEST(name) test(#name, name)
  TEST(flag), TEST(flag_at_the_end), TEST(result_at_the_end), TEST(break_out), TEST(break_from_do);
  TEST(continue_first), TEST(return_a_result), TEST(count_down), TEST(limited), TEST(counter_to_the_end),
      TEST(break_if_it_may), TEST(states);
  TEST(go_again_or_not), TEST(go_again_first), TEST(go_again_by_flag), TEST(go_to_work), TEST(go_out),
      TEST(go_to_barrier);
  TEST(enter_at_the_test), TEST(go_up_to_work), TEST(go_up_to_work_and_back), TEST(go_up_in_a_loop),
      TEST(go_up_to_barrier);
  TEST(go_again_on_both_sides), TEST(go_again_and_again), TEST(go_up_in_a_lock);
  TEST(continue_and_return), TEST(return_on_one_side);
  TEST(guarded), TEST(in_a_function), TEST(nested), TEST(by_turns), TEST(lane_by_lane);
  printf(ok ? "PASSED\n" : "FAILED\n");
  return ok ? 0 : 1;
}
