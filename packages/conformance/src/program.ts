import { createRequire } from 'node:module';

import {
  baseProgram,
  joinCommas,
  runProgram,
  type Session,
  type Terminal,
  withConnection,
  withUsageErrors,
} from '@proj/cli/command-line';
import type { Command } from 'commander';

import { checkConformance, type ConformanceFlags } from './command.ts';

const manifest: { readonly version: string } = createRequire(import.meta.url)('../package.json');

const AFTER_HELP = `
Set DYNAMIC_QUERY_TOKEN, or pass --token-file. The service is only read.
On a terminal the output is lines for people; in a pipe it is JSON. NO_COLOR turns colours off.

Exit codes: 0 every rule holds that could be tried · 1 a rule does not hold · 2 wrong usage
  · 130 interrupted (143 by SIGTERM) · 141 the reader closed the output

Example:
  conformance https://data.example.com --model cities --attributes id,name`;

/**
 * Runs one command line, without the program's name.
 *
 * @returns the exit code; errors are written to `stderr`.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(buildProgram, args, terminal);
}

/** The command. Its action rejects with what went wrong; nothing in it ends the process. */
function buildProgram(session: Session): Command {
  const program = withConnection(
    baseProgram('conformance', session).argument(
      '[url]',
      'base URL of the service (default: --url)',
    ),
  )
    .description('Holds a server against every rule of the contract of Dynamic Query.')
    .version(manifest.version)
    .addHelpText('after', AFTER_HELP)
    .option('--model <name>', 'model to read (default: one of the catalogue that suits)')
    .option(
      '-a, --attributes <names>',
      'its attributes, for a server without a catalogue',
      joinCommas,
    )
    .option('--hidden-model <name>', 'a model that exists and is not visible to the token')
    .option(
      '--hidden-attribute <name>',
      'an attribute of the model that exists and is not visible to the token',
    )
    .option('--json', 'JSON, also on a terminal')
    .option('-q, --quiet', 'print only what fails')
    .action((url: string | undefined, flags: ConformanceFlags) =>
      checkConformance(url, flags, session),
    );
  return withUsageErrors(program);
}
