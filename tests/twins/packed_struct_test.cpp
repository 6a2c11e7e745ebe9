// SPDX-License-Identifier: Apache-2.0
// Bundles as packed structs: the bits that C++ packs are the fields that SystemVerilog finds, and come back unchanged.
// Every type of rtl/adapters/bundles.def, and every type that travels is in that list.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <set>

#include "rtl/adapters/bundle_names.h"
#include "rtl/adapters/pins.h"
#include "source_dir.h"
#include "tests/twins/comparison.h"

#include "Vg80_layout_probe.h"

namespace g80 {
namespace {

/// Sets every field to a random value that it can have; where a pointer stands behind a shown field, to one of a few.
class Randomiser {
 public:
  explicit Randomiser(std::mt19937_64& random) : random_(random) {}
  template <class T>
  void operator()(const char*, T&& value, unsigned width = 0) {
    item(value, width);
  }
  template <class T>
  void stored(const char*, T&& value, unsigned width = 0) {
    item(value, width);
  }
  template <class T>
  void shown(const char*, T&&, unsigned = 0) {}
  template <class T>
  void unseen(const char*, T&&) {}
  template <class F>
  void implied(const char*, unsigned, const F&) {}

 private:
  template <class T>
  void item(T& value, unsigned width) {
    using Plain = std::remove_const_t<T>;
    if constexpr (std::is_const_v<T>) {  // computed for display
    } else if constexpr (fields_detail::has_text<Plain>::value) {
      value = static_cast<Plain>(random_() % enum_text(value).count);
    } else if constexpr (fields_detail::is_leaf<Plain>) {
      const unsigned unused = 64 - packed_field_width<Plain>(width);
      const std::uint64_t bits = random_();
      value = static_cast<Plain>(std::is_signed_v<Plain>
                                     ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> unused)
                                     : bits >> unused);
    } else if constexpr (fields_detail::is_array<Plain>::value) {
      for (auto& element : value) item(element, width);
    } else {
      visit_fields(value, *this);
    }
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
  std::mt19937_64& random_;
};

/// All fields, those that waves leave out too.
template <class Bundle>
std::vector<std::uint64_t> leaves(const Bundle& bundle) {
  struct Values final : FieldVisitor {
    Values() : FieldVisitor(true) {}
    void enter(const char*, int) override {}
    void leave() override {}
    void leaf(const char*, int, std::uint64_t value, unsigned width, const EnumText*) override {
      list.push_back(value & ~std::uint64_t{0} >> (64 - width));
    }
    std::vector<std::uint64_t> list;
  } values;
  visit_fields(bundle, static_cast<FieldVisitor&>(values));
  return values.list;
}

class PackedStruct : public testing::SystemCTest {
 protected:
  template <class Bundle>
  Bundle random_bundle() {
    Bundle bundle{};
    Randomiser randomiser(random_);
    visit_fields(bundle, randomiser);
    return bundle;
  }
  static std::uint64_t leaf_word(const std::uint32_t* words, std::size_t i) {
    return std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
  }
  static std::uint64_t leaf_word(const std::uint64_t& word, std::size_t) { return word; }

  /// The probe's output has every field of its input, 64 bits each.
  template <class Bundle, class In, class Out>
  void expect_same_fields(const char* name, In& in, const Out& out) {
    for (unsigned round = 0; round < 20; ++round) {
      const Bundle bundle = random_bundle<Bundle>();
      to_pin(bundle, in);
      probe_.eval();
      const std::vector<std::uint64_t> expected = leaves(bundle);
      ASSERT_EQ(sizeof out, 8 * expected.size()) << name;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(leaf_word(out, i), expected[i]) << name << ": field " << i;
      }
    }
  }
  template <class Bundle>
  void expect_round_trip(const char* name) {
    for (unsigned round = 0; round < 200; ++round) {
      const Bundle sent = random_bundle<Bundle>();
      Bundle received = random_bundle<Bundle>();
      std::vector<std::uint32_t> words((packed_width<Bundle>() + 31) / 32);
      pack(sent, words.data());
      unpack(words.data(), received);
      ASSERT_EQ(leaves(received), leaves(sent)) << name;
    }
  }

  std::mt19937_64 random_{1};
  Vg80_layout_probe probe_;
};

TEST_F(PackedStruct, FieldsLieWhereSystemVerilogFindsThem) {
#define BUNDLE(type, name) expect_same_fields<type>(#name, probe_.name##_i, probe_.name##_o);
#define STATE(type, name) BUNDLE(type, name)
#include "rtl/adapters/bundles.def"
#undef BUNDLE
#undef STATE
}

TEST_F(PackedStruct, UnpackingUndoesPacking) {
#define BUNDLE(type, name) expect_round_trip<type>(#name);
#define STATE(type, name) BUNDLE(type, name)
#include "rtl/adapters/bundles.def"
#undef BUNDLE
#undef STATE
}

TEST_F(PackedStruct, AValueThatItsFieldCannotHoldIsRefused) {
  SmemRequest request;
  request.origin.pc = 0x1000000;
  std::vector<std::uint32_t> words((packed_width<SmemRequest>() + 31) / 32);
  EXPECT_THROW(pack(request, words.data()), ModelError);
  request.origin.pc = 0xffffff;
  pack(request, words.data());
}

TEST_F(PackedStruct, FirstFieldIsTheMostSignificantAndLastElementTheHighest) {
  SmemRequest request;
  request.valid = true;
  request.bytes = 0;
  request.data[0] = 0x12345678;
  request.data[15] = 0x9abcdef0;
  std::vector<std::uint32_t> words((packed_width<SmemRequest>() + 31) / 32);
  pack(request, words.data());
  const unsigned top = packed_width<SmemRequest>() - 1;
  EXPECT_EQ(words[top / 32], 1u << top % 32);
  EXPECT_EQ(words[0], 0x12345678u);
  EXPECT_EQ(words[15], 0x9abcdef0u);
}

TEST(BundleList, NamesEveryTypeThatAPortOfABlockCarries) {
  const std::set<std::string> known = {
#define BUNDLE(type, name) #type,
#define STATE(type, name)
#include "rtl/adapters/bundles.def"
#undef BUNDLE
#undef STATE
  };
  // Parameters of templates, and plain values.
  const std::set<std::string> no_bundles = {"T",        "Bundle",       "Packet",       "bool",
                                            "WarpMask", "std::uint8_t", "std::uint32_t"};
  const std::regex port(
      "\\b(?:sc_in|sc_out|In|Out|CrossingReadIf|CrossingWriteIf|CrossingIn|CrossingOut)<([A-Za-z0-9_:]+)>");
  unsigned found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(G80_SOURCE_DIR "/hw")) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator match(text.begin(), text.end(), port), end; match != end; ++match) {
      const std::string type = (*match)[1];
      if (no_bundles.count(type) != 0) continue;
      ++found;
      EXPECT_EQ(known.count(type), 1u) << entry.path() << " has a port of " << type
                                       << ": add it to rtl/adapters/bundles.def";
    }
  }
  EXPECT_GT(found, 100u);
}

}  // namespace
}  // namespace g80
