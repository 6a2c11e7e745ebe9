# SPDX-License-Identifier: Apache-2.0
"""Takes twins, with the sizes of the GeForce 8800 GTX, through yosys to standard cells and times them with OpenSTA.

  BLOCK..           prints a line for each block, or for all of them
  --check BLOCK..   measures nothing: exit code 1 if a block's design is not the one of budget.tsv, 77 if that has none
  --check --measure BLOCK..   exit code 1 if area or depth is more than 5 % above budget.tsv
  --write BLOCK..   measures blocks and writes their lines of budget.tsv
  --path            prints the cells of the longest path too

A design is what yosys makes of the sources, with the version of yosys and the commands below: comments, names of
places and what a block does not use of the package do not count.
"""
import argparse
import collections
import hashlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'rtl' / 'tools'))
from yosys import yosys  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name in ('check', 'measure', 'write', 'path'):
    parser.add_argument(f'--{name}', action='store_true')
parser.add_argument('--generated', type=Path, default=ROOT / 'build' / 'release' / 'rtl', help='where g80_pkg.sv is')
parser.add_argument('--library', type=Path, default='/usr/share/qflow/tech/osu018/osu018_stdcells.lib')
parser.add_argument('blocks', nargs='*', metavar='BLOCK')
options = parser.parse_args()
KEEP = options.generated.parent / 'synth'  # modules in cells
BUDGET = ROOT / 'rtl' / 'synth' / 'budget.tsv'
COLUMNS = ['block', 'clock', 'cells', 'area', 'flops', 'depth', 'ns', 'from', 'to', 'memories', 'design']
REASONS = [line.split('\t')[0] for line in (ROOT / 'rtl/synth/long_paths.tsv').read_text().splitlines()]
TOLERANCE = 1.05

# What every stage is compared with: two registers, and between them the sum.
ADDER = '''module adder32(input clk_i, input [31:0] a_i, b_i, output reg [31:0] sum_o);
  reg [31:0] a_q, b_q;
  always @(posedge clk_i) begin a_q <= a_i; b_q <= b_i; sum_o <= a_q + b_q; end
endmodule
'''
# Modules of more cells are mapped without looking for choices of structure (dch), which takes most of the time.
MOST_FOR_CHOICES = 25000
CELLS = ['synth -run coarse', 'opt -fast -mux_undef -undriven -fine', 'memory_map', 'opt -undriven -fine',
         'opt -fast -mux_undef', 'techmap', 'opt -fast', 'rename -wire', 'dfflibmap -liberty cells.lib']
# The script of abc: dc2 and scorr of the default one make a ripple carry of carry look-ahead.
MAPPING = '+strash;dch;map,-B,0.9;topo;buffer;upsize;dnsize'
CONSTRAINTS = 'set_driving_cell BUFX2\nset_load 0.02 [all_outputs]\n'
VERSION = importlib.metadata.version('pyosys')

for path, source in ((options.library, 'Debian package qflow-tech-osu018'),
                     (Path('/usr/bin/sta'), 'Debian package opensta'),
                     (options.generated / '8800gtx' / 'g80_pkg.sv', 'ninja -C build/release rtl_package')):
    if not path.exists():
        print(f'skipped: {path} does not exist ({source})')
        sys.exit(77)

LIBRARY = options.library.read_text()
AREA = {name: float(area) for name, area in
        re.findall(r'^\s*cell *\("?(\w+)"?\)[\s\S]*?\barea *: *([\d.]+)', LIBRARY, re.M)}
# The blocks and their clocks: in the multiprocessor that of the shaders or of even shader cycles
CLOCKS = {'adder32': '-', 'coalescer': 'core', 'address_divider': 'core', 'texture_lanes': 'core',
          'texture_coordinate': 'core', 'texel_address': 'core', 'texel_ports': 'core', 'texture_tags': 'core',
          'texture_l2_lookup': 'core', 'filter_component': 'core', 'tlb_lookup': 'core', 'crossbar_word': 'core',
          'place_cta': 'core', 'cut_piece': 'core', 'surface_row': 'core', 'first_run': 'core',
          'atomic_operation': 'core', 'choose_of_bank': 'dram', 'pick_request': 'dram', 'youngest_of_sector': 'dram',
          'oldest_burst': 'dram'}
