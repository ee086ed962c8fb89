#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

import { EXPORT_FORMATS, type ExportFormatName } from '@proj/contract';
import { Command, Option } from 'commander';

import { runBench } from './bench.ts';
import { runCompare, runCompareSettings } from './compare.ts';
import { runExports } from './exports/run-exports.ts';
import { runFacets } from './facets/run-facets.ts';
import { runFairness, UNFAIR } from './fairness/run-fairness.ts';
import { type BenchFlags, readChoices, readOptions } from './options.ts';
import { endWithoutReader } from './processes/closed-output.ts';
import { type ProfileFlags, runProfile } from './profile/profile.ts';
import { DATABASES, type DatabaseName } from './scenarios.ts';
import { runRelations } from './relations/run-relations.ts';
import { runRequests } from './requests/run-requests.ts';
import { runSessions } from './sessions/run-sessions.ts';
import { runStartUp } from './start-up.ts';
import { writeReport, writeTrials } from './report/write-report.ts';
import { LISTS, SETUPS, WRITTEN } from './under-writes/trials.ts';
import { runWatches } from './watches/run-watches.ts';

const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url));

/** Databases, and numbers by the names of their flags. */
type Flags<Name extends string> = Readonly<Record<Name, number>> & {
  readonly databases: readonly DatabaseName[];
};

const program = new Command('bench').description(
  'Measures the service beside baseline routes and the databases themselves.',
);

program
  .command('run', { isDefault: true })
  .description('measure, and write performance.md with its tables')
  .option('--databases <names>', 'some of postgres,mariadb,sqlite (default: all)')
  .option('--rows <numbers>', 'the lengths of the tables (default: 10000,1000000,10000000)')
  .option('--sizes <numbers>', 'the sizes of the pages (default: 10,100,1000)')
  .option('--pages <depths>', 'some of first,middle,last (default: all)')
  .option('--writes <rates>', 'transactions per second of another connection (default: 0,1,10,100)')
  .option('--only <parts>', 'pages, writes: read pages beside other ways, or under writes')
  .option('--setups <names>', `under writes, some of ${SETUPS.join(',')} (default: all)`)
  .option('--written <tables>', `under writes, some of ${WRITTEN.join(',')} (default: all)`)
  .option('--lists <kinds>', `under writes, some of ${LISTS.join(',')} (default: all)`)
  .option('--write-rates <rates>', 'under writes, transactions per second (default: 0,10,100,1000)')
  .option('--trial-seconds <number>', 'under writes, for each of two loads (default: 4)')
  .option('--connections <number>', 'connections of the load (default: 16)')
  .option('--seconds <number>', 'for each subject in each scenario (default: 1)')
  .option('--rounds <number>', 'in which the subjects take turns (default: 2)')
  .option('--postgres-url <url>', 'a server to use instead of starting one')
  .option('--mariadb-url <url>', 'a server to use instead of starting one')
  .option('--quick', 'small tables and short loads: whether it works, not how fast it is')
  .option('--full', 'every value of every option with every other one; takes hours')
  .option('--out <folder>', 'where performance.md goes (default: docs)')
  .action(async (flags: BenchFlags) => {
    const options = readOptions(flags, DOCS);
    const results = await runBench(options, commandLine(), (line) =>
      process.stderr.write(`${line}\n`),
    );
    const file = options.parts.includes('pages')
      ? await writeReport(results, options.out)
      : await writeTrials(results, options.out);
    print(file);
  });

program
  .command('start-up')
  .description('time the starts of the service and of the baseline route, to the first page')
  .addOption(databasesOption(['sqlite', 'postgres']))
  .option('--starts <number>', 'how often each is started', Number, 7)
  .action(async (flags: Flags<'starts'>) => runStartUp({ ...flags, print }));

program
  .command('compare')
  .description('load this checkout and another one, already built, in turns; print the ratios')
  .argument('<checkout>', 'the folder of the other checkout')
  .addOption(databasesOption(['sqlite', 'postgres']))
  .option('--seconds <number>', 'for each of the two in each scenario', Number, 2)
  .action(async (checkout: string, flags: Flags<'seconds'>) =>
    runCompare(checkout, { ...flags, print }),
  );

program
  .command('settings')
  .description('load a service with some settings and one without, in turns; print the ratios')
  .argument('<json>', 'the settings, such as {"workers":2}')
  .addOption(databasesOption(['sqlite', 'postgres']))
  .option('--seconds <number>', 'for each of the two in each scenario', Number, 5)
  .action(async (json: string, flags: Flags<'seconds'>) =>
    runCompareSettings(JSON.parse(json) as Record<string, unknown>, { ...flags, print }),
  );

