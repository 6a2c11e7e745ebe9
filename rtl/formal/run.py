# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of each set of sets.toml: all of them, or those named. Exit code 1 if one is not proven.

<set>_props.sv instantiates the modules and states labelled assertions and covers about them. yosys makes an AIG of it,
and abc answers four questions about each label:

  proof    at the sizes `small`, no reachable state violates the assertion (pdr or induction: unbounded)
  bounded  at the sizes `full`, no sequence of `edges` clock edges violates it (bmc3); a set that is `unbounded` is
           proven there, too
  mutant   with one piece of a module's text replaced, abc finds a violation of this assertion alone
  cover    a state in which the cover holds is reached (bmc3), at the sizes `full` (`small` with `covers_at_small`)

Without a size `small` the proof is at the sizes `full`: of a module without registers it is complete. A size is a
parameter of the properties or a constant of g80_pkg. With `engine = "bdd"` the proof is a decision diagram of all
inputs. With `engine = "scorr"`, for a block beside a model of it, abc first proves which nodes of both are always
equal, and makes them one. `instead` names modules that stand in for others: { hazards = "free_hazards" };
`instead_at_full` those that do so at the sizes `full` only. `engine = "induction"` is for what one step proves, however
large the block is: `given` says all that holds between any two edges, and the other assertions are proven with it as an
assumption. With `several_clocks` every clock is an input of its own, and a step of the proof is a change of any of
them.
"""
import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'rtl' / 'tools'))
from yosys import ABC, yosys  # noqa: E402

LIMIT = 1200  # seconds after which abc gives a question up
BASE = 4      # the first edges, which a proof by induction checks one by one
PDR = f'write_aiger left.aig; pdr -T {LIMIT}'
ENGINES = {
    'pdr': PDR,
    'bdd': f'collapse -B 100000000; strash; {PDR}',
    'scorr': f'scorr; {PDR}',
    # ind proves that no violation follows two edges without one, and bmc3 that the first edges have none.
    'induction': f'bmc3 -F {BASE} -T {LIMIT}; ind -F 2 -T {LIMIT}',
}

# A cover is reached if this assertion is violated.
REFUTE = r'''(* techmap_celltype = "$cover" *) module refute(input A, input EN);
  \$assert violated (.A(!A), .EN(EN));
endmodule
'''
# What is (* anyconst *) has no driver in the source; slang gives it a buffer of an unknown value.
CHOOSE = r'''(* techmap_celltype = "$buf" *) module choose(A, Y);
  parameter WIDTH = 1;
  input [WIDTH-1:0] A;
  output [WIDTH-1:0] Y;
  \$anyconst #(.WIDTH(WIDTH)) value (.Y(Y));
endmodule
'''

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--generated', type=Path, default=ROOT / 'build' / 'release' / 'rtl', help='where g80_pkg.sv is')
parser.add_argument('names', nargs='*', metavar='SET[.LABEL]')
options = parser.parse_args()

SETS = tomllib.loads((ROOT / 'rtl' / 'formal' / 'sets.toml').read_text())
FOLDERS = [options.generated] + sorted(path for path in (ROOT / 'rtl').iterdir() if path.is_dir())


def source(module):
    return next(path for path in (folder / f'{module}.sv' for folder in FOLDERS) if path.exists()).read_text()


def labels_of(name, kind):
    return re.findall(rf'(\w+): {kind} ', source(f'{name}_props'))


def with_first_reset(text):
    """The first edge resets, whatever the free input says; a register without reset starts with any value."""
    text = re.sub(r'(input logic +)rst_ni,', r'\1reset_ni,', text)
    return text.replace('\n);\n', '''
);
  logic started_q = 1'b0;
  logic rst_ni;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_ni = reset_ni && started_q;
''', 1)


def circuits(folder, name, sizes, labels, mutant=None, instead=None, given=None):
    """Writes an AIG for each label: what it can violate is the assertion, or that the cover is never reached."""
    package = source('g80_pkg')
    parameters = []
    for key, value in sizes.items():
        package, found = re.subn(rf'(localparam int unsigned {key} += )\d+;', rf'\g<1>{value};', package)
        if not found:
            parameters.append(f'-G {key}={value}')
    texts = {'g80_pkg': package, f'{name}_props': source(f'{name}_props')}
    if ' rst_ni,' in texts[f'{name}_props']:
        texts[f'{name}_props'] = with_first_reset(texts[f'{name}_props'])
    for module, other in (instead or {}).items():
        texts[module] = source(other).replace(f'module {other} ', f'module {module} ')
    if mutant:
        module, text, by = mutant
        whole = texts.get(module) or source(module)
        if whole.count(text) != 1:
            raise RuntimeError(f'"{text}" stands {whole.count(text)} times in {module}')
        texts[module] = whole.replace(text, by)
    for module, text in texts.items():
        (folder / f'{module}.sv').write_text(text)
    (folder / 'refute.v').write_text(REFUTE)
    (folder / 'choose.v').write_text(CHOOSE)
    search = ' '.join(f'-y {path}' for path in ['.'] + FOLDERS)
    commands = [
        f'read_slang -Wnone --unroll-limit 1000000 --top {name}_props {" ".join(parameters)} {search} -Y .sv '
        f'g80_pkg.sv {name}_props.sv',
        'techmap -map choose.v a:anyconst %ci1:+$buf[Y] t:$buf %i', 'setundef -anyseq',
        'opt -fast', 'wreduce', 'peepopt', 'opt -fast',
        'clk2fflogic' if SETS[name].get('several_clocks') else 'async2sync', 'chformal -lower', 'memory -nordff',
        'opt -fast', 'setundef -undriven -anyseq', 'setundef -anyseq', 'techmap', 'opt -fast', 'dffunmap', 'simplemap',
        'opt_clean', 'setundef -anyseq', 'aigmap', 'opt_clean', 'design -save whole']
    for label in labels:
        this = f'n:properties.{label}'
        commands += ['design -load whole', f'select -assert-count 1 t:$assert t:$cover %u {this} %i']
        if given and label in labels_of(name, 'assert') and label != given:
            commands.append(f'chtype -set $assume t:$assert n:properties.{given} %i')
        commands += [f'delete t:$assert {this} %d', f'delete t:$cover {this} %d']
        if label in labels_of(name, 'cover'):
            commands += ['techmap -map refute.v t:$cover', 'simplemap', 'aigmap']
        commands += ['opt_clean', f'write_aiger -zinit -L {label}.aig']
    yosys(commands, folder)


def cannot_be_violated(circuit):
    """Whether a binary AIGER file has one output, nothing else that could be violated, and this is the constant 0."""
    header, *lines = circuit.read_bytes().split(b'\n')
    _, _, _, latches, *others = header.split()
    return len(others) == 2 and others[0] == b'1' and lines[int(latches)] == b'0'


def ask(circuit, command):
    """What abc says of a circuit: it is proven, it is violated at an edge, or it is not in so many edges."""
    left = circuit.parent / 'left.aig'
    left.unlink(missing_ok=True)
    run = subprocess.run([ABC, '-c', f'read_aiger {circuit.name}; fold; strash; {command}; time'], cwd=circuit.parent,
                         capture_output=True, text=True)
    if 'Does not work for combinational' in run.stdout:  # bmc3; pdr needs only one edge then
        return ask(circuit, re.sub('bmc3.*', PDR, command))
    violated = re.search(r'was asserted in frame (\d+)', run.stdout)
    edges = re.search(r'No output asserted in (\d+) frames', run.stdout)
    seconds = re.search(r'elapse: ([\d.]+) seconds', run.stdout)
    edges = int(edges[1]) if edges else None
    # pdr says so, too, when its time is over, of an invariant that is none. bmc3 may end early.
    proven = ('Networks are equivalent' in run.stdout and edges == BASE) or (
        bool(re.search(r'Property proved|all 2\^\d+ reachable states are visited', run.stdout)) and
        'clauses has failed' not in run.stdout) or (
        'All outputs solved' in run.stdout and left.exists() and cannot_be_violated(left))
    return {'proven': proven, 'violated': int(violated[1]) if violated else None, 'edges': edges,
            'seconds': f'{seconds[1]} s' if seconds else '', 'said': ' '.join(run.stdout.strip().split('\n')[-3:])}


failed = False


def fail(text):
    global failed
    failed = True
    print(f'FAILED {text}', flush=True)


def prove(name, only, place):
    rules = SETS[name]
    given, engine, edges = rules.get('given'), rules.get('engine', 'pdr'), rules.get('edges', 20)
    asserts = [label for label in labels_of(name, 'assert') if only in (None, label) or label == given]
    covers = [label for label in labels_of(name, 'cover') if only in (None, label)]
    full, two_sizes, small_covers = rules['full'], 'small' in rules, rules.get('covers_at_small', False)
    small, instead = rules.get('small', full), rules.get('instead', {})
    search = f'{"scorr; " if engine == "scorr" else ""}bmc3 -F {edges} -T {LIMIT}'
    method = 'induction' if engine == 'induction' else 'pdr'
    at = {size: ' '.join(f'{key}={value}' for key, value in sizes.items())
          for size, sizes in (('small', small), ('full', full))}
    folders = {}

    def make(title, *arguments, **more):
        folders[title] = place / f'{name}_{title}'
        folders[title].mkdir()
        circuits(folders[title], name, *arguments, **more)

    make('small', small, asserts + (covers if small_covers else []), instead=instead, given=given)
    make('full', full, (asserts if two_sizes else []) + ([] if small_covers else covers),
         instead=instead | rules.get('instead_at_full', {}), given=given)
    for label in asserts:
        proof = ask(folders['small'] / f'{label}.aig', ENGINES[engine])
        line = f'{name}.{label}: {method} at {at["small"]} {proof["seconds"]}'
        if not proof['proven']:
            fail(f'{line}: {proof["said"]}')
        if two_sizes:
            whole = ask(folders['full'] / f'{label}.aig', ENGINES[engine] if rules.get('unbounded') else search)
            line += f'; {method if rules.get("unbounded") else f"{edges} edges"} at {at["full"]} {whole["seconds"]}'
            if not whole['proven'] and (rules.get('unbounded') or whole['edges'] != edges):
                fail(f'{line}: {whole["said"]}')
        print(line, flush=True)
    for label in covers:
        cover = ask(folders['small' if small_covers else 'full'] / f'{label}.aig', search)
        if cover['violated'] is None:
            fail(f'{name}.{label}: not reached: {cover["said"]}')
        else:
            print(f'{name}.{label}: reached at edge {cover["violated"]} {cover["seconds"]}', flush=True)
    for number, (label, module, text, by) in enumerate(rules['mutants']):
        if only not in (None, label):
            continue
        make(f'mutant{number}', small, [label], mutant=(module, text, by), instead=instead)
        refuted = ask(folders[f'mutant{number}'] / f'{label}.aig', search if engine in ('scorr', 'induction') else PDR)
        what = f'{name}.{label}: {module} with "{by}" for "{text}"'
        if refuted['violated'] is None:
            fail(f'{what}: not refuted: {refuted["said"]}')
        else:
            print(f'{what}: refuted at edge {refuted["violated"]} {refuted["seconds"]}', flush=True)
    for label in asserts:
        if label not in [mutant[0] for mutant in rules['mutants']]:
            fail(f'{name}.{label}: has no mutant')
    if not labels_of(name, 'assert') or not labels_of(name, 'cover'):
        fail(f'{name}: has no assertion or no cover')


for name in options.names:
    chosen, _, label = name.partition('.')
    if chosen not in SETS or label and label not in labels_of(chosen, 'assert') + labels_of(chosen, 'cover'):
        parser.error(f'{name}: no set of sets.toml, or one without this label')
for name in options.names or SETS:
    chosen, _, label = name.partition('.')
    with tempfile.TemporaryDirectory(prefix='g80_formal_') as place:
        prove(chosen, label or None, Path(place))
sys.exit(failed)
