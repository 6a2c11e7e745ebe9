// The step width of each cell of a flow solver: speed of sound and of the flow from density, momentum and energy.
#include "pointer.h"

extern "C" __global__ void fgp_default44(int cells, unsigned variables, unsigned areas, unsigned factors) {
  const int i = thread_index();
  const float* v = pointer<float>(variables);
  const float density = v[i];
  const float x = v[i + cells] / density, y = v[i + 2 * cells] / density, z = v[i + 3 * cells] / density;
  const float energy = v[i + 4 * cells];
  const float speed_squared = x * x + y * y + z * z;
  const float pressure = (energy - speed_squared * (0.5f * density)) * 0.4f;
  const float sound = sqrtf(pressure * 1.4f / density);
  const float speed = sqrtf(speed_squared);
  pointer<float>(factors)[i] = 0.5f / ((speed + sound) * sqrtf(pointer<float>(areas)[i]));
}
