# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, which defines built_in_presets() of hw/config/data_folder.h: the text of every .toml of FOLDER.
cmake_minimum_required(VERSION 3.25)
file(GLOB files ${FOLDER}/*.toml)
list(SORT files)
set(entries)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"preset(${text})preset\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"hw/config/data_folder.h\"
namespace g80 {
const std::vector<BuiltInPreset>& built_in_presets() {
  static const std::vector<BuiltInPreset> presets{
${entries}  };
  return presets;
}
}  // namespace g80
")
