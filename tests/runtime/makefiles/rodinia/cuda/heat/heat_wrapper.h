// SPDX-License-Identifier: Apache-2.0
#ifdef __cplusplus
extern "C" {
#endif
int diffuse(float* line, int n, int steps);
#ifdef __cplusplus
}
#endif
