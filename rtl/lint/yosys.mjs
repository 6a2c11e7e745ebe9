// SPDX-License-Identifier: Apache-2.0
// node yosys.mjs FOLDER PACKAGE MODULE..
// Has yosys read the package and the modules, build their hierarchy and check it: exit code 0 if it takes all of them
// and finds the width of every struct, 1 if not. FOLDER holds the npm package @yowasp/yosys; without it, 77.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { forYosys, structsOf } from './package.mjs';

const [folder, packageFile, ...modules] = process.argv.slice(2);
const entry = join(folder, 'gen', 'bundle.js');
if (!existsSync(entry)) {
  console.log(`skipped: ${entry} does not exist (npm install --prefix build/yosys @yowasp/yosys@0.55.944)`);
  process.exit(77);
}
const { runYosys } = await import(entry);

/// What yosys says against the tree, or nothing, and the files that it wrote.
async function read(tree, commands) {
  let said = '';
  const listen = (bytes) => { if (bytes) said += Buffer.from(bytes).toString(); };
  const script = `read_verilog -sv ${Object.keys(tree).join(' ')}; ${commands}`;
  try {
    return { written: await runYosys(['-q', '-p', script], tree, { stdout: listen, stderr: listen }) };
  } catch (error) {
    return { complaint: said.trim() || String(error) };
  }
}

const text = readFileSync(packageFile, 'utf8');
const tree = { [basename(packageFile)]: forYosys(text) };

const structs = structsOf(text);
const ports = await read({ ...tree, 'every_struct.sv': structs.module },
                         'hierarchy -top every_struct; write_verilog ports.v');
if (ports.complaint) console.log(ports.complaint);
let failed = Boolean(ports.complaint);
for (const [type, width] of ports.complaint ? [] : structs.widths) {
  const [, msb] = ports.written['ports.v'].match(new RegExp(`input (?:\\[(\\d+):0\\] )?of_${type};`));
  if (Number(msb ?? 0) + 1 === width) continue;
  console.log(`${type}: ${width} bits, but ${Number(msb ?? 0) + 1} for yosys`);
  failed = true;
}
if (!failed) console.log(`${structs.widths.length} structs: as wide as for the other tools`);

// Memories and rows of registers are checked at their default sizes: at those of the twins they take most of the time.
const large = ['sram_1*', 'sram_2*', 'sram_banks*', 'sram_columns*', 'delay_row*'].map((name) => `$paramod*\\${name}`);
for (const file of modules) tree[basename(file)] = readFileSync(file, 'utf8');
const { complaint } = await read(tree, `hierarchy -check; blackbox ${large.join(' ')}; proc; check -assert`);
console.log(complaint || `${modules.length} modules: read and checked`);
process.exit(failed || complaint ? 1 : 0);
