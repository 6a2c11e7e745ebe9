#ifdef __cplusplus
extern "C" {
#endif
int diffuse(float* line, int n, int steps);
#ifdef __cplusplus
}
#endif
