// Prices of European options after Black and Scholes; the cumulative normal distribution is the polynomial of Abramowitz
// and Stegun, 26.2.17.
#include "../cuda_program.h"

__device__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail = 0.39894228f * expf(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void black_scholes(float* call, float* put, const float* price, const float* strike, const float* years, float riskless,
                              float volatility, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    const float s = price[i], x = strike[i], t = years[i];
    const float root = sqrtf(t);
    const float d1 = (logf(s / x) + (riskless + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
    const float discounted = x * expf(-riskless * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}

static double host_distribution(double d) {
  const double k = 1 / (1 + 0.2316419 * std::fabs(d));
  const double tail = 0.39894228040143267794 * std::exp(-0.5 * d * d) *
                      (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return d > 0 ? 1 - tail : tail;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 1000);
  const float riskless = 0.02f, volatility = 0.30f;
  RandomNumbers random(10);
  std::vector<float> price(n), strike(n), years(n);
  for (int i = 0; i < n; ++i) {
    price[i] = random.uniform(5, 30);
    strike[i] = random.uniform(1, 100);
    years[i] = random.uniform(0.25f, 10);
  }
  DeviceArray<float> device_price(price), device_strike(strike), device_years(years), call(n), put(n);
  black_scholes<<<4, 128>>>(call.get(), put.get(), device_price.get(), device_strike.get(), device_years.get(), riskless, volatility, n);
  CHECK_LAUNCH();

  // Prices are differences of larger amounts: the error is measured in units of the larger of price and strike.
  std::vector<float> got_call = call.read(), got_put = put.read(), want_call(n), want_put(n);
  for (int i = 0; i < n; ++i) {
    const double s = price[i], x = strike[i], t = years[i], v = volatility, root = std::sqrt(t);
    const double d1 = (std::log(s / x) + (riskless + 0.5 * v * v) * t) / (v * root), d2 = d1 - v * root;
    const double discounted = x * std::exp(-double(riskless) * t), n1 = host_distribution(d1), n2 = host_distribution(d2);
    const double unit = s > x ? s : x;
    want_call[i] = static_cast<float>(2 + (s * n1 - discounted * n2) / unit);
    want_put[i] = static_cast<float>(2 + (discounted * (1 - n2) - s * (1 - n1)) / unit);
    got_call[i] = static_cast<float>(2 + got_call[i] / unit);
    got_put[i] = static_cast<float>(2 + got_put[i] / unit);
  }
  program.result("call", got_call, want_call, 8);
  program.result("put", got_put, want_put, 8);
  return program.finish();
}
