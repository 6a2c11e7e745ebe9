// SPDX-License-Identifier: Apache-2.0
// Bessel functions in double precision, by the methods of math_bessel.h. The polynomials are minimax fits (Remez
// exchange), each with its degree and relative error.
#pragma once
#pragma GCC system_header
#include "math_double_gamma.h"

/// J0(x), 0 <= x < 3, t = x^2 - 4: (x^2 - z^2) P(t), degree 10 (2^-64.9); below 1: 1 + x^2 P(x^2), degree 7 (2^-67.9).
__G80_DEVICE__ double __g80_j0_small_d(double x) {
  const double z = __dmul_rn(x, x);
  if (x < 1.0) {
    double p =
        __g80_polynomial_d(z, 9.270567709720251e-15, -2.4026200017914362e-12, 4.709501207807857e-10,
                           -6.781684020311094e-08, 6.781684027758714e-06, -0.00043402777777777537, 0.015625, -0.25);
    return __fma_rn(z, p, 1.0);
  }
  const double t = __fma_rn(x, x, -4.0), d = __dadd_rn(__dadd_rn(x, -2.404825557695773), 1.176691651530894e-16);
  double p =
      __g80_polynomial_d(t, -1.357123962772298e-22, 6.587046348365489e-20, -2.6082838308822227e-17,
                         8.34716776400805e-15, -2.103714443450223e-12, 4.039733535596385e-10, -5.6568293998771334e-08,
                         5.432285732956644e-06, -0.0003261029365071976, 0.010444561215383317, -0.1255566069908084);
  return __dmul_rn(__dmul_rn(d, __dadd_rn(x, 2.404825557695773)), p);
}
/// J1(x), 0 <= x < 3: x (x^2 - z^2) P(t), degree 10 (2^-67.4).
__G80_DEVICE__ double __g80_j1_small_d(double x) {
  const double t = __fma_rn(x, x, -4.0), d = __dadd_rn(__dadd_rn(x, -3.8317059702075125), 1.5269184090088067e-16);
  double p =
      __g80_polynomial_d(t, -5.6191166587096526e-24, 2.967658637297282e-21, -1.2904282775248524e-18,
                         4.578196553234788e-16, -1.2940843691686484e-13, 2.827804883289522e-11, -4.5906307240662385e-09,
                         5.238495534990648e-07, -3.866951461473801e-05, 0.0016016716531777199, -0.02699524399938827);
  return __dmul_rn(__dmul_rn(__dmul_rn(d, __dadd_rn(x, 3.8317059702075125)), x), p);
}
/// J0(x), 3 <= x < 8: (x - z) P(x - 4) and (x - z) P(x - 6.5), both of degree 18 (2^-80.0 and 2^-68.3).
__G80_DEVICE__ double __g80_j0_middle_d(double x) {
  if (x < 5.0) {
    const double t = __dadd_rn(x, -4.0);
    double p = __g80_polynomial_d(t, -1.061133483749962e-18, 1.899612179618605e-17, 3.907065510120514e-16,
                                  -6.227570457064151e-15, -1.1222722733257834e-13, 1.5934990923936218e-12,
                                  2.5036117899613975e-11, -3.118424085264085e-10, -4.1804329148239665e-09,
                                  4.474548430660389e-08, 4.968385465933876e-07, -4.4392415876969455e-06,
                                  -3.910069395537469e-05, 0.0002789203785130882, 0.0018193995085397379,
                                  -0.009561625570903454, -0.04071364514351208, 0.12843156815636278, 0.2612693434477806);
    return __dmul_rn(__dadd_rn(__dadd_rn(x, -5.520078110286311), -8.088597146146722e-17), p);
  }
  const double t = __dadd_rn(x, -6.5);
  double p =
      __g80_polynomial_d(t, 5.609671671401997e-20, -2.747485172756104e-17, 4.0834498702275536e-18,
                         9.085429221301718e-15, -5.21286576041965e-15, -2.3057388545137267e-12, 2.2640463504783933e-12,
                         4.456402025971695e-10, -6.148082253952347e-10, -6.273611507517761e-08, 1.1046639161163568e-07,
                         6.034527808028858e-06, -1.2756524516564423e-05, -0.0003590840237163448, 0.0008665172537110297,
                         0.011050923016161562, -0.028586427737743912, -0.11386878276417488, 0.26542381419563965);
  return __dmul_rn(__dadd_rn(__dadd_rn(x, -5.520078110286311), -8.088597146146722e-17), p);
}
/// J1(x), 3 <= x < 8: (x - z) P(x - 4) and (x - z) P(x - 6.5), both of degree 18 (2^-80.7 and 2^-71.8).
__G80_DEVICE__ double __g80_j1_middle_d(double x) {
  if (x < 5.0) {
    const double t = __dadd_rn(x, -4.0);
    double p = __g80_polynomial_d(t, 1.0275604412851693e-18, 1.887554238952185e-17, -3.7894332006163025e-16,
                                  -6.082571061724571e-15, 1.1017671276948074e-13, 1.522861884529981e-12,
                                  -2.4953604161675328e-11, -2.89780821729446e-10, 4.247559548512755e-09,
                                  4.0055650135618775e-08, -5.177418154992901e-07, -3.7722643817588807e-06,
                                  4.219064946800959e-05, 0.00021936846552297358, -0.002067057328022201,
                                  -0.006629220325701153, 0.05042467795379604, 0.07005150998945092, -0.3924282287671335);
    return __dmul_rn(__dadd_rn(__dadd_rn(x, -3.8317059702075125), 1.5269184090088067e-16), p);
  }
  const double t = __dadd_rn(x, -6.5);
  double p = __g80_polynomial_d(t, -1.3746546921347633e-18, -2.3271293752041276e-18, 5.062501764907353e-16,
                                6.548969914704307e-16, -1.4515219295233712e-13, -1.3021442403862623e-13,
                                3.2284858424594785e-11, 1.6585865898648263e-11, -5.365754229929992e-09,
                                -8.072394312979524e-10, 6.329695893968265e-07, -1.1455840981667148e-07,
                                -4.920127473506601e-05, 2.2534588972375897e-05, 0.0022411250616447245,
                                -0.0014177205859508368, -0.04833112679918981, 0.028353274403168434, 0.2983810684341155);
  return __dmul_rn(__dadd_rn(__dadd_rn(x, -7.015586669815619), 9.414165653410389e-17), p);
}
/// Y0(x), 3 <= x < 8: (x - z) P(x - 4) and (x - z) P(x - 6.5), both of degree 18 (2^-61.1 and 2^-63.6).
__G80_DEVICE__ double __g80_y0_middle_d(double x) {
  if (x < 5.0) {
    const double t = __dadd_rn(x, -4.0);
    double p = __g80_polynomial_d(
        t, 1.604239734837477e-13, -6.66339328155958e-13, 2.0423332176872388e-12, -8.690973917623459e-12,
        3.853171952018719e-11, -1.6195712449899962e-10, 6.713865948773465e-10, -3.2917847845317133e-09,
        1.7312551148678082e-08, -1.4190706323025956e-08, -3.003309372226255e-07, -4.993977088521577e-06,
        4.94584025118093e-05, 0.00020801492118532067, -0.0021408432412210136, -0.007218632405675468, 0.0576304725848259,
        0.055772070786748416, -0.40028607275087885);
    return __dmul_rn(__dadd_rn(__dadd_rn(x, -3.957678419314858), 1.0764340697562706e-16), p);
  }
  const double t = __dadd_rn(x, -6.5);
  double p = __g80_polynomial_d(t, 1.247438475379503e-17, -9.198630633625353e-17, 9.817761486746983e-16,
                                -2.5900971680671343e-15, -1.2653832431959412e-13, -2.7328415205939755e-13,
                                3.436194505094728e-11, 5.390706371601749e-12, -5.499964346775948e-09,
                                -3.3470915716850075e-10, 6.595596151619818e-07, -2.5599870768954706e-07,
                                -5.11035751831435e-05, 3.360524551631879e-05, 0.002337196104127945,
                                -0.002071690390908549, -0.04917565324896328, 0.03671782958119043, 0.2956097969173119);
  return __dmul_rn(__dadd_rn(__dadd_rn(x, -7.086051060301773), 8.835285723085408e-17), p);
}
/// Y1(x), 3 <= x < 8: (x - z) P(x - 4) and (x - z) P(x - 6.5), both of degree 18 (2^-58.5 and 2^-61.4).
__G80_DEVICE__ double __g80_y1_middle_d(double x) {
  if (x < 5.0) {
    const double t = __dadd_rn(x, -4.0);
    double p = __g80_polynomial_d(t, 6.208822321237497e-13, -2.2558395605058295e-12, 6.0642695774482265e-12,
                                  -2.5157793884690334e-11, 1.0613098568968105e-10, -4.2146686056991004e-10,
                                  1.6379812500295963e-09, -6.296411018172092e-09, 3.0160668500856956e-08,
                                  -1.4578588266614673e-07, -7.384779828575688e-08, 2.6028049298493156e-06,
                                  4.37746814984276e-05, -0.0002821455143723489, -0.0016640265663947103,
                                  0.0082811713714018, 0.041076378807832395, -0.11324878594706227, -0.2783318091258082);
    return __dmul_rn(__dadd_rn(__dadd_rn(x, -5.429681040794135), -4.162514026670377e-16), p);
  }
  const double t = __dadd_rn(x, -6.5);
  double p =
      __g80_polynomial_d(t, 4.836552627428581e-17, -3.0697899376475115e-16, 1.632337358287123e-15,
                         -1.9173154791107924e-14, 7.31952131500949e-14, 1.796216627958492e-12, 8.606235850958836e-13,
                         -4.4970682015120416e-10, 6.583017301898155e-10, 5.98297643424247e-08, -9.292244392426706e-08,
                         -5.838345291236436e-06, 1.1389166213865507e-05, 0.0003444847875545003, -0.0007500358989038518,
                         -0.010784730929125064, 0.025308728566840123, 0.11679619867777892, -0.2560837324255571);
  return __dmul_rn(__dadd_rn(__dadd_rn(x, -5.429681040794135), -4.162514026670377e-16), p);
}
/// Modulus and phase, x >= 8: sqrt(2 / (pi x)) M(1 / x^2) cos(x - pi/4 + F(1 / x^2) / x - quarter pi/2), both of degree
/// 10; of order 0 (2^-53.1, 2^-47.2) and 1 (2^-53.0, 2^-48.6).
__G80_DEVICE__ double __g80_bessel_wave_d(double x, int order, int quarter) {
  const double r = __drcp_rn(x), u = __dmul_rn(r, r);
  double modulus, phase;
  if (order == 0) {
    double p = __g80_polynomial_d(u, 410426410.99053323, -43796965.93250919, 2279965.7365958095, -83269.45933224382,
                                  2753.284943270012, -105.91759028512341, 5.845842125784943, -0.5428416280511608,
                                  0.10351562034660908, -0.062499999998315195, 0.9999999999999999);
    modulus = p;
  } else {
    double p = __g80_polynomial_d(u, -472712780.5881229, 50602241.338820875, -2649082.631182671, 97788.15906959017,
                                  -3299.792290228986, 131.66152935135315, -7.736706484472251, 0.8052921059819855,
                                  -0.19335936970452142, 0.18749999999808198, 1.0000000000000002);
    modulus = p;
  }
  if (order == 0) {
    double p = __g80_polynomial_d(u, -2975079607.736417, 311181205.1017391, -15661646.141961312, 539010.8302505267,
                                  -16085.794626575826, 527.8584364564317, -23.45241863597885, 1.6380260338657202,
                                  -0.2095702760032989, 0.06510416665351494, -0.12499999999999922);
    phase = p;
  } else {
    double p = __g80_polynomial_d(u, 3421447153.584281, -358922454.2694519, 18157317.16332338, -630902.6349409971,
                                  19173.754146972497, -650.3596161328127, 30.59822406009241, -2.3693525496265897,
                                  0.370898395985123, -0.16406249998503095, 0.3749999999999991);
    phase = p;
  }
  int quadrant;
  const __g80_pair_d angle = __g80_reduce_d(x, &quadrant), start = __g80_sum_d(angle.high, -0.7853981633974483);
  __g80_pair_d t = __g80_sum_d(start.high, __dmul_rn(phase, r));
  t.low = __dadd_rn(__dadd_rn(t.low, start.low), __dadd_rn(angle.low, -3.061616997868383e-17));
  if (t.high < -0.7853981633974483) {
    const __g80_pair_d next = __g80_sum_d(t.high, 1.5707963267948966);
    t = __g80_pair_of_d(next.high, __dadd_rn(__dadd_rn(t.low, next.low), 6.123233995736766e-17));
    --quadrant;
  }
  const double size = __ddiv_rn(__dmul_rn(modulus, 0.7978845608028654), __dsqrt_rn(x));
  return __dmul_rn(size, __g80_sine_d(__g80_sum_d(t.high, t.low), quadrant + 1 - quarter));
}