program
  .command('requests')
  .description('send two requests to one service in turns, for each pair; print the ratios')
  .addOption(databasesOption())
  .option('--rows <number>', 'the length of the table', Number, 1_000_000)
  .option('--seconds <number>', 'for each of the two', Number, 5)
  .action(async (flags: Flags<'rows' | 'seconds'>) => runRequests({ ...flags, print }));

program
  .command('exports')
  .description("export a table by the service and by the database's own program, in turns")
  .addOption(databasesOption())
  .option('--rows <number>', 'the length of the table', Number, 1_000_000)
  .option('--writes <rate>', 'transactions per second of another connection', Number, 0)
  .option('--forms <names>', 'csv, jsonl and parquet, with commas between them', readForms, [
    'jsonl',
  ])
  .action(async (flags: Flags<'rows' | 'writes'> & { readonly forms: ExportFormatName[] }) =>
    runExports({ ...flags, print }),
  );

program
  .command('facets')
  .description('ask the service for facets, and the database for a group by of its own, in turns')
  .addOption(databasesOption())
  .option('--rows <number>', 'the length of the table', Number, 1_000_000)
  .action(async (flags: Flags<'rows'>) => runFacets({ ...flags, print }));

program
  .command('relations')
  .description('ask for lists along relations and for groups, in turns with the same without them')
  .addOption(databasesOption())
  .option('--rows <number>', 'the number of orders', Number, 1_000_000)
  .action(async (flags: Flags<'rows'>) => runRelations({ ...flags, print }));

program
  .command('sessions')
  .description('ask as callers of the database, in turns with a route that does as PostgREST does')
  .option('--rows <number>', 'the length of the longest list', Number, 1_000_000)
  .option('--seconds <number>', 'for each of the two in each load', Number, 5)
  .action(async (flags: Omit<Flags<'rows' | 'seconds'>, 'databases'>) =>
    runSessions({ ...flags, print }),
  );

program
  .command('watches')
  .description('watch lists of PostgreSQL while they become longer; print how late events come')
  .option('--rows <number>', 'the length of the table', Number, 1_000_000)
  .option('--lists <number>', 'into how many lists it is divided', Number, 100)
  .option('--watchers <number>', 'how many watch, as many each list', Number, 1000)
  .option('--every <milliseconds>', 'between two events of a watcher at least', Number, 100)
  .option('--writes <rate>', 'transactions per second', Number, 1000)
  .option('--seconds <number>', 'how long is written', Number, 60)
  .action(
    async (
      flags: Omit<
        Flags<'rows' | 'lists' | 'watchers' | 'every' | 'writes' | 'seconds'>,
        'databases'
      >,
    ) => runWatches({ ...flags, print }),
  );

program
  .command('fairness')
  .description('measure how long a caller waits while another one is busy, beside alone')
  .argument('[loads...]', `some of ${UNFAIR.join(', ')}`, UNFAIR)
  .option('--rows <number>', 'the length of the table', Number, 1_000_000)
  .option('--seconds <number>', 'for each load in each round', Number, 5)
  .option('--rounds <number>', 'in which the loads take turns', Number, 3)
  .action(
    async (
      loads: readonly string[],
      flags: Omit<Flags<'rows' | 'seconds' | 'rounds'>, 'databases'>,
    ) => runFairness({ loads: readChoices('loads', loads.join(','), UNFAIR), ...flags, print }),
  );

program
  .command('profile')
  .description('show where the service spends its processor time on PostgreSQL')
  .option('--rows <number>', 'the length of the table', '1000000')
  .option('--seconds <number>', 'how long each load lasts', '5')
  .option('--lines <number>', 'how many lines of each table are printed', '25')
  .action(async (flags: ProfileFlags) => runProfile(flags, print));

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

function databasesOption(fallback: readonly DatabaseName[] = DATABASES): Option {
  return new Option('--databases <names>', `some of ${DATABASES.join(',')}`)
    .argParser((text) => readChoices('databases', text, DATABASES))
    .default(fallback, fallback.join(','));
}

function readForms(text: string): ExportFormatName[] {
  return readChoices('forms', text, Object.keys(EXPORT_FORMATS) as ExportFormatName[]);
}

function commandLine(): string {
  return ['pnpm --filter @proj/bench bench', ...process.argv.slice(2)].join(' ');
}
