# SPDX-License-Identifier: Apache-2.0
"""yosys, which the Python package pyosys brings as a library, as a program: an error of yosys ends its process."""
import os
import subprocess
import sys

import pyosys

ABC = os.path.join(os.path.dirname(pyosys.__file__), 'yosys-abc')
CHILD = 'from pyosys import libyosys; libyosys.run_pass("script commands.ys", libyosys.Design())'


def yosys(commands, folder):
    """Runs the commands in a folder, and returns what yosys says."""
    with open(os.path.join(folder, 'commands.ys'), 'w') as script:
        script.write('\n'.join(commands) + '\n')
    run = subprocess.run([sys.executable, '-c', CHILD], cwd=folder, capture_output=True, text=True)
    said = run.stdout + run.stderr
    if run.returncode != 0:
        raise RuntimeError(f'yosys: {said[-2000:]}')
    return said