static inline __device__ double j0(double x) {
  const double a = fabs(x);
  if (!(a < __G80_INFINITY_D__)) return x != x ? x : 0.0;
  return a < 3.0 ? __g80_j0_small_d(a) : a < 8.0 ? __g80_j0_middle_d(a) : __g80_bessel_wave_d(a, 0, 0);
}
static inline __device__ double j1(double x) {
  const double a = fabs(x);
  if (!(a < __G80_INFINITY_D__)) return x != x ? x : copysign(0.0, x);
  const double r = a < 3.0 ? __g80_j1_small_d(a) : a < 8.0 ? __g80_j1_middle_d(a) : __g80_bessel_wave_d(a, 1, 1);
  return __double2hiint(x) < 0 ? -r : r;
}
/// What a function of the second kind is of a number that is not positive and finite.
__G80_DEVICE__ double __g80_y_special_d(double x) {
  return x == 0.0 ? -__G80_INFINITY_D__ : x > 0.0 ? 0.0 : __G80_NAN_D__;
}
/// Up to 3: 2/pi ln(x / z) J0(x) + (x^2 - z^2) P(x^2 - 4), degree 10 (2^-63.7); both parts are 0 at the zero z.
static inline __device__ double y0(double x) {
  if (!(x > 0.0 && x < __G80_INFINITY_D__)) return __g80_y_special_d(x);
  if (x >= 3.0) return x < 8.0 ? __g80_y0_middle_d(x) : __g80_bessel_wave_d(x, 0, 1);
  const double t = __fma_rn(x, x, -4.0), d = __dadd_rn(__dadd_rn(x, -0.8935769662791675), -2.6596231539720385e-17);
  double p =
      __g80_polynomial_d(t, 2.823506552829975e-22, -1.3345979722132319e-19, 5.125482656395281e-17,
                         -1.5840891523295746e-14, 3.834427567969649e-12, -7.020724857362341e-10, 9.280616464456222e-08,
                         -8.292443244008528e-06, 0.0004529100716631767, -0.012698673691396536, 0.12354782967270705);
  const double l =
      x > 0.5 && x < 1.75 ? log1p(__ddiv_rn(d, 0.8935769662791675)) : __dadd_rn(log(x), 0.11252280788079412);
  const double other = __dmul_rn(__dmul_rn(d, __dadd_rn(x, 0.8935769662791675)), p);
  return __fma_rn(__dmul_rn(l, 0.6366197723675814), __g80_j0_small_d(x), other);
}
/// Up to 3: 2/pi ln(x / z) J1(x) + (x^2 - z^2) (2/pi / (x z^2) + x P(x^2 - 4)), degree 10 (2^-65.3).
static inline __device__ double y1(double x) {
  if (!(x > 0.0 && x < __G80_INFINITY_D__)) return __g80_y_special_d(x);
  if (x >= 3.0) return x < 8.0 ? __g80_y1_middle_d(x) : __g80_bessel_wave_d(x, 1, 2);
  const double t = __fma_rn(x, x, -4.0), d = __dadd_rn(__dadd_rn(x, -2.197141326031017), 4.8259835876454966e-17);
  double p =
      __g80_polynomial_d(t, 8.653716528690602e-24, -4.418865515624533e-21, 1.8471945457990837e-18,
                         -6.26403744289205e-16, 1.679792875817221e-13, -3.447449427942484e-11, 5.1816741441238835e-09,
                         -5.356428310153004e-07, 3.449362378004096e-05, -0.0011472184178334436, 0.010851306146022257);
  const double l = x > 1.25 ? log1p(__ddiv_rn(d, 2.197141326031017)) : __dadd_rn(log(x), -0.7871571181569951);
  const double rest = __fma_rn(x, p, __ddiv_rn(0.13187550549740894, x));
  const double other = __dmul_rn(__dmul_rn(d, __dadd_rn(x, 2.197141326031017)), rest);
  return __fma_rn(__dmul_rn(l, 0.6366197723675814), __g80_j1_small_d(x), other);
}

