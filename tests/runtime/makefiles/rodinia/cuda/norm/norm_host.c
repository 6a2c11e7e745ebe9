/* C, compiled by nvcc. */
#include <math.h>

double norm_of(const float* values, int n);

double norm_of(const float* values, int n) {
  double sum = 0;
  int class;
  for (class = 0; class < n; ++class) sum += (double)values[class] * values[class];
  return sqrt(sum);
}