CLOCKS |= {name: 'half' if half else 'shader' for name, half in re.findall(
    r'^ *(\w+) +(?:#\([^;]*?\) )?u_\w+ \(\s*\.clk_i *(\(issue_clk\))?', (ROOT / 'rtl/sm/sm.sv').read_text(), re.M)
    if not (ROOT / 'rtl' / 'common' / f'{name}.sv').exists()}
# A stage may take so many times as long as adder32.
ADDERS = {'-': 1, 'shader': 2, 'half': 4, 'core': 4.5, 'dram': 2.5}


def in_folder(commands, files, result):
    """Runs yosys in a folder with these files, and returns a file that it writes there."""
    with tempfile.TemporaryDirectory(prefix='g80_synth_') as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text)
        yosys(commands, folder)
        return Path(folder, result).read_text()


def elaborate(top):
    """The modules of a block in RTLIL, each once, the inner ones first. A name contains the hash of the text."""
    folders = [options.generated / '8800gtx', options.generated]
    folders += sorted(path for path in (ROOT / 'rtl').iterdir() if path.is_dir())
    file = next((path for path in (folder / f'{top}.sv' for folder in folders) if path.exists()), 'adder32.sv')
    rtlil = in_folder(
        [f'read_slang -Wnone --ignore-assertions --keep-hierarchy --unroll-limit 1000000 --top {top} '
         f'{" ".join(f"-y {folder}" for folder in folders)} -Y .sv {folders[0]}/g80_pkg.sv {file}',
         f'hierarchy -check -top {top}', 'check -assert', 'opt_expr', 'opt_clean', 'rename -enumerate -pattern made%',
         'write_rtlil all.il'],
        {'adder32.sv': ADDER}, 'all.il')
    texts = {}
    for name, body in re.findall(r'^module (\S+)\n(.*?)^end\n', rtlil, re.M | re.S):
        texts[name] = re.sub(r'^ *attribute \\(src|hdlname) .*\n', '', body, flags=re.M)
    made, names = {}, {}

    def take(name):
        if name not in names:
            text = re.sub(r'^  cell (\\\S+)', lambda cell: f'  cell {take(cell[1])}', texts[name], flags=re.M)
            names[name] = name if name == '\\' + top else f'{name.split("$")[0]}${digest(text)}'
            made[names[name]] = text
        return names[name]

    take('\\' + top)
    return made


