// SPDX-License-Identifier: Apache-2.0
// The package as yosys must get it. Of an array of structs in a struct, `entry_t [3:0] entry;`, yosys 0.55 takes the
// range for that of the struct's first field, without a warning: the struct becomes too narrow. It reads an array of
// vectors right.

/// Every struct of the package and its bits.
const widthsOf = (text) => [...text.matchAll(/^ {2}\} (\w+_t);\n {2}localparam int unsigned \w+Width = (\d+);/gm)]
  .map(([, type, width]) => [type, Number(width)]);

/// The text of the package with vectors in the place of structs in arrays.
export function forYosys(text) {
  const widths = new Map(widthsOf(text));
  return text.replace(/^( {4})(\w+_t) (\[\d+:0\])( +\w+;)/gm, (line, space, type, range, name) => {
    if (!widths.has(type)) throw new Error(`the package has no width of ${type}`);
    return `${space}logic ${range}[${widths.get(type) - 1}:0]${name}`;
  });
}

/// A module whose ports have all structs of the package, and the number of bits of each.
export function structsOf(text) {
  const widths = widthsOf(text);
  const ports = widths.map(([type]) => `input g80_pkg::${type} of_${type}`);
  return { widths, module: `module every_struct(${ports.join(', ')}); endmodule` };
}
