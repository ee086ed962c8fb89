#!/usr/bin/env node
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { Command } from 'commander';

import { runBench } from './bench.ts';
import { runCompare, runCompareSettings } from './compare.ts';
import { runExports } from './exports/run-exports.ts';
import { runFacets } from './facets/run-facets.ts';
import { runFaults } from './faults/run-faults.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { type BenchFlags, readChoices, readOptions } from './options.ts';
import { endWithoutReader } from './processes/closed-output.ts';
import { type ProfileFlags, runProfile } from './profile/profile.ts';
import { DATABASES } from './scenarios.ts';
import { runRequests } from './requests/run-requests.ts';
import { runSimulate, type SimulateFlags } from './simulate/run-simulate.ts';
import { runSoak } from './soak/run-soak.ts';
import { runStartUp } from './start-up.ts';
import { runTruth } from './truth.ts';
import { writeReport, writeTrials } from './report/write-report.ts';
import { SETUPS } from './under-writes/trials.ts';

const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url));

const program = new Command('bench').description(
  'Measures the service beside baseline routes and the databases themselves.',
);

program
  .command('run', { isDefault: true })
  .description('measure, and write performance.md with its plots')
  .option('--databases <names>', 'some of postgres,mariadb,sqlite (default: all)')
  .option('--rows <numbers>', 'the lengths of the tables (default: 10000,1000000,10000000)')
  .option('--sizes <numbers>', 'the sizes of the pages (default: 10,100,1000)')
  .option('--pages <depths>', 'some of first,middle,last (default: all)')
  .option('--writes <rates>', 'transactions per second of another connection (default: 0,1,10,100)')
  .option('--only <parts>', 'pages, writes: read pages beside other ways, or under writes')
  .option('--setups <names>', `under writes, some of ${SETUPS.join(',')} (default: all)`)
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
    process.stdout.write(`${file}\n`);
  });

