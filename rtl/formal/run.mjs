// SPDX-License-Identifier: Apache-2.0
// node run.mjs [--generated FOLDER] [--yosys FOLDER] [SET | SET.LABEL..]
// Proves the properties of each set of sets.mjs: all of them, or those named. Exit code 1 if one is not proven, 2 for a
// set that is none.
//
// <set>_props.sv instantiates the modules and states labelled assertions and covers about them. yosys makes an AIG of
// it, and abc answers four questions about each label:
//
//   proof    at the sizes `small`, no reachable state violates the assertion (pdr or induction: unbounded)
//   bounded  at the sizes `full`, no sequence of `edges` clock edges violates it (bmc3); a set that is
//            `unbounded` is proven there, too
//   mutant   with one piece of a module's text replaced, abc finds a violation of this assertion alone
//   cover    a state in which the cover holds is reached (bmc3), at the sizes `full` (`small` with `coversAtSmall`)
//
// Without a size `small` the proof is at the sizes `full`: of a module without registers it is complete. A size is a
// parameter of the properties or a constant of g80_pkg. With `engine: 'bdd'` the proof is a decision diagram of all
// inputs. With `engine: 'scorr'`, for a block beside a model of it, abc first proves which nodes of both are always
// equal, and makes them one. `instead` names modules that stand in for others: { hazards: 'free_hazards' };
// `insteadAtFull` those that do so at the sizes `full` only.
// `engine: 'induction'` is for what one step proves, however large the block is: `given` says all that holds between
// any two edges, and the other assertions are proven with it as an assumption.
// With `severalClocks` every clock is an input of its own, and a step of the proof is a change of any of them.
// Without yosys (npm package) or yosys-abc (Debian: yosys) the exit code is 77.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../lint/command_line.mjs';
import { forYosys } from '../lint/package.mjs';
import { sets } from './sets.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const { values: { generated, yosys }, positionals: args } = commandLine({
  generated: { type: 'string', default: join(root, 'build', 'release', 'rtl') },
  yosys: { type: 'string', default: join(root, 'build', 'yosys', 'node_modules', '@yowasp', 'yosys') },
}, true);
const limit = 120;  // seconds for one question

const entry = join(yosys, 'gen', 'bundle.js');
const skip = (reason) => {
  console.log(`skipped: ${reason}`);
  process.exit(77);
};
if (!existsSync(entry)) skip(`${entry} does not exist (npm install --prefix build/yosys @yowasp/yosys@0.55.944)`);
if (!existsSync(join(generated, 'g80_pkg.sv')))
  skip(`${generated} has no package (ninja -C build/release rtl_package)`);
if (spawnSync('yosys-abc', ['-c', 'version']).error) skip('yosys-abc is not installed (Debian: yosys)');
const { runYosys } = await import(entry);

/// Text of every module, by its name.
const source = {};
const read = (from) => {
  for (const file of readdirSync(from)) {
    if (file.endsWith('.sv')) source[basename(file, '.sv')] = readFileSync(join(from, file), 'utf8');
  }
};
read(generated);
for (const found of readdirSync(join(root, 'rtl'), { withFileTypes: true })) {
  if (found.isDirectory()) read(join(root, 'rtl', found.name));
}

/// The first edge resets, whatever the free input says; a register without reset starts with any value.
const withFirstReset = (text) => text.replace(/(input logic +)rst_ni,/, '$1reset_ni,').replace('\n);\n', `
);
  logic started_q = 1'b0;
  logic rst_ni;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_ni = reset_ni && started_q;
`);

