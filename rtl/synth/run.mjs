// SPDX-License-Identifier: Apache-2.0
// node run.mjs [--check | --write | --path] [--generated FOLDER] [--limit SECONDS] [BLOCK..]
// Takes twins, with the sizes of the GeForce 8800 GTX, through yosys to standard cells and times them with OpenSTA: every
// twin that yosys reads, or those named. yosys's npm package reads SystemVerilog as lint does; it is WebAssembly, slow
// and limited to 4 GB, so Debian's yosys, which reads less of the language, makes cells of what the other wrote as
// RTLIL.
//
//   (none)     prints a line for each block
//   --write    writes budget.tsv, and prints the sum of the multiprocessor
//   --check    exit code 1 if the area or the depth of a block is more than 5 % above budget.tsv
//   --path     prints the cells of the longest path too
//
// Without yosys (npm package and Debian's), `sta` (Debian: opensta) or the cells (Debian: qflow-tech-osu018) the exit
// code is 77.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../lint/command_line.mjs';
import { forYosys } from '../lint/package.mjs';

const self = fileURLToPath(import.meta.url);
const root = join(dirname(self), '..', '..');
const { values: { write, check, path: showPath, generated, yosys, native, library, limit: seconds },
        positionals: args } = commandLine({
  write: { type: 'boolean' },
  check: { type: 'boolean' },
  path: { type: 'boolean' },
  generated: { type: 'string', default: join(root, 'build', 'release', 'rtl') },
  yosys: { type: 'string', default: join(root, 'build', 'yosys', 'node_modules', '@yowasp', 'yosys') },
  native: { type: 'string', default: '/usr/bin/yosys' },
  library: { type: 'string', default: '/usr/share/qflow/tech/osu018/osu018_stdcells.lib' },
  limit: { type: 'string', default: '3600' },
}, true);
const limit = Number(seconds);  // for a module
const keep = join(generated, '..', 'synth');       // modules in cells
const budgetFile = join(root, 'rtl', 'synth', 'budget.tsv');
const tolerance = 1.05;

const entry = join(yosys, 'gen', 'bundle.js');
for (const [file, from] of [[entry, 'npm install --prefix build/yosys @yowasp/yosys@0.55.944'],
                            [native, 'Debian package yosys'], [library, 'Debian package qflow-tech-osu018'],
                            ['/usr/bin/sta', 'Debian package opensta'],
                            [join(generated, '8800gtx', 'g80_pkg.sv'), 'ninja -C build/release rtl_package']]) {
  if (!existsSync(file)) {
    console.log(`skipped: ${file} does not exist (${from})`);
    process.exit(77);
  }
}

const { runYosys } = await import(entry);
const version = spawnSync(native, ['-V'], { encoding: 'utf8' }).stdout;

/// The abc script: dc2 and scorr of the default one make a ripple carry of carry look-ahead.
const mapping = '+strash;dch;map,-B,0.9;topo;buffer;upsize;dnsize';
/// Why the longest path of a block is longer than two adders.
const reasons = new Map(readFileSync(join(root, 'rtl', 'synth', 'long_paths.tsv'), 'utf8').trim().split('\n').slice(1)
  .map((line) => line.split('\t')));

/// What every stage is compared with: two registers, and between them the sum.
const adder = `module adder32(input clk_i, input [31:0] a_i, b_i, output reg [31:0] sum_o);
  reg [31:0] a_q, b_q;
  always @(posedge clk_i) begin a_q <= a_i; b_q <= b_i; sum_o <= a_q + b_q; end
endmodule`;

const source = { adder32: adder };
for (const name of ['opcode_decoder', 'sfu_rom'])
  source[name] = readFileSync(join(generated, `${name}.sv`), 'utf8');
for (const folder of readdirSync(join(root, 'rtl'), { withFileTypes: true }).filter((found) => found.isDirectory())) {
  for (const file of readdirSync(join(root, 'rtl', folder.name))) {
    if (file.endsWith('.sv') && !file.endsWith('_observer.sv'))
      source[basename(file, '.sv')] = readFileSync(join(root, 'rtl', folder.name, file), 'utf8');
  }
}
const blocks = readdirSync(join(root, 'rtl', 'adapters'))
  .filter((file) => file.endsWith('_rtl.h')).map((file) => file.replace('_rtl.h', ''))
  .filter((name) => source[name]).sort();