program
  .command('start-up')
  .description('time the starts of the service and of the baseline route, to the first page')
  .option('--databases <names>', 'some of postgres,mariadb,sqlite', 'sqlite,postgres')
  .option('--starts <number>', 'how often each is started', '7')
  .action(async ({ databases, starts }: { databases: string; starts: string }) => {
    await runStartUp({
      databases: readChoices('databases', databases, DATABASES),
      starts: Number(starts),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  });

program
  .command('compare')
  .description('load this checkout and another one, already built, in turns; print the ratios')
  .argument('<checkout>', 'the folder of the other checkout')
  .option('--databases <names>', 'some of postgres,mariadb,sqlite', 'sqlite,postgres')
  .option('--seconds <number>', 'for each of the two in each scenario', '2')
  .action(async (checkout: string, flags: { databases: string; seconds: string }) => {
    await runCompare({
      checkout,
      databases: readChoices('databases', flags.databases, DATABASES),
      seconds: Number(flags.seconds),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  });

program
  .command('workers')
  .description('load a service with several workers and one without, in turns; print the ratios')
  .option('--workers <number>', 'how many workers', '2')
  .option('--databases <names>', 'some of postgres,mariadb,sqlite', 'sqlite,postgres')
  .option('--seconds <number>', 'for each of the two in each scenario', '5')
  .action(async (flags: { workers: string; databases: string; seconds: string }) => {
    await runCompareSettings({
      settings: { workers: Number(flags.workers) },
      databases: readChoices('databases', flags.databases, DATABASES),
      seconds: Number(flags.seconds),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  });

program
  .command('settings')
  .description('load a service with some settings and one without, in turns; print the ratios')
  .argument('<json>', 'the settings, such as {"traces":{"endpoint":"http://127.0.0.1:4318"}}')
  .option('--databases <names>', 'some of postgres,mariadb,sqlite', 'sqlite,postgres')
  .option('--seconds <number>', 'for each of the two in each scenario', '5')
  .action(async (json: string, flags: { databases: string; seconds: string }) => {
    await runCompareSettings({
      settings: JSON.parse(json) as Record<string, unknown>,
      databases: readChoices('databases', flags.databases, DATABASES),
      seconds: Number(flags.seconds),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  });

program
  .command('requests')
  .description('send two requests to one service in turns, for each pair; print the ratios')
  .option(
    '--databases <names>',
    'some of postgres,mariadb,sqlite (default: all)',
    DATABASES.join(','),
  )
  .option('--rows <number>', 'the length of the table', '1000000')
  .option('--seconds <number>', 'for each of the two', '5')
  .action(async (flags: { databases: string; rows: string; seconds: string }) => {
    await runRequests({
      databases: readChoices('databases', flags.databases, DATABASES),
      rows: Number(flags.rows),
      seconds: Number(flags.seconds),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  });

program
  .command('exports')
  .description("export a table by the service and by the database's own program, in turns")
  .option(
    '--databases <names>',
    'some of postgres,mariadb,sqlite (default: all)',
    DATABASES.join(','),
  )
  .option('--rows <number>', 'the length of the table', '1000000')
  .option('--writes <rate>', 'transactions per second of another connection', '0')
  .action(async (flags: { databases: string; rows: string; writes: string }) => {
    await runExports({
      databases: readChoices('databases', flags.databases, DATABASES),
      rows: Number(flags.rows),
      writes: Number(flags.writes),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  });

program
  .command('facets')
  .description('ask the service for facets, and the database for a group by of its own, in turns')
  .option(
    '--databases <names>',
    'some of postgres,mariadb,sqlite (default: all)',
    DATABASES.join(','),
  )
  .option('--rows <number>', 'the length of the table', '1000000')
  .action(async (flags: { databases: string; rows: string }) => {
    await runFacets({
      databases: readChoices('databases', flags.databases, DATABASES),
      rows: Number(flags.rows),
      print: (line) => process.stdout.write(`${line}\n`),
    });
  });

program
  .command('profile')
  .description('show where the service spends its processor time on PostgreSQL')
  .option('--rows <number>', 'the length of the table', '1000000')
  .option('--seconds <number>', 'how long each load lasts', '5')
  .option('--lines <number>', 'how many lines of each table are printed', '25')
  .action(async (flags: ProfileFlags) => {
    await runProfile(flags, (text) => process.stdout.write(`${text}\n`));
  });

program
  .command('faults')
  .description(
    'run the table of faults against the service over each database; exit code 1 when a row fails',
  )
  .option(
    '--databases <names>',
    'some of postgres,mariadb,sqlite (default: all)',
    DATABASES.join(','),
  )
  .option('--rows <ids>', 'some of the rows, such as 3,16 (default: all)')
  .action(async ({ databases, rows }: { databases: string; rows?: string }) => {
    const chosen = readChoices('databases', databases, DATABASES);
    const passed = await runFaults({
      databases: chosen,
      rows: rows?.split(','),
      print: (line) => process.stdout.write(`${line}\n`),
    });
    if (!passed) process.exitCode = 1;
  });

program
  .command('fuzz')
  .description(
    'send generated requests to the service over each database; exit code 1 when one is answered ' +
      'with 5xx, with an error that is no problem document, or not at all',
  )
  .option(
    '--databases <names>',
    'some of postgres,mariadb,sqlite (default: all)',
    DATABASES.join(','),
  )
  .option('--count <number>', 'how many requests in all', '100000')
  .option('--seed <number>', 'of a run to repeat (default: another one each time)')
  .action(async (flags: { databases: string; count: string; seed?: string }) => {
    const passed = await runFuzz({
      databases: readChoices('databases', flags.databases, DATABASES),
      count: Number(flags.count),
      seed: flags.seed === undefined ? randomInt(2 ** 31) : Number(flags.seed),
      print: (line) => process.stdout.write(`${line}\n`),
    });
    if (!passed) process.exitCode = 1;
  });

program
  .command('soak')
  .description(
    'let callers, attackers, writers, reloads and schema changes act on one service; ' +
      'exit code 1 when a reply is wrong',
  )
  .option(
    '--databases <names>',
    'some of postgres,mariadb,sqlite (default: all)',
    DATABASES.join(','),
  )
  .option('--minutes <number>', 'how long, over each database', '5')
  .action(async ({ databases, minutes }: { databases: string; minutes: string }) => {
    const passed = await runSoak({
      databases: readChoices('databases', databases, DATABASES),
      minutes: Number(minutes),
      print: (line) => process.stdout.write(`${line}\n`),
    });
    if (!passed) process.exitCode = 1;
  });

program
  .command('simulate')
  .description('play requests against queues of processors, to size many machines')
  .option('--rows <number>', 'records of each list', '1e10')
  .option('--requests <number>', 'per second', '1e5')
  .option('--processes <number>', 'of the service, one core each', '64')
  .option('--databases <number>', 'servers that answer reads', '4')
  .option('--cores <number>', 'of each database server', '32')
  .option('--lists <number>', 'different lists; the n-th is asked for 1/n times', '10000')
  .option('--first-pages <share>', 'of requests that are for the first page of a list', '0.8')
  .option('--writes <number>', 'commits per second to the tables of the lists', '0')
  .option('--kept-replies <number>', 'of each process', '20000')
  .option('--index-keys <number>', 'of each page index', '50000')
  .option('--seconds <number>', 'how long callers come', '5')
  .option('--seed <number>', 'of the random numbers', '1')
  .action((flags: SimulateFlags) => {
    runSimulate(flags, (line) => process.stdout.write(`${line}\n`));
  });

program
  .command('truth')
  .description(
    'compare every reply with each state committed meanwhile, on every kind of database, and ' +
      'break the engine on purpose; exit code 1 when a reply is wrong or a broken engine passes',
  )
  .option('--paces <list>', 'transactions per second and seconds', '1000:600,100:60,10:60')
  .option('--rows <number>', 'the length of the table that is written', '30000')
  .option('--only <name>', 'part of the name of a database (default: all)')
  .action(async ({ paces, rows, only }: { paces: string; rows: string; only?: string }) => {
    if (!(await runTruth({ paces, rows: Number(rows), only }))) process.exitCode = 1;
  });

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

function commandLine(): string {
  return ['pnpm --filter @proj/bench bench', ...process.argv.slice(2)].join(' ');
}
