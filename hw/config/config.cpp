// SPDX-License-Identifier: Apache-2.0
// Reads configuration files (toml++ is known only here), applies overrides and reports every mistake with its place.
//
// A value is written `t_rcd = 15` or, with its origin, `t_rcd = { value = 15, status = "derived", source = "..." }`.
// `base = "8600gts"` at the top of a file takes every value that the file does not set from a preset or another file.
#include "hw/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "hw/config/config_keys.h"
#include "hw/config/config_override.h"
#include "hw/config/config_rules.h"
#include "hw/config/data_folder.h"
#include "hw/config/toml.h"
#include "hw/config/toml_depth.h"
#include "input/nearest_name.h"
#include "input/regular_file.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShared = "common";          // configs/common.toml: what all chips share, and no device
constexpr std::size_t kMaxBaseDepth = 8;           // files in a chain of `base`
constexpr std::uintmax_t kMaxFileBytes = 1 << 20;  // a configuration is a few kilobytes

bool is_status(std::string_view text) {
  return text == "published" || text == "derived" || text == "fitted" || text == "assumed";
}

bool directory_exists(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}
bool file_exists(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

constexpr const char* kBuiltIn = "built-in";  // in place of the folder of a preset that is no file

/// The folder of the presets: $G80_CONFIG_DIR, else configs/ of the data folder; nothing if the presets are the
/// built-in ones.
std::optional<fs::path> preset_directory() {
  if (const char* directory = std::getenv("G80_CONFIG_DIR"); directory != nullptr && *directory != '\0') {
    return directory;
  }
  const std::optional<fs::path> data = find_data_folder();
  if (!data || !directory_exists(*data / "configs")) return std::nullopt;
  return *data / "configs";
}

/// A configuration: a file, or the text of a built-in preset.
struct ConfigSource {
  fs::path file;
  const BuiltInPreset* preset = nullptr;
};

std::optional<ConfigSource> find_preset(const std::string& name) {
  if (const std::optional<fs::path> folder = preset_directory()) {
    const fs::path file = *folder / (name + ".toml");
    if (file_exists(file)) return ConfigSource{file};
    return std::nullopt;
  }
  for (const BuiltInPreset& preset : built_in_presets()) {
    if (preset.name == name) return ConfigSource{fs::path(kBuiltIn) / (name + ".toml"), &preset};
  }
  return std::nullopt;
}

/// A file beside the one that is missing, or a preset.
std::string file_meant_by(const fs::path& name, const fs::path& missing) {
  std::vector<std::string> files;
  std::error_code no_folder;
  for (const fs::directory_entry& entry : fs::directory_iterator(missing.parent_path(), no_folder)) {
    if (entry.path().extension() == ".toml") files.push_back((name.parent_path() / entry.path().filename()).string());
  }
  std::sort(files.begin(), files.end());
  const std::string beside = did_you_mean(name.string(), files, "'");
  return beside.empty() ? did_you_mean(name.stem().string(), preset_names(), "'") : beside;
}

/// What a preset name or a path stands for. `from` is the folder of the file that names it.
ConfigSource find_source(const std::string& name, const fs::path& from, const std::string& where) {
  const bool is_path = name.find('/') != std::string::npos || fs::path(name).extension() == ".toml";
  if (!is_path) {
    if (const std::optional<ConfigSource> preset = find_preset(name)) return *preset;
  }
  const fs::path file = fs::path(name).is_absolute() ? fs::path(name) : from / name;
  if (file_exists(file)) return {file.lexically_normal()};
  if (is_path) {
    std::error_code error;
    const bool there = fs::exists(file, error);
    throw ConfigError(fmt::format("{}: no configuration file '{}'{}", where, name,
                                  there ? " (" + why_no_regular_file(file) + ")" : file_meant_by(name, file)));
  }
  const std::vector<std::string> presets = preset_names();
  throw ConfigError(fmt::format(
      "{}: no preset or file '{}'; the presets are {}{}", where, name,
      presets.empty() ? "missing from " + preset_directory()->string() : fmt::format("{}", fmt::join(presets, ", ")),
      did_you_mean(name, presets, "'")));
}

std::string text_of(const ConfigSource& source) {
  if (source.preset != nullptr) return std::string(source.preset->text);
  const fs::path& file = source.file;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (!error && size > kMaxFileBytes) {
    throw ConfigError(
        fmt::format("{}: is {} bytes, but a configuration has at most {}", file.string(), size, kMaxFileBytes));
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad() || !stream.is_open()) throw ConfigError(fmt::format("{}: cannot be read", file.string()));
  return text;
}

toml::table parse(const ConfigSource& source) {
  const std::string text = text_of(source);
  const fs::path& file = source.file;
  if (const unsigned line = line_of_too_deep_key(text); line != 0) {
    throw ConfigError(fmt::format("{}:{}: a key has more than {} dots", file.string(), line, kMaxKeyDots));
  }
  try {
    toml::table table = toml::parse(text, file.string());
    if (table.contains("launch"))
      throw ConfigError(fmt::format("{}: this is a scenario, not a configuration", file.string()));
    return table;
  } catch (const toml::parse_error& mistake) {
    throw ConfigError(
        fmt::format("{}:{}: not TOML: {}", file.string(), mistake.source().begin.line, mistake.description()));
  }
}

std::string place(const fs::path& file, const toml::node& node) {
  return fmt::format("{}:{}", file.string(), node.source().begin.line);
}

/// Fills a configuration key by key and remembers where each value came from.
class Loader {
 public:
  Loader() { details_.origins.resize(config_keys().size()); }

  void read(const ConfigSource& source, std::size_t depth) {
    const toml::table table = parse(source);
    const fs::path& file = source.file;
    if (const toml::node* base = table.get("base")) {
      const auto name = base->value<std::string>();
      if (!name) throw ConfigError(fmt::format("{}: base must be the name of a preset or file", place(file, *base)));
      if (depth == kMaxBaseDepth) {
        throw ConfigError(fmt::format("{}: base = '{}' is the {}th file in the chain of bases; is the chain a circle?",
                                      place(file, *base), *name, kMaxBaseDepth + 1));
      }
      read(find_source(*name, file.parent_path(), place(file, *base)), depth + 1);
    }
    for (const auto& [section, node] : table) {
      if (section.str() != "base") read_section(file, std::string(section.str()), node);
    }
    details_.config.source = file.string();
  }

  void apply_override(const ConfigOverride& override) {
    const auto& [text, where] = override;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw ConfigError(where + ": must be key=value, such as dram.t_rcd=12");
    const std::string name = trimmed(text.substr(0, equals));
    const std::size_t key = key_index(name, where);
    store(key, parse_config_value(config_keys()[key], trimmed(text.substr(equals + 1))), {where, "user", ""});
  }

  ConfigDetails finish() {
    for (std::size_t i = 0; i < config_keys().size(); ++i) {
      if (!details_.origins[i].where.empty()) continue;
      throw ConfigError(fmt::format("{}: {} is missing: give it, or name a preset to take it from (base = \"8600gts\")",
                                    details_.config.source, config_keys()[i].full_name()));
    }
    check_config_rules(details_.config, [this](std::string_view full_name) {
      const auto key = find_config_key(full_name);
      return key ? details_.origins[*key].where : details_.config.source;
    });
    return std::move(details_);
  }

 private:
  static std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
  }

  static std::size_t key_index(const std::string& full_name, const std::string& where) {
    const auto key = find_config_key(full_name);
    if (key) return *key;
    throw ConfigError(
        fmt::format("{}: no key '{}'; did you mean '{}'?", where, full_name, nearest_config_key(full_name)));
  }

  void store(std::size_t index, const ConfigValue& value, ConfigOrigin origin) {
    const ConfigKey& key = config_keys()[index];
    if (!key.store(details_.config, key, value)) {
      throw ConfigError(fmt::format("{}: {} = {} must be {}", origin.where, key.full_name(), quote_config_value(value),
                                    key.allowed()));
    }
    details_.origins[index] = std::move(origin);
  }

  void read_section(const fs::path& file, const std::string& section, const toml::node& node) {
    std::vector<std::string> sections;
    for (const ConfigKey& key : config_keys()) {
      if (sections.empty() || sections.back() != key.section) sections.emplace_back(key.section);
    }
    if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
      throw ConfigError(fmt::format("{}: no section '{}'; did you mean '{}'?", place(file, node), section,
                                    nearest_name(section, sections)));
    }
    const toml::table* keys = node.as_table();
    if (keys == nullptr) throw ConfigError(fmt::format("{}: {} must be a section", place(file, node), section));
    for (const auto& [name, value] : *keys) {
      read_key(file, fmt::format("{}.{}", section, name.str()), value);
    }
  }

  void read_key(const fs::path& file, const std::string& full_name, const toml::node& node) {
    ConfigOrigin origin{place(file, node), "user", ""};
    const std::size_t key = key_index(full_name, origin.where);
    const toml::node* value = &node;
    if (const toml::table* entry = node.as_table()) {
      for (const auto& [name, part] : *entry) {
        if (name.str() == "value") continue;
        const auto text = part.value<std::string>();
        if (name.str() == "status" && text && is_status(*text)) {
          origin.status = *text;
        } else if (name.str() == "source" && text) {
          origin.source = *text;
        } else {
          throw ConfigError(
              fmt::format("{}: {} has a wrong '{}': an entry is value, status (published, derived, "
                          "fitted or assumed) and source (text)",
                          place(file, part), full_name, name.str()));
        }
      }
      value = entry->get("value");
      if (value == nullptr) throw ConfigError(fmt::format("{}: {} has no value", origin.where, full_name));
    }
    store(key, to_config_value(*value, full_name, origin.where), origin);
  }

  static ConfigValue to_config_value(const toml::node& node, const std::string& full_name, const std::string& where) {
    if (const auto* flag = node.as_boolean()) return flag->get();
    if (const auto* integer = node.as_integer()) return integer->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* text = node.as_string()) return text->get();
    throw ConfigError(fmt::format("{}: {} must be {}, not a list, table or date", where, full_name,
                                  config_keys()[*find_config_key(full_name)].allowed()));
  }

  ConfigDetails details_;
};

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  const std::optional<fs::path> folder = preset_directory();
  if (!folder) {
    for (const BuiltInPreset& preset : built_in_presets()) {
      if (preset.name != kShared) names.emplace_back(preset.name);
    }
    return names;
  }
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(*folder, error)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".toml" && name != kShared) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

ConfigDetails load_config_details(const std::string& preset_or_file, const std::vector<std::string>& overrides) {
  Loader loader;
  loader.read(find_source(preset_or_file, fs::path(), "--device " + preset_or_file), 1);
  for (const std::string& text : overrides) loader.apply_override({text, "--set " + text});
  return loader.finish();
}

Config load_config(const std::string& preset_or_file, const std::vector<std::string>& overrides) {
  return load_config_details(preset_or_file, overrides).config;
}

Config load_config_with(const std::string& preset_or_file, const std::vector<ConfigOverride>& overrides,
                        const std::string& given_as) {
  Loader loader;
  loader.read(find_source(preset_or_file, fs::path(), given_as + preset_or_file), 1);
  for (const ConfigOverride& override : overrides) loader.apply_override(override);
  return loader.finish().config;
}

}  // namespace g80