/// Blocks of the multiprocessor.
const inSm = new Set([...source.sm.matchAll(/^ *(\w+) +(?:#\([^;]*?\) )?u_\w+ \(\s*\.clk_i/gm)]
  .map(([, name]) => name).filter((name) => blocks.includes(name)));

/// The module and those that it instantiates.
function modulesOf(top, found = new Set()) {
  if (found.has(top)) return found;
  found.add(top);
  for (const [, name] of source[top].replace(/\/\/.*/g, '').matchAll(/^\s*(\w+)\s+(?:#\(|u_\w+ \()/gm))
    if (source[name]) modulesOf(name, found);
  return found;
}

/// Replaces the body of each memory by a register at every pin, so that a path ends at its inputs and one begins at its
/// outputs.
function pinRegisters(boxes) {
  return boxes.replace(/module[\s\S]*?endmodule/g, (module) => {
    const clocked = /input clk_i;/.test(module);
    let registers = '';
    for (const [, direction, msb, name] of module.matchAll(/^\s*(input|output) (?:\[(\d+):0\] )?(\w+);/gm)) {
      if (!clocked || name === 'clk_i') continue;
      for (let bit = 0; bit <= Number(msb ?? 0); bit++) {
        const pin = msb ? `${name}[${bit}]` : name;
        registers += direction === 'input'
          ? `  DFFPOSX1 ${name}_${bit}_reg (.CLK(clk_i), .D(${pin}));\n`
          : `  DFFPOSX1 ${name}_${bit}_reg (.CLK(clk_i), .Q(${pin}));\n`;
      }
    }
    return module.replace('endmodule', `${registers}endmodule`);
  });
}

/// Puts buffers where a net leaves its module and has many sinks in others: abc maps each module alone and does not see
/// them. Clock and reset stay as they are.
function buffer(design) {
  const most = 8;  // sinks of a net
  const loads = new Map();  // of a module: port -> sinks behind each bit
  const loadsOf = (name) => {
    if (loads.has(name)) return loads.get(name);
    const module = design.modules[name];
    const behind = {};
    loads.set(name, behind);
    if (!module || module.attributes.blackbox) return behind;
    const sinks = new Map();
    const drivers = /^(Y|Q|YS|YC)$/;
    for (const cell of Object.values(module.cells)) {
      const inner = design.modules[cell.type];
      const inside = inner && loadsOf(cell.type);
      for (const [port, bits] of Object.entries(cell.connections)) {
        if (/^(clk_i|rst_ni|CLK|R|S)$/.test(port)) continue;
        if (inner ? inner.ports[port].direction === 'output' : drivers.test(port)) continue;
        bits.forEach((bit, place) => {
          if (typeof bit !== 'number') return;
          if (!sinks.has(bit)) sinks.set(bit, []);
          sinks.get(bit).push({ cell, port, place, load: inside?.[port]?.[place] ?? 1, leaves: Boolean(inner) });
        });
      }
    }
    let next = 1;  // number of a new net
    for (const { bits } of [...Object.values(module.ports), ...Object.values(module.netnames)])
      for (const bit of bits) if (typeof bit === 'number' && bit >= next) next = bit + 1;
    for (const [bit, all] of sinks) {
      let level = all.some(({ leaves }) => leaves) ? all : [];
      while (level.reduce((sum, { load }) => sum + load, 0) > most) {
        const groups = [];
        for (const sink of level.sort((a, b) => a.load - b.load)) {
          const last = groups.at(-1);
          if (last && last.load + sink.load <= most) {
            last.sinks.push(sink);
            last.load += sink.load;
          } else {
            groups.push({ sinks: [sink], load: sink.load });
          }
        }
        level = groups.map((group) => {
          const cell = { type: 'BUFX4', parameters: {}, attributes: {}, connections: { A: [bit], Y: [next] },
                         port_directions: { A: 'input', Y: 'output' } };
          module.cells[`fanout_${next}`] = cell;
          for (const sink of group.sinks) sink.cell.connections[sink.port][sink.place] = next;
          next++;
          return { cell, port: 'A', place: 0, load: 1 };
        });
      }
      if (level.length) sinks.set(bit, level);
    }
    for (const [port, { direction, bits }] of Object.entries(module.ports))
      if (direction === 'input')
        behind[port] = bits.map((bit) => (sinks.get(bit) ?? []).reduce((sum, { load }) => sum + load, 0));
    return behind;
  };
  for (const name of Object.keys(design.modules)) loadsOf(name);
  return design;
}

/// The area of each cell of the library.
const areas = new Map([...readFileSync(library, 'utf8').matchAll(/^\s*cell *\("?(\w+)"?\)[\s\S]*?\barea *: *([\d.]+)/gm)]
  .map(([, name, area]) => [name, Number(area)]));

/// How many cells and memories of each type a module has, with all modules in it.
function counts(design, name, known = new Map()) {
  if (known.has(name)) return known.get(name);
  const found = new Map();
  known.set(name, found);
  const add = (type, n) => found.set(type, (found.get(type) ?? 0) + n);
  for (const { type } of Object.values(design.modules[name].cells)) {
    const inner = design.modules[type];
    if (!inner || inner.attributes.blackbox) add(type, 1);
    else for (const [innerType, n] of counts(design, type, known)) add(innerType, n);
  }
  return found;
}

/// Bits of each kind of memory, from what yosys says as it derives them.
function memories(log, cells) {
  const found = [];
  for (const [, module, parameters, derived] of log.matchAll(
    /for module `\\((?:sram_[12]|sram_banks|sram_columns)\w*)'\.\n((?:Parameter .*\n)+)Generating RTLIL representation for module `(.*)'/g)) {
    const value = Object.fromEntries([...parameters.matchAll(/\\(\w+) = (\d+)/g)].map(([, name, n]) => [name, Number(n)]));
    const rows = value.Words ?? value.Rows ?? 32;
    const width = value.Width !== undefined ? value.Width * (value.Columns ?? 1) : value.Parts * value.PartWidth;
    const count = cells.get(derived) ?? 0;
    if (count) found.push(`${count} ${module} ${rows} x ${width}`);
  }
  return [...new Set(found)].join(', ');
}

/// The text of each module in RTLIL: without places in the sources, and with numbers of its own for the names that
/// yosys made up, so that it is the same wherever the module is used. yosys sorts wires and cells by these names as texts, in
/// which 10 comes before 9; so they are sorted again.
function modulesIn(rtlil) {
  const found = new Map();
  let name, parts;      // of the module
  let attributes = [];  // of the next line
  let open;             // the cell whose lines follow
  for (const line of rtlil.split('\n')) {
    if (/^ *attribute \\(?:src|hdlname|dynports|cells_not_processed) /.test(line)) continue;
    if (/^ *attribute /.test(line)) {
      attributes.push(line);
      continue;
    }
    const [, kind] = line.match(/^(?: {2})?(module|wire|cell|end)\b/) ?? [];
    if (kind === 'module') {
      name = line.slice('module '.length);
      parts = [];
    }
    if (open) {
      open.lines.push(line);
      if (line === '  end') open = undefined;
    } else if (name) {
      const key = line.slice(line.lastIndexOf(' ') + 1).replace(/\d+/g, (digits) => digits.padStart(9, '0'));
      parts.push({ kind, key, lines: [...attributes, line] });
      if (kind === 'cell') open = parts.at(-1);
    }
    attributes = [];
    if (line !== 'end') continue;
    found.set(name, textOf(parts));
    name = undefined;
  }
  return found;
}
/// The text of a module's parts in order.
function textOf(parts) {
  for (const kind of ['wire', 'cell']) {
    const sorted = parts.filter((part) => part.kind === kind).sort((a, b) => (a.key < b.key ? -1 : 1));
    let next = 0;
    parts = parts.map((part) => (part.kind === kind ? sorted[next++] : part));
  }
  const numbers = new Map();
  const text = `${parts.flatMap(({ lines }) => lines).join('\n')}\n`;
  return text.replace(/\$(?!paramod)\S*?\$\d+(?:_\w+)?(?=\s)/g, (id) => {
    if (!numbers.has(id)) numbers.set(id, `$made$${numbers.size + 1}`);
    return numbers.get(id);
  });
}
/// Its ports alone.
const stub = (text) => `attribute \\blackbox 1\nmodule ${text.match(/^module (\S+)/m)[1]}\n`
  + `${[...text.matchAll(/^ *wire .*(?:input|output) .*\n/gm)].map(([line]) => line).join('')}end\n`;

/// Modules of more cells than this are mapped without looking for choices of structure, which takes most of the time.
const mostForChoices = 25000;

/// Runs Debian's yosys in a folder with these files, and gives what `result` reads there.
function inFolder(script, files, result) {
  const folder = mkdtempSync(join(tmpdir(), 'g80_synth_'));
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const run = spawnSync(native, ['-q', '-p', script], { cwd: folder, encoding: 'utf8', timeout: limit * 1000 });
    if (run.error) throw new Error(`not within ${limit} s`);
    if (run.status !== 0) throw new Error(`yosys: ${(run.stderr.match(/ERROR.*/) ?? [run.stderr.slice(-300)])[0]}`);
    return result(read);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/// The module in cells. `build/synth` keeps it: a module whose text is the same is not mapped again.
function map(text, stubs) {
  const commands = [
    'read_rtlil module.il', 'synth -run coarse', 'opt -fast -mux_undef -undriven -fine', 'memory_map',
    'opt -undriven -fine', 'techmap -map shiftx.v', 'opt -fast -mux_undef', 'techmap', 'opt -fast', 'rename -wire',
    'dfflibmap -liberty cells.lib'].join('; ');
  const ending = (script) => [`abc -liberty cells.lib -constr drive.con -script ${script}`, 'opt_clean -purge',
                              'select =*', 'write_rtlil -selected mapped.il'].join('; ');
  const shiftx = readFileSync(join(dirname(self), 'shiftx.v'), 'utf8');
  const input = `${stubs.join('')}${text}`;
  const key = createHash('sha256').update([version, commands, ending(mapping), mostForChoices, shiftx, input].join('\n')).digest('hex');
  const kept = join(keep, `${key}.il`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const files = { 'module.il': input, 'shiftx.v': shiftx, 'cells.lib': readFileSync(library, 'utf8'),
                  'drive.con': 'set_driving_cell BUFX2\nset_load 0.02 [all_outputs]\n' };
  const name = text.match(/^module (\S+)/m)[1];
  files['module.il'] = inFolder(`${commands}; write_rtlil module.il`, files, (read) => read('module.il'));
  const size = files['module.il'].match(/^ *cell /gm)?.length ?? 0;
  const script = size > mostForChoices ? mapping.replace('dch;', '') : mapping;
  const mapped = inFolder(`read_rtlil module.il; ${ending(script)}`, files,
                          (read) => [...modulesIn(read('mapped.il'))].find(([found]) => found === name)[1]);
  mkdirSync(keep, { recursive: true });
  writeFileSync(kept, mapped);
  return mapped;
}

/// What yosys's npm package writes, and its words.
async function elaborate(script, tree) {
  let log = '';
  const listen = (bytes) => { if (bytes) log += Buffer.from(bytes).toString(); };
  try {
    return { files: await runYosys(['-p', script], tree, { stdout: listen, stderr: listen }), log };
  } catch (error) {
    throw new Error(`yosys: ${log.split('\n').filter((line) => /ERROR/.test(line)).join(' ') || error}`);
  }
}

async function measure(top) {
  const names = [...modulesOf(top)];
  const tree = { 'g80_pkg.sv': forYosys(readFileSync(join(generated, '8800gtx', 'g80_pkg.sv'), 'utf8')) };
  for (const name of names) tree[`${name}.sv`] = source[name];
  // The index of an array is a product with the width of an entry. peepopt makes it a power of two, so that the choice is
  // among entries only; it must come before opt_expr, which takes the product apart where the width is even.
  const { files: elaborated, log } = await elaborate([
    `read_verilog -sv -noassert -defer g80_pkg.sv ${names.map((name) => `${name}.sv`).join(' ')}`,
    `hierarchy -check -top ${top}`, 'blackbox *sram_1r* *sram_2w* *sram_banks* *sram_columns* sfu_rom', 'proc -norom -noopt',
    'wreduce', 'peepopt', 'opt_expr', 'opt_clean', 'write_rtlil all.il',
  ].join('; '), tree);
  const modules = modulesIn(elaborated['all.il']);
  let mapped = '';
  for (const text of modules.values()) {
    if (/^attribute \\blackbox 1$/m.test(text)) {
      mapped += text;
      continue;
    }
    const inside = [...new Set([...text.matchAll(/^ *cell (\S+) /gm)].map(([, type]) => type))].filter((type) => modules.has(type));
    const started = Date.now();
    mapped += map(text, inside.sort().map((type) => stub(modules.get(type))));
    if (Date.now() - started > 20000)
      console.error(`${text.match(/^module (\S+)/m)[1]}: ${Math.round((Date.now() - started) / 1000)} s`);
  }
  const design = inFolder(`read_rtlil mapped.il; hierarchy -top ${top}; write_json mapped.json`, { 'mapped.il': mapped },
                         (read) => buffer(JSON.parse(read('mapped.json'))));
  const out = inFolder([
    'read_json buffered.json', 'write_verilog -noattr -simple-lhs netlist.v', 'write_verilog -noattr -blackboxes boxes.v',
  ].join('; '), { 'buffered.json': JSON.stringify(design) }, (read) => ({ netlist: read('netlist.v'), boxes: read('boxes.v') }));
  const count = counts(design, top);
  const total = (column, some = () => true) =>
    [...count].reduce((sum, [type, n]) => (areas.has(type) && some(type) ? sum + n * column(type) : sum), 0);
  const isFlop = (type) => type.startsWith('DFF');

  const folder = mkdtempSync(join(tmpdir(), 'g80_synth_'));
  writeFileSync(join(folder, 'netlist.v'), `${out.netlist}\n${pinRegisters(out.boxes)}`);
  writeFileSync(join(folder, 'time.tcl'), `
read_liberty ${library}
read_verilog ${join(folder, 'netlist.v')}
link_design ${top}
create_clock -name clk -period 1000 [get_ports clk_i]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set straps [get_ports -quiet cfg_*]
if {[llength $straps]} { set_false_path -from $straps }
if {[llength [get_ports -quiet rst_ni]]} { set_false_path -from [get_ports rst_ni] }
report_checks -path_delay max -digits 3
`);
  const sta = spawnSync('sta', ['-exit', join(folder, 'time.tcl')], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (!process.env.G80_KEEP) rmSync(folder, { recursive: true });
  const report = sta.stdout;
  const steps = [...report.matchAll(/^\s+[\d.]+\s+[\d.]+ [v^] (\S+)\/\w+ \((\w+)\)$/gm)].map(([, pin, cell]) => [pin, cell]);
  const arrival = report.match(/([\d.]+)\s+data arrival time/);
  if (!arrival || /syntax error/.test(sta.stdout + sta.stderr)) throw new Error(`sta: ${sta.stdout.slice(-400)} ${sta.stderr.slice(-400)}`);
  const logic = steps.filter(([, cell]) => !/^DFF/.test(cell));
  const place = (text) => text.replace(/\\|\$_\w+$/g, '');
  return {
    block: top,
    cells: total(() => 1),
    area: Math.round(total((type) => areas.get(type))),
    flops: total(() => 1, isFlop),
    depth: logic.length,
    ns: Number(arrival[1]).toFixed(2),
    from: place(report.match(/Startpoint: (\S+)/)[1]),
    to: place(report.match(/Endpoint: (\S+)/)[1]),
    memories: memories(log, count) || '-',
    report: report.slice(report.indexOf('Startpoint')),
  };
}

const columns = ['block', 'cells', 'area', 'flops', 'depth', 'ns', 'from', 'to', 'memories'];
const budget = existsSync(budgetFile)
  ? readFileSync(budgetFile, 'utf8').trim().split('\n').slice(1).map((line) => {
      const field = line.split('\t');
      return Object.fromEntries(columns.map((name, i) => [name, field[i]]));
    })
  : [];
const chosen = args.length ? args : check ? budget.map((row) => row.block) : ['adder32', ...blocks];
const rows = [];
let failed = false;
for (const block of chosen) {
  let row;
  try {
    row = await measure(block);
  } catch (error) {
    console.log(`${block}: ${error.message}`);
    failed = true;
    continue;
  }
  rows.push(row);
  console.log(columns.map((name) => row[name]).join('\t'));
  if (showPath) console.log(row.report);
  const before = budget.find((other) => other.block === block);
  for (const name of check && before ? ['area', 'depth'] : []) {
    if (row[name] > before[name] * tolerance) {
      console.log(`${block}: ${name} ${row[name]}, more than 5 % above the budget of ${before[name]}`);
      failed = true;
    }
  }
}
if (write) {
  const all = new Map(budget.map((row) => [row.block, row]));
  for (const row of rows) all.set(row.block, row);
  const sorted = ['adder32', ...blocks].map((block) => all.get(block)).filter(Boolean);
  writeFileSync(budgetFile, [columns, ...sorted.map((row) => columns.map((name) => row[name]))]
    .map((fields) => fields.join('\t')).join('\n') + '\n');
  const limitNs = 2 * Number(all.get('adder32').ns);
  const long = sorted.filter(({ ns }) => Number(ns) > limitNs);
  for (const { block } of long)
    if (!reasons.has(block)) throw new Error(`${block}: more than two adders; state the reason in long_paths.tsv`);
  const parts = sorted.filter(({ block }) => inSm.has(block) && block !== 'dp');
  const sum = (column) => parts.reduce((total, row) => total + Number(row[column]), 0);
  const bits = parts.flatMap(({ memories: found }) => [...found.matchAll(/(\d+) sram_\w+ (\d+) x (\d+)/g)])
    .reduce((total, [, count, rows, width]) => total + count * rows * width, 0);
  console.log(['sm', sum('cells'), sum('area'), sum('flops'), '-', '-', '-', '-', `${Math.round(bits / 1024)} Kibit`].join('\t'));
}
process.exit(failed ? 1 : 0);
