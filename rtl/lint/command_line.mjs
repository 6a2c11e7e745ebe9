// SPDX-License-Identifier: Apache-2.0
// The command line of a program: { values, positionals } as util.parseArgs gives them. An option that it does not have
// is one sentence and exit code 2.
import { parseArgs } from 'node:util';

export function commandLine(options, allowPositionals) {
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    console.error(error.message.split('. ')[0]);
    process.exit(2);
  }
}
