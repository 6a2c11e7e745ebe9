// Breadth-first search: one thread per vertex, one launch per level, until no vertex was reached.
#include "../cuda_program.h"

__global__ void visit_level(int* level, int* changed, const int* first_edge, const int* target, int present, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != present) return;
  for (int e = first_edge[v]; e < first_edge[v + 1]; ++e) {
    const int to = target[e];
    if (level[to] < 0) {
      level[to] = present + 1;  // whoever gets here writes the same value
      *changed = 1;
    }
  }
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 600), degree = program.argument("degree", 3);
  RandomNumbers random(8);
  std::vector<int> first_edge(n + 1), target;
  for (int v = 0; v < n; ++v) {
    first_edge[v] = static_cast<int>(target.size());
    const int edges = static_cast<int>(random.next() % (2 * degree));
    for (int e = 0; e < edges; ++e) target.push_back(static_cast<int>(random.next() % n));
  }
  first_edge[n] = static_cast<int>(target.size());
  target.push_back(0);

  std::vector<int> want(n, -1), queue(1, 0);
  want[0] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int v = queue[i];
    for (int e = first_edge[v]; e < first_edge[v + 1]; ++e) {
      if (want[target[e]] >= 0) continue;
      want[target[e]] = want[v] + 1;
      queue.push_back(target[e]);
    }
  }

  std::vector<int> level(n, -1);
  level[0] = 0;
  DeviceArray<int> device_level(level), device_first(first_edge), device_target(target), changed(1);
  int levels = 0;
  for (bool more = true; more; ++levels) {
    changed.clear();
    visit_level<<<(n + 127) / 128, 128>>>(device_level.get(), changed.get(), device_first.get(), device_target.get(), levels, n);
    CHECK_LAUNCH();
    more = changed.read()[0] != 0;
  }
  program.result("levels", device_level.read(), want);
  return program.finish();
}
