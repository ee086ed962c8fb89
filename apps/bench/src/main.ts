#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

import { EXPORT_FORMATS } from '@proj/contract';
import { Command, Option } from 'commander';

import { runBench } from './bench.ts';
import { runCompare, runCompareSettings } from './compare.ts';
import type { Flags } from './comparison.ts';
import { DATABASES, type DatabaseName } from './databases/database.ts';
import { type ExportsOptions, runExports } from './exports.ts';
import { runFairness, UNFAIR } from './fairness.ts';
import { type BenchFlags, choices, kebab, readOptions, RUN_FLAGS } from './options.ts';
import { FACETS, RELATIONS, runPairs } from './pairs/run-pairs.ts';
import { endWithoutReader } from './processes/closed-output.ts';
import { type ProfileOptions, runProfile } from './profile/profile.ts';
import { writeReport } from './report/report.ts';
import { runRequests } from './requests.ts';
import { runSessions } from './sessions/run-sessions.ts';
import { runStartUp } from './start-up.ts';
import { runWatches, type WatchesOptions } from './watches/run-watches.ts';

const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url));

const program = new Command('bench').description(
  'Measures the service beside baseline routes and the databases themselves.',
);

const run = program
  .command('run', { isDefault: true })
  .description('measure, and write performance.md with its tables');
for (const [name, { says, usual }] of Object.entries(RUN_FLAGS))
  run.option(`--${kebab(name)} <values>`, `${says} (default: ${usual})`);
run
  .option('--postgres-url <url>', 'a server to use instead of starting one')
  .option('--mariadb-url <url>', 'a server to use instead of starting one')
  .option('--quick', 'small tables and short loads: whether it works, not how fast it is')
  .option('--out <folder>', 'where performance.md goes (default: docs)')
  .action(async (flags: BenchFlags) => {
    const options = readOptions(flags, DOCS);
    const typed = ['pnpm --filter @proj/bench bench', ...process.argv.slice(2)].join(' ');
    const results = await runBench(options, typed, (line) => process.stderr.write(`${line}\n`));
    print(await writeReport(results, options.out));
  });

command('start-up', 'time the starts of the service and of the baseline route, to the first page')
  .addOption(databases('sqlite', 'postgres'))
  .addOption(number('starts', 'how often each is started', 7))
  .action(async (flags: Flags<'databases' | 'starts'>) => runStartUp({ ...flags, print }));

command('compare', 'load this checkout and another one, already built, in turns; print the ratios')
  .argument('<checkout>', 'the folder of the other checkout')
  .addOption(databases('sqlite', 'postgres'))
  .addOption(number('seconds', 'for each of the two in each scenario', 2))
  .action(async (checkout: string, flags: Flags<'databases' | 'seconds'>) =>
    runCompare(checkout, { ...flags, print }),
  );

command('settings', 'load a service with some settings and one without, in turns; print the ratios')
  .argument('<json>', 'the settings, such as {"workers":2}')
  .addOption(databases('sqlite', 'postgres'))
  .addOption(number('seconds', 'for each of the two in each scenario', 5))
  .action(async (json: string, flags: Flags<'databases' | 'seconds'>) =>
    runCompareSettings(JSON.parse(json) as Record<string, unknown>, { ...flags, print }),
  );

command('requests', 'send two requests to one service in turns, for each pair; print the ratios')
  .addOption(databases(...DATABASES))
  .addOption(number('rows', 'the length of the table', 1_000_000))
  .addOption(number('seconds', 'for each of the two', 5))
  .action(async (flags: Flags<'databases' | 'rows' | 'seconds'>) =>
    runRequests({ ...flags, print }),
  );

command('exports', "export a table by the service and by the database's own program, in turns")
  .addOption(databases(...DATABASES))
  .addOption(number('rows', 'the length of the table', 1_000_000))
  .addOption(number('writes', 'transactions per second of another connection', 0))
  .addOption(some('forms', Object.keys(EXPORT_FORMATS), ['jsonl']))
  .action(async (flags: Omit<ExportsOptions, 'print'>) => runExports({ ...flags, print }));

command('facets', 'ask for facets, and the database for a group by of its own, in turns')
  .addOption(databases(...DATABASES))
  .addOption(number('rows', 'the length of the table', 1_000_000))
  .action(async (flags: Flags<'databases' | 'rows'>) => runPairs(FACETS, { ...flags, print }));

command('relations', 'ask for lists along relations and for groups, in turns with others')
  .addOption(databases(...DATABASES))
  .addOption(number('rows', 'the number of orders', 1_000_000))
  .action(async (flags: Flags<'databases' | 'rows'>) => runPairs(RELATIONS, { ...flags, print }));

command('sessions', 'ask as callers of the database, in turns with a route like that of PostgREST')
  .addOption(number('rows', 'the length of the longest list', 1_000_000))
  .addOption(number('seconds', 'for each of the two in each load', 5))
  .action(async (flags: Flags<'rows' | 'seconds'>) => runSessions({ ...flags, print }));

command('watches', 'watch lists of PostgreSQL that become longer; print how late events come')
  .addOption(number('rows', 'the length of the table', 1_000_000))
  .addOption(number('lists', 'into how many lists it is divided', 100))
  .addOption(number('watchers', 'how many watch, as many each list', 1000))
  .addOption(number('every', 'milliseconds between two events of a watcher at least', 100))
  .addOption(number('writes', 'transactions per second', 1000))
  .addOption(number('seconds', 'how long is written', 60))
  .action(async (flags: Omit<WatchesOptions, 'print'>) => runWatches({ ...flags, print }));

command('fairness', 'measure how long a caller waits while another one is busy, beside alone')
  .argument('[loads...]', `some of ${UNFAIR.join(', ')}`, UNFAIR)
  .addOption(number('rows', 'the length of the table', 1_000_000))
  .addOption(number('seconds', 'for each load in each round', 5))
  .addOption(number('rounds', 'in which the loads take turns', 3))
  .action(async (loads: string[], flags: Flags<'rows' | 'seconds' | 'rounds'>) =>
    runFairness({ ...flags, loads: choices(UNFAIR)('loads', loads.join()), print }),
  );

command('profile', 'show where the service spends its processor time on PostgreSQL')
  .addOption(number('rows', 'the length of the table', 1_000_000))
  .addOption(number('seconds', 'how long each load lasts', 5))
  .addOption(number('lines', 'how many lines of each table are printed', 25))
  .action(async (flags: Omit<ProfileOptions, 'print'>) => runProfile({ ...flags, print }));

// Each program that is started listens for the end of this process.
process.setMaxListeners(100);

// What was started ends with this process, also when it is interrupted.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
endWithoutReader();

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function command(name: string, description: string): Command {
  return program.command(name).description(description);
}

function number(name: string, says: string, usual: number): Option {
  return new Option(`--${name} <number>`, says).argParser(Number).default(usual);
}

function databases(...usual: readonly DatabaseName[]): Option {
  return some('databases', DATABASES, usual);
}

function some(name: string, known: readonly string[], usual: readonly string[]): Option {
  return new Option(`--${name} <names>`, `some of ${known.join()}`)
    .argParser((text) => choices(known)(name, text))
    .default(usual, usual.join());
}
