// SPDX-License-Identifier: Apache-2.0
// Data files of the SDK's programs: numbers as text, PGM and PPM pictures.
#pragma once
#pragma GCC system_header
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstream>
#include <string>
#include <vector>

#include "cutil_compare.h"

/// Numbers separated by blanks. Memory that comes from here is given back with free().
template <class T>
inline bool __g80_read_numbers(const char* name, T** data, unsigned int* count, bool verbose) {
  std::ifstream file(name);
  if (!file) {
    if (verbose) fprintf(stderr, "%s cannot be read\n", name);
    return false;
  }
  std::vector<T> numbers;
  for (double value; file >> value;) numbers.push_back((T)value);
  if (!file.eof()) {
    if (verbose) fprintf(stderr, "%s holds something that is not a number\n", name);
    return false;
  }
  if (*data == 0)
    *data = (T*)malloc(numbers.size() * sizeof(T) + 1);
  else if (*count != numbers.size())
    return false;
  memcpy(*data, numbers.data(), numbers.size() * sizeof(T));
  *count = (unsigned int)numbers.size();
  return true;
}
template <class T>
inline bool __g80_write_numbers(const char* name, const T* data, unsigned int count, double epsilon, bool append) {
  FILE* file = fopen(name, append ? "a" : "w");
  if (file == 0) return false;
  if (epsilon != 0) fprintf(file, "# %g\n", epsilon);
  for (unsigned int i = 0; i < count; ++i) fprintf(file, "%.9g ", (double)data[i]);
  fprintf(file, "\n");
  return fclose(file) == 0;
}

/// A binary PGM (1 channel) or PPM (3 channels) with 255 as the largest value.
inline bool __g80_read_picture(const char* name, std::vector<unsigned char>& bytes, unsigned int* width,
                               unsigned int* height, unsigned int* channels) {
  std::ifstream file(name, std::ios::binary);
  std::string magic;
  if (!(file >> magic) || (magic != "P5" && magic != "P6")) return false;
  unsigned int numbers[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    while ((file >> std::ws).peek() == '#') file.ignore(1 << 20, '\n');
    if (!(file >> numbers[k])) return false;
  }
  if (numbers[2] != 255 || numbers[0] > 65536 || numbers[1] > 65536) return false;
  file.get();
  *width = numbers[0], *height = numbers[1], *channels = magic == "P5" ? 1 : 3;
  bytes.resize((size_t)numbers[0] * numbers[1] * *channels);
  return (bool)file.read((char*)bytes.data(), (std::streamsize)bytes.size());
}
inline bool __g80_write_picture(const char* name, const unsigned char* bytes, unsigned int width, unsigned int height,
                                unsigned int channels) {
  std::ofstream file(name, std::ios::binary);
  file << (channels == 1 ? "P5" : "P6") << "\n" << width << "\n" << height << "\n255\n";
  file.write((const char*)bytes, (std::streamsize)width * height * channels);
  return (bool)file.flush();
}
/// Loads with the number of channels wanted (4: the fourth is 0), each value scaled by `scale`.
template <class T>
inline bool __g80_load_picture(const char* name, T** data, unsigned int* width, unsigned int* height,
                               unsigned int wanted, double scale) {
  std::vector<unsigned char> bytes;
  unsigned int w = 0, h = 0, channels = 0;
  if (!__g80_read_picture(name, bytes, &w, &h, &channels) || channels != (wanted == 1 ? 1u : 3u)) {
    fprintf(stderr, "%s cannot be read or is not a binary picture of %u channels\n", name, wanted == 1 ? 1 : 3);
    return false;
  }
  if (*data == 0)
    *data = (T*)malloc((size_t)w * h * wanted * sizeof(T) + 1);
  else if (*width != w || *height != h)
    return false;
  *width = w, *height = h;
  for (size_t pixel = 0; pixel < (size_t)w * h; ++pixel) {
    for (unsigned int c = 0; c < wanted; ++c) {
      (*data)[pixel * wanted + c] = (T)(c < channels ? bytes[pixel * channels + c] * scale : 0);
    }
  }
  return true;
}
template <class T>
inline bool __g80_save_picture(const char* name, const T* data, unsigned int width, unsigned int height,
                               unsigned int given, double scale) {
  const unsigned int channels = given == 1 ? 1 : 3;
  std::vector<unsigned char> bytes((size_t)width * height * channels);
  for (size_t pixel = 0; pixel < (size_t)width * height; ++pixel) {
    for (unsigned int c = 0; c < channels; ++c) {
      const double value = (double)data[pixel * given + c] * scale;
      bytes[pixel * channels + c] = (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
  }
  return __g80_write_picture(name, bytes.data(), width, height, channels);
}

/// True if two picture files have the same size and all but a part `threshold` of their values differ by at most
/// `epsilon`.
inline bool __g80_compare_pictures(const char* name, const char* reference, double epsilon, double threshold) {
  std::vector<unsigned char> a, b;
  unsigned int size[3] = {0, 0, 0}, expected[3] = {0, 0, 0};
  if (!__g80_read_picture(name, a, &size[0], &size[1], &size[2]) ||
      !__g80_read_picture(reference, b, &expected[0], &expected[1], &expected[2])) {
    fprintf(stderr, "%s or %s is not a binary picture\n", name, reference);
    return false;
  }
  if (memcmp(size, expected, sizeof size) != 0) {
    fprintf(stderr, "%s and %s differ in size\n", name, reference);
    return false;
  }
  return __g80_compare(b.data(), a.data(), (unsigned int)a.size(), epsilon, threshold * a.size());
}

/// The file as named, or in the folders in which the SDK's programs keep their data; null if it is nowhere.
inline char* __g80_find_file(const char* name, const char* program) {
  std::string folder = program != 0 ? program : "";
  folder.erase(folder.find_last_of('/') == std::string::npos ? 0 : folder.find_last_of('/') + 1);
  const std::string places[] = {"", "./data/", "../data/", folder, folder + "data/", folder + "../data/"};
  for (size_t k = 0; k < sizeof places / sizeof places[0]; ++k) {
    const std::string path = places[k] + name;
    if (FILE* file = fopen(path.c_str(), "r")) {
      fclose(file);
      return strdup(path.c_str());
    }
  }
  return 0;
}