def digest(design):
    """A hash of modules and of what is done with them"""
    whole = json.dumps([VERSION, CELLS, MAPPING, CONSTRAINTS, MOST_FOR_CHOICES, design], sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def is_memory(name):
    return re.match(r'\\(sram_(1r|2w|banks|columns)|sfu_rom)', name)


def stub(name, text):
    """Its ports alone"""
    ports = ''.join(re.findall(r'^  wire .*(?:input|output) .*\n', text, re.M))
    return f'attribute \\blackbox 1\nmodule {name}\n{ports}end\n'


def shape(text):
    """Rows and bits of a memory"""
    memory = re.search(r'^  memory width (\d+) size (\d+) \\word$', text, re.M)
    if memory:
        return int(memory[2]), int(memory[1])
    bits, width = (int(re.search(rf'^  wire (?:width (\d+) )?(?:output \d+ )?\\{name}$', text, re.M)[1] or 1)
                   for name in ('word', 'read_data_o'))
    return bits // width, width


def cells_of(name, text, stubs):
    """The module in cells. KEEP has those that were mapped before."""
    whole = f'{"".join(stubs)}module {name}\n{text}end\n'
    kept = KEEP / f'{digest(whole)}.il'
    if kept.exists():
        return kept.read_text()
    files = {'cells.lib': LIBRARY, 'drive.con': CONSTRAINTS, 'module.il': whole}
    files['module.il'] = in_folder(['read_rtlil module.il'] + CELLS + ['write_rtlil module.il'], files, 'module.il')
    many = len(re.findall(r'^ *cell ', files['module.il'], re.M)) > MOST_FOR_CHOICES
    script = MAPPING.replace('dch;', '') if many else MAPPING
    mapped = in_folder(
        ['read_rtlil module.il', f'abc -liberty cells.lib -constr drive.con -script {script}', 'opt_clean -purge',
         'select =*', 'write_rtlil -selected mapped.il'], files, 'mapped.il')
    mapped = re.search(rf'^module {re.escape(name)}\n.*?^end\n', mapped, re.M | re.S)[0]
    KEEP.mkdir(parents=True, exist_ok=True)
    kept.write_text(mapped)
    return mapped


def add_buffers(design):
    """Puts buffers where a net leaves its module and has many sinks in others: abc maps each module alone and does not
    see them. Clock and reset stay as they are."""
    most = 8  # sinks of a net
    known = {}  # of a module: port -> sinks behind each bit

    def loads_of(name):
        if name in known:
            return known[name]
        module, behind = design['modules'].get(name), {}
        known[name] = behind
        if not module or 'blackbox' in module['attributes']:
            return behind
        sinks = collections.defaultdict(list)
        for cell in module['cells'].values():
            inner = design['modules'].get(cell['type'])
            inside = loads_of(cell['type']) if inner else {}
            for port, bits in cell['connections'].items():
                if port in ('clk_i', 'rst_ni', 'CLK', 'R', 'S'):
                    continue
                if inner['ports'][port]['direction'] == 'output' if inner else port in ('Y', 'Q', 'YS', 'YC'):
                    continue
                for place, bit in enumerate(bits):
                    if isinstance(bit, int):
                        load = inside[port][place] if port in inside else 1
                        sinks[bit].append((load, cell, port, place, bool(inner)))
        following = 1 + max((bit for part in (module['ports'], module['netnames']) for entry in part.values()
                             for bit in entry['bits'] if isinstance(bit, int)), default=0)
        for bit, level in sinks.items():
            if not any(sink[4] for sink in level):
                continue
            while sum(sink[0] for sink in level) > most:
                groups = []
                for sink in sorted(level, key=lambda sink: sink[0]):
                    if groups and groups[-1][0] + sink[0] <= most:
                        groups[-1] = (groups[-1][0] + sink[0], groups[-1][1] + [sink])
                    else:
                        groups.append((sink[0], [sink]))
                level = []
                for _, group in groups:
                    buffer = {'type': 'BUFX4', 'parameters': {}, 'attributes': {},
                              'connections': {'A': [bit], 'Y': [following]},
                              'port_directions': {'A': 'input', 'Y': 'output'}}
                    module['cells'][f'fanout_{following}'] = buffer
                    for _, cell, port, place, _ in group:
                        cell['connections'][port][place] = following
                    following += 1
                    level.append((1, buffer, 'A', 0, False))
            sinks[bit] = level
        for port, entry in module['ports'].items():
            if entry['direction'] == 'input':
                behind[port] = [sum(sink[0] for sink in sinks.get(bit, ())) for bit in entry['bits']]
        return behind

    for name in list(design['modules']):
        loads_of(name)
    return design


def with_pin_registers(boxes):
    """Gives each memory a register at every pin, so that a path ends at its inputs and one begins at its outputs."""
    def fill(module):
        registers = ''
        for direction, msb, name in re.findall(r'^\s*(input|output) (?:\[(\d+):0\] )?(\w+);', module[0], re.M):
            if name == 'clk_i' or 'input clk_i;' not in module[0]:
                continue
            for bit in range(int(msb or 0) + 1):
                pin = f'{name}[{bit}]' if msb else name
                side = 'D' if direction == 'input' else 'Q'
                registers += f'  DFFPOSX1 {name}_{bit}_reg (.CLK(clk_i), .{side}({pin}));\n'
        return module[0].replace('endmodule', registers + 'endmodule')
    return re.sub(r'^module[\s\S]*?^endmodule', fill, boxes, flags=re.M)


def count(design, name, known):
    """How many cells and memories of each type a module has, with all modules in it"""
    if name not in known:
        known[name] = collections.Counter()
        for cell in design['modules'][name]['cells'].values():
            inner = design['modules'].get(cell['type'])
            if not inner or 'blackbox' in inner['attributes']:
                known[name][cell['type']] += 1
            else:
                known[name] += count(design, cell['type'], known)
    return known[name]


def timed(top, netlist):
    """What OpenSTA says of the longest path"""
    with tempfile.TemporaryDirectory(prefix='g80_synth_') as folder:
        Path(folder, 'netlist.v').write_text(netlist)
        Path(folder, 'time.tcl').write_text(f'''
read_liberty {options.library}
read_verilog {folder}/netlist.v
link_design {top}
create_clock -name clk -period 1000 [get_ports clk_i]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set straps [get_ports -quiet cfg_*]
if {{[llength $straps]}} {{ set_false_path -from $straps }}
if {{[llength [get_ports -quiet rst_ni]]}} {{ set_false_path -from [get_ports rst_ni] }}
report_checks -path_delay max -digits 3
''')
        said = subprocess.run(['sta', '-exit', f'{folder}/time.tcl'], capture_output=True, text=True)
    if 'data arrival time' not in said.stdout or 'syntax error' in said.stdout + said.stderr:
        raise RuntimeError(f'sta: {said.stdout[-400:]} {said.stderr[-400:]}')
    return said.stdout[said.stdout.index('Startpoint'):]


def measure(top, modules):
    mapped = ''
    for name, text in modules.items():
        if is_memory(name):
            mapped += stub(name, text)
            continue
        inside = sorted(set(re.findall(r'^  cell (\\\S+)', text, re.M)) & modules.keys())
        mapped += cells_of(name, text, [stub(inner, modules[inner]) for inner in inside])
    design = add_buffers(json.loads(in_folder(
        ['read_rtlil mapped.il', f'hierarchy -top {top}', 'write_json mapped.json'], {'mapped.il': mapped},
        'mapped.json')))
    with tempfile.TemporaryDirectory(prefix='g80_synth_') as folder:
        Path(folder, 'buffered.json').write_text(json.dumps(design))
        yosys(['read_json buffered.json', 'write_verilog -noattr -simple-lhs netlist.v',
               'write_verilog -noattr -blackboxes boxes.v'], folder)
        netlist = Path(folder, 'netlist.v').read_text() + with_pin_registers(Path(folder, 'boxes.v').read_text())
    report = timed(top, netlist)
    found = count(design, top, {})
    shapes = collections.Counter()
    for name, text in modules.items():
        if is_memory(name) and 'sfu_rom' not in name:
            shapes['{} {} x {}'.format(name[1:].split('$')[0], *shape(text))] += found[name[1:]]
    steps = re.findall(r'^\s+[\d.]+\s+[\d.]+ [v^] \S+/\w+ \((\w+)\)$', report, re.M)

    def place(which):
        return re.sub(r'\\|\$_\w+$', '', re.search(rf'{which}: (\S+)', report)[1])

    row = {
        'block': top,
        'clock': CLOCKS[top],
        'cells': sum(n for cell, n in found.items() if cell in AREA),
        'area': round(sum(n * AREA[cell] for cell, n in found.items() if cell in AREA)),
        'flops': sum(n for cell, n in found.items() if cell.startswith('DFF')),
        'depth': sum(not cell.startswith('DFF') for cell in steps),
        'ns': '{:.2f}'.format(float(re.search(r'([\d.]+)\s+data arrival time', report)[1])),
        'from': place('Startpoint'),
        'to': place('Endpoint'),
        'memories': ', '.join(f'{n} {what}' for what, n in shapes.items()) or '-',
        'design': digest(modules),
    }
    return row, report


budget = {}
for line in BUDGET.read_text().splitlines()[1:]:
    fields = line.split('\t')
    budget[fields[0]] = dict(zip(COLUMNS, fields))
skipped = failed = False
for block in options.blocks or sorted(CLOCKS):
    before, write = budget.get(block, {'design': ''}), f'rtl/tools/python rtl/synth/run.py --write {block}'
    if options.check and before['design'] == '-':
        print(f'skipped: {block} was measured with another version of the tools: {write}')
        skipped = True
        continue
    modules = elaborate(block)
    if options.check and not options.measure:
        if before['design'] != digest(modules):
            print(f'{block}: not the design that rtl/synth/budget.tsv has measured: {write}')
            failed = True
        continue
    row, report = measure(block, modules)
    print('\t'.join(str(row[name]) for name in COLUMNS[:-1]), flush=True)
    if options.path:
        print(report)
    for name in ('area', 'depth') if options.check and before['design'] else ():
        if row[name] > float(before[name]) * TOLERANCE:
            print(f'{block}: {name} {row[name]}, more than 5 % above the budget of {before[name]}')
            failed = True
    budget[block] = row
    if float(row['ns']) > ADDERS[row['clock']] * float(budget['adder32']['ns']) and block not in REASONS:
        print(f'{block}: more than {ADDERS[row["clock"]]} adders; state the reason in rtl/synth/long_paths.tsv')
        failed = True
    if options.write:
        rows = [budget[name] for name in sorted(CLOCKS) if name in budget]
        lines = [COLUMNS] + [[str(row[column]) for column in COLUMNS] for row in rows]
        BUDGET.write_text(''.join('\t'.join(line) + '\n' for line in lines))
sys.exit(1 if failed else 77 if skipped else 0)
