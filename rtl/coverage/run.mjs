// SPDX-License-Identifier: Apache-2.0
// node run.mjs [--write | --check]
// Which branches and bits of the twins' SystemVerilog their tests and the kernels reach: builds the preset `coverage`,
// runs kernels with `--rtl all` and the tests of the twins, and prints a line for each module.
//
//   --write    writes docs/rtl-coverage.md: these lines, and all holes
//   --check    exit code 1 if other branches are never taken than the page says
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../lint/command_line.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = join(root, 'docs', 'rtl-coverage.md');
const options = commandLine({ write: { type: 'boolean' }, check: { type: 'boolean' } }, false).values;
const scratch = mkdtempSync(join(tmpdir(), 'g80-coverage-'));
const covers = join(scratch, 'covers');

function must(program, words, options = {}) {
  const done = spawnSync(program, words, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (done.status !== 0) throw new Error(`${program} ${words.join(' ')}: exit code ${done.status}`);
  return done.stdout;
}

must('cmake', ['--preset', 'coverage']);
must('cmake', ['--build', '--preset', 'coverage', '--target', 'g80', 'test_twins']);
const bin = join(root, 'build', 'coverage', 'bin');

/// Adds the counts of a run to `counts`, by `file:line`, kind and name of the signal or branch. Instances and parameters
/// of a module count together.
function count(counts, folder) {
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, name), 'latin1').split('\n')) {
      const point = /^C '(.*)' (\d+)$/.exec(line);
      if (!point) continue;
      const of = Object.fromEntries(point[1].split('\x01').slice(1).map((pair) => pair.split('\x02')));
      if (!/(^|\/)rtl\/.*\.sv$/.test(of.f)) continue;
      const key = JSON.stringify([of.f, Number(of.l), of.page.split('/')[0] === 'v_toggle', of.o]);
      counts.set(key, (counts.get(key) ?? 0) + Number(point[2]));
    }
  }
  rmSync(folder, { recursive: true });
}

/// One multiprocessor of the GTX 280 has every unit that an SM can have. What is left out takes longer than all others.
const names = readdirSync(join(root, 'kernels'))
  .filter((name) => existsSync(join(root, 'kernels', name, 'scenario.toml')) && !/^square_array|^matrix_mul$|_endless$/.test(name));
const oneSm = ['--device', 'gtx280', '--set', 'gpu.num_tpcs=1', '--set', 'gpu.sms_per_tpc=1'];
const leftOut = 'EveryShortWord.*:MultiprocessorInRtl.*:TwinsInTheMachine.TakeEveryValueOfTheirKeysAtRunTime';
const shards = 64;  // about one for each test
const [kernels, tests] = [new Map(), new Map()];
const waiting = [
  ...Array.from({ length: shards }, (_, shard) => (
    { counts: tests, program: 'test_twins', words: [`--gtest_filter=-${leftOut}`],
      variables: { GTEST_TOTAL_SHARDS: shards, GTEST_SHARD_INDEX: shard } })),
  ...names.map((name) => (
    { counts: kernels, program: 'g80', words: ['suite', '--only', name, ...oneSm, '--rtl', 'all', '--coverage', covers] })),
];
const failed = [];

