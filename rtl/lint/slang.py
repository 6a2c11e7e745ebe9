# SPDX-License-Identifier: Apache-2.0
"""Has slang read all of rtl/, with the largest sizes and with those of the GeForce 8800 GTX. Exit code 1 for an error
or a warning. A property set is read by formal/run.py, with its sizes.

Usage: slang.py GENERATED, the folder of g80_pkg.sv
"""
import sys
from pathlib import Path

from pyslang import driver

root, generated = Path(__file__).resolve().parents[2], Path(sys.argv[1])
modules = [generated / 'opcode_decoder.sv', generated / 'sfu_rom.sv']
modules += sorted(path for path in (root / 'rtl').glob('*/*.sv') if path.parent.name not in ('formal', 'tb'))
failed = False
for package in (generated / 'g80_pkg.sv', generated / '8800gtx' / 'g80_pkg.sv'):
    slang = driver.Driver()
    slang.addStandardArgs()
    command = ' '.join(['slang', '-Wpedantic', '-Werror', str(package)] + [str(path) for path in modules])
    read = slang.parseCommandLine(command) and slang.processOptions() and slang.parseAllSources()
    failed |= not (read and slang.runFullCompilation(False))
sys.exit(failed)
