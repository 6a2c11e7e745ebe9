// SPDX-License-Identifier: Apache-2.0
// node yosys.mjs FOLDER PACKAGE MODULE..
// Has yosys read the package and the modules, build their hierarchy and check it: exit code 0 if it takes all of them,
// 1 if not. FOLDER holds the npm package @yowasp/yosys; without it, 77.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [folder, packageFile, ...modules] = process.argv.slice(2);
const entry = join(folder, 'gen', 'bundle.js');
if (!existsSync(entry)) {
  console.log(`skipped: ${entry} does not exist (npm install --prefix build/yosys @yowasp/yosys@0.55.944)`);
  process.exit(77);
}
const { runYosys } = await import(entry);

/// What yosys says against the files, or nothing.
async function complaint(files, commands) {
  const tree = {};
  for (const file of files) tree[basename(file)] = readFileSync(file, 'utf8');
  let said = '';
  const listen = (bytes) => { if (bytes) said += Buffer.from(bytes).toString(); };
  const script = `read_verilog -sv ${files.map((file) => basename(file)).join(' ')}; ${commands}`;
  try {
    await runYosys(['-q', '-p', script], tree, { stdout: listen, stderr: listen });
    return '';
  } catch (error) {
    return said.trim() || String(error);
  }
}

// Memories and rows of registers are checked at their default sizes: at those of the twins they take most of the time.
const large = ['sram_1*', 'sram_2*', 'sram_banks*', 'sram_columns*', 'delay_row*'].map((name) => `$paramod*\\${name}`);
const found = await complaint([packageFile, ...modules],
                              `hierarchy -check; blackbox ${large.join(' ')}; proc; check -assert`);
console.log(found || `${modules.length} modules: read and checked`);
process.exit(found ? 1 : 0);