/// Goes on until no run is left. There are as many of these as processors.
async function work() {
  for (let run = waiting.shift(); run; run = waiting.shift()) {
    const { counts, program, words, variables } = run;
    const folder = mkdtempSync(join(scratch, 'run'));
    const status = await new Promise((done) => {
      spawn(join(bin, program), words, {
        cwd: root,
        stdio: ['ignore', 2, 2],
        env: { ...process.env, ...variables, G80_RTL_COVERAGE: folder, G80_COVERAGE: covers },
      }).on('close', done);
    });
    if (status !== 0) failed.push(`${program} ${words.join(' ')}: exit code ${status}`);
    count(counts, folder);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed.length) throw new Error(failed.join('\n'));

const modules = new Map();
for (const key of new Set([...kernels.keys(), ...tests.keys()])) {
  const [file, line, toggle, name] = JSON.parse(key);
  const module = basename(file, '.sv');
  if (!modules.has(module)) modules.set(module, { branches: [], bits: [] });
  modules.get(module)[toggle ? 'bits' : 'branches'].push(
    { file, line, name, inKernels: (kernels.get(key) ?? 0) > 0, inTests: (tests.get(key) ?? 0) > 0 });
}
const sorted = [...modules].sort(([a], [b]) => (a < b ? -1 : 1));

const columns = [(point) => point.inKernels, (point) => point.inTests, (point) => point.inKernels || point.inTests];
const percent = (part, whole) => (whole === 0 ? '' : ((100 * part) / whole).toFixed(1));
const cells = (points) => [points.length, ...columns.map((hit) => percent(points.filter(hit).length, points.length))].join(' | ');
let table = '| Module | Branches | kernels % | tests % | both % | Bits | kernels % | tests % | both % |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n';
for (const [name, module] of sorted) table += `| \`${name}\` | ${cells(module.branches)} | ${cells(module.bits)} |\n`;
const all = (what) => sorted.flatMap(([, module]) => module[what]);
table += `| all | ${cells(all('branches'))} | ${cells(all('bits'))} |\n`;

const source = (file, line) => readFileSync(join(root, file), 'utf8').split('\n')[line - 1].trim().replaceAll('`', "'");
const missed = columns[2];
const branchHoles = [];
const bitHoles = [];
for (const [name, module] of sorted) {
  for (const point of module.branches.filter((each) => !missed(each)).sort((a, b) => a.line - b.line))
    branchHoles.push(`- \`${name}\`, ${point.name} of \`${source(point.file, point.line)}\``);
  const signals = new Map();
  for (const bit of module.bits) {
    const signal = bit.name.replace(/(\[\d+\])+$/, '');
    const sum = signals.get(signal) ?? { bits: 0, still: 0 };
    signals.set(signal, { bits: sum.bits + 1, still: sum.still + (missed(bit) ? 0 : 1) });
  }
  const still = [...signals].filter(([, sum]) => sum.still > 0).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([signal, sum]) => (sum.still === sum.bits ? `\`${signal}\`` : `\`${signal}\` (${sum.still} of ${sum.bits})`));
  if (still.length > 0) bitHoles.push(`- \`${name}\`: ${still.join(', ')}`);
}
const functional = must(join(bin, 'g80'), ['list', '--coverage', covers], { stdio: ['ignore', 'pipe', 2] }).toString();
const coverHoles = /## Holes\n\n([\s\S]*?)\n## /.exec(functional)?.[1] ?? '';
rmSync(scratch, { recursive: true });

const text = `# Coverage of the RTL

\`node rtl/coverage/run.mjs --write\` makes this page ([rtl/README.md](../rtl/README.md#coverage)): which branches of the twins' SystemVerilog are taken, which bits change, and which covers
are hit by

- **kernels**: those of the collection but the longest (\`square_array\`, \`matrix_mul\`, \`reduction_endless\`), with \`--rtl all\` on one multiprocessor
  of the GTX 280, which has an fp64 unit and multipliers in its SFUs;
- **tests**: \`test_twins\`, random traffic of each twin beside its SystemC block.

Instances of a module, with whatever parameters, count together. Verilator counts what an \`if\`, its \`else\` and each \`case\` item do, and for each bit of
a signal of up to 256 bits whether it ever changed. \`rtl/coverage/counted.vlt\` names what is left out: observers, memories, tables, and the
inside of sums and shifters. That tests notice a fault in what they reach, mutants show (\`rtl/README.md\`).

${table}
## Branches never taken

${branchHoles.join('\n') || 'None.'}

## Bits that never changed

Straps that a chip sets once are among them, and bits that the largest legal value of a field leaves zero.

${bitHoles.join('\n')}

## Functional covers not hit

[coverage.md](coverage.md) explains covers. Those of the whole machine are listed, with blocks that are no RTL.

${coverHoles.trim()}
`;
process.stdout.write(table);
if (options.write) writeFileSync(page, text);
if (options.check) {
  const holes = (of) => /## Branches never taken\n\n([\s\S]*?)\n\n## /.exec(of)[1];
  if (holes(text) !== holes(readFileSync(page, 'utf8'))) {
    console.log(`docs/rtl-coverage.md lists other branches than these:\n\n${holes(text)}`);
    process.exit(1);
  }
}