/// The module and those that it instantiates.
function modulesOf(top, instead = {}, found = new Set()) {
  if (found.has(top)) return found;
  found.add(top);
  for (const [, name] of source[instead[top] ?? top].replace(/\/\/.*/g, '').matchAll(/^\s*(\w+)\s+(?:#\(|\w+ \()/gm))
    if (source[name]) modulesOf(name, instead, found);
  return found;
}

/// Labels of the assertions and of the covers of a set.
function labelsOf(name) {
  const labels = { assert: [], cover: [] };
  for (const [, label, kind] of source[`${name}_props`].matchAll(/(\w+): (assert|cover) /g)) labels[kind].push(label);
  return labels;
}

/// The package with other sizes.
function packageWith(sizes) {
  let text = source.g80_pkg;
  for (const [name, value] of Object.entries(sizes))
    text = text.replace(new RegExp(`(localparam int unsigned ${name} += )\\d+;`), `$1${value};`);
  return text;
}
const isConstant = (name) => new RegExp(`localparam int unsigned ${name} `).test(source.g80_pkg);

/// An AIG for each label: what it can violate is the assertion, or that the cover is never reached.
async function circuits(name, sizes, { asserts = [], covers = [], mutant, instead = sets[name].instead ?? {},
                                     given } = {}) {
  const top = `${name}_props`;
  const modules = [...modulesOf(top, instead)];
  const constants = Object.fromEntries(Object.entries(sizes).filter(([key]) => isConstant(key)));
  const parameters = Object.entries(sizes).filter(([key]) => !isConstant(key))
    .map(([key, value]) => `-chparam ${key} ${value}`).join(' ');
  const tree = { 'g80_pkg.sv': forYosys(packageWith(constants)) };
  for (const module of modules) {
    const standIn = instead[module] ?? module;
    tree[`${module}.sv`] = source[standIn].replace(`module ${standIn} `, `module ${module} `);
  }
  if (source[top].includes(' rst_ni,')) tree[`${top}.sv`] = withFirstReset(source[top]);
  if (mutant) {
    const pieces = tree[`${mutant.module}.sv`]?.split(mutant.text) ?? [];
    if (pieces.length !== 2)
      throw new Error(`"${mutant.text}" stands ${Math.max(pieces.length - 1, 0)} times in ${mutant.module}`);
    tree[`${mutant.module}.sv`] = pieces.join(mutant.by);
  }
  tree['refute.v'] = `(* techmap_celltype = "$cover" *) module refute(input A, input EN);
  \\$assert violated (.A(!A), .EN(EN));
endmodule`;
  const script = [
    `read_verilog -sv -formal -defer g80_pkg.sv ${modules.map((module) => `${module}.sv`).join(' ')}`,
    `hierarchy -check -top ${top} ${parameters}`,
    'proc', 'flatten', 'opt -fast', 'wreduce', 'peepopt', 'opt -fast',
    sets[name].severalClocks ? 'clk2fflogic' : 'async2sync', 'memory -nordff', 'opt -fast',
    'setundef -undriven -anyseq', 'setundef -anyseq', 'techmap', 'opt -fast', 'dffunmap', 'simplemap', 'opt_clean',
    'setundef -anyseq', 'aigmap', 'opt_clean', 'design -save whole',
  ];
  for (const label of [...asserts, ...covers]) {
    const kind = asserts.includes(label) ? 'assert' : 'cover';
    script.push('design -load whole', `select -assert-count 1 t:$${kind} n:${label} %i`);
    if (given && kind === 'assert' && label !== given) script.push(`chtype -set $assume t:$assert n:${given} %i`);
    script.push(`delete t:$assert n:${label} %d`, `delete t:$cover n:${label} %d`, 'techmap -map refute.v t:$cover',
                'opt_clean', 'simplemap', 'aigmap', `write_aiger -zinit -L ${label}.aig`);
  }
  let log = '';
  const listen = (bytes) => { if (bytes) log += Buffer.from(bytes).toString(); };
  try {
    return await runYosys(['-q', '-p', script.join('; ')], tree, { stdout: listen, stderr: listen });
  } catch (error) {
    throw new Error(`yosys: ${log.trim() || error}`);
  }
}

const pdr = `pdr -T ${limit}`;
/// For arithmetic of few inputs: all of them at once, as a decision diagram.
const bdd = `collapse -B 100000000; strash; ${pdr}`;
const scorr = `scorr; ${pdr}`;
/// ind proves that no violation follows two edges without one, and bmc3 that the first edges have none.
const base = 4;
const induction = `bmc3 -F ${base} -T ${limit}; ind -F 2 -T ${limit}`;
const engines = { pdr, bdd, scorr, induction };
const bmc = (edges, engine) => `${engine === 'scorr' ? 'scorr; ' : ''}bmc3 -F ${edges} -T ${limit}`;

/// What abc says: { proven } or { violated: edge } or { edges } without a violation, and the seconds.
/// bmc3 refuses a circuit without registers, for which pdr needs only one edge.
function ask(circuit, command) {
  const place = mkdtempSync(join(tmpdir(), 'g80_formal_'));
  const file = join(place, 'circuit.aig');
  writeFileSync(file, circuit);
  const run = spawnSync('yosys-abc', ['-c', `read_aiger ${file}; fold; strash; ${command}; time`],
                        { encoding: 'utf8', cwd: place });
  rmSync(place, { recursive: true });
  if (/Does not work for combinational/.test(run.stdout)) return ask(circuit, command.replace(/bmc3.*/, pdr));
  const violated = run.stdout.match(/was asserted in frame (\d+)/);
  const edges = run.stdout.match(/No output asserted in (\d+) frames/);
  const time = run.stdout.match(/elapse: ([\d.]+) seconds/);
  return {
    seconds: time ? Number(time[1]) : NaN,
    // pdr says so, too, when its time is over, of an invariant that is none. bmc3 may end early.
    proven: (/Networks are equivalent/.test(run.stdout) && edges && Number(edges[1]) === base) ||
            /Property proved|all 2\^\d+ reachable states are visited/.test(run.stdout) &&
            !/clauses has failed/.test(run.stdout),
    violated: violated && Number(violated[1]),
    edges: edges && Number(edges[1]),
    said: run.stdout.trim().split('\n').slice(-3).join(' '),
  };
}

const sizeText = (sizes) => Object.entries(sizes).map(([key, value]) => `${key}=${value}`).join(' ');
let failed = false;
const fail = (text) => {
  console.log(`FAILED ${text}`);
  failed = true;
};

async function prove(name, only) {
  const set = sets[name];
  const labels = labelsOf(name);
  const asserts = labels.assert.filter((label) => !only || label === only || label === set.given);
  const covers = labels.cover.filter((label) => !only || label === only);
  const { small = set.full, full, edges = 20, given } = set;
  const twoSizes = set.small !== undefined;
  const engine = engines[set.engine ?? 'pdr'], search = bmc(edges, set.engine);
  const method = engine === induction ? 'induction' : 'pdr';
  const coversHere = (here) => here === (set.coversAtSmall ?? false) ? covers : [];
  const proofs = await circuits(name, small, { asserts, covers: coversHere(true), given });
  const whole = await circuits(name, full, { asserts: twoSizes ? asserts : [], covers: coversHere(false), given,
                                             instead: { ...set.instead, ...set.insteadAtFull } });
  for (const label of asserts) {
    const circuit = proofs[`${label}.aig`];
    const proof = ask(circuit, engine);
    let line = `${name}.${label}: ${method} at ${sizeText(small)} ${proof.seconds.toFixed(1)} s`;
    if (!proof.proven) fail(`${line}: ${proof.said}`);
    if (twoSizes) {
      const bounded = ask(whole[`${label}.aig`], set.unbounded ? engine : search);
      line += `; ${set.unbounded ? method : `${edges} edges`} at ${sizeText(full)} ${bounded.seconds.toFixed(1)} s`;
      if (!bounded.proven && (set.unbounded || bounded.edges !== edges)) fail(`${line}: ${bounded.said}`);
    }
    console.log(line);
  }
  for (const label of covers) {
    const cover = ask((set.coversAtSmall ? proofs : whole)[`${label}.aig`], search);
    if (cover.violated === null) fail(`${name}.${label}: not reached: ${cover.said}`);
    else console.log(`${name}.${label}: reached at edge ${cover.violated} ${cover.seconds.toFixed(1)} s`);
  }
  for (const [label, module, text, by] of set.mutants.filter(([label]) => !only || label === only)) {
    const mutated = await circuits(name, small, { asserts: [label], mutant: { module, text, by } });
    const refuted = ask(mutated[`${label}.aig`], set.engine === 'scorr' || engine === induction ? search : pdr);
    const what = `${name}.${label}: ${module} with "${by}" for "${text}"`;
    if (refuted.violated === null) fail(`${what}: not refuted: ${refuted.said}`);
    else console.log(`${what}: refuted at edge ${refuted.violated} ${refuted.seconds.toFixed(1)} s`);
  }
  for (const label of asserts) {
    if (!set.mutants.some(([refuted]) => refuted === label)) fail(`${name}.${label}: has no mutant`);
  }
  if (!labels.assert.length || !labels.cover.length) fail(`${name}: has no assertion or no cover`);
}

for (const name of args) {
  const [set, label] = name.split('.');
  if (sets[set] && (!label || Object.values(labelsOf(set)).flat().includes(label))) continue;
  console.error(`${name}: no set of sets.mjs, or one without this label`);
  process.exit(2);
}
for (const name of args.length ? args : Object.keys(sets)) await prove(...name.split('.'));
process.exit(failed ? 1 : 0);