static inline __device__ double jn(int n, double x) {
  const double a = fabs(x), order = __int2double_rn(n);
  if (n < 0 || x != x) return __G80_NAN_D__;
  if (n == 0) return j0(x);
  if (n == 1) return j1(x);
  double result = 0.0;
  if (a < 1.4901161193847656e-8) {  // 2^-26: the first term of the series
    result = 1.0;
    for (int k = 1; k <= n && result != 0.0; ++k) result = __dmul_rn(result, __ddiv_rn(0.5 * a, __int2double_rn(k)));
  } else if (a > order) {
    if (a == __G80_INFINITY_D__) return 0.0;
    double below = j0(a);
    result = j1(a);
    for (int k = 1; k < n; ++k) {
      const double next = __fma_rn(__ddiv_rn(__int2double_rn(2 * k), a), result, -below);
      below = result;
      result = next;
    }
  } else if ((float)n * __log2f(__fdividef(1.35914091f * (float)a, (float)n)) > -1080.0f) {  // as in jnf
    int top = n;
    for (double before = 0.0, grown = 1.0; fabs(grown) < 1.0e18; ++top) {
      const double next = __fma_rn(__ddiv_rn(__int2double_rn(2 * top), a), grown, -before);
      before = grown;
      grown = next;
    }
    // Orders k + 1 and k. They grow by 1 / Jn(x), which the branch bounds, and the factor above: not out of range.
    double above = 0.0, here = 1.0e-200, sum = 0.0;
    for (int k = top; k > 0; --k) {
      if (k == n) result = here;
      if ((k & 1) == 0) sum = __dadd_rn(sum, here);
      const double below = __fma_rn(__ddiv_rn(__int2double_rn(2 * k), a), here, -above);
      above = here;
      here = below;
    }
    result = __ddiv_rn(result, __fma_rn(2.0, sum, here));
  }
  return __double2hiint(x) < 0 && (n & 1) != 0 ? -result : result;
}
static inline __device__ double yn(int n, double x) {
  if (n < 0) return __G80_NAN_D__;
  if (n == 0) return y0(x);
  double result = y1(x);
  if (!(x > 0.0 && x < __G80_INFINITY_D__)) return result;
  double below = y0(x);
  for (int k = 1; k < n && result > -__G80_INFINITY_D__; ++k) {
    const double next = __fma_rn(__ddiv_rn(__int2double_rn(2 * k), x), result, -below);
    below = result;
    result = next;
  }
  return result;
}
