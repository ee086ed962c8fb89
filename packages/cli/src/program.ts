import { WATCH_EVERY_MS } from '@proj/contract';
import { Argument, type Command, Option } from 'commander';

import { baseProgram, type OtherFlags, VERSION, withUsageErrors } from './base-program.ts';
import { complete, printCompletion, type Shell, SHELLS } from './commands/completion.ts';
import { exportList, type ExportFlags } from './commands/export.ts';
import { type FacetsFlags, showFacets } from './commands/facets.ts';
import { type GroupsFlags, showGroups } from './commands/groups.ts';
import { listModels, showModel, type ModelsFlags } from './commands/models.ts';
import { serveAgents } from './commands/mcp.ts';
import { type PageOfFlags, type QueryFlags, queryPage, queryPageOf } from './commands/query.ts';
import { printTypes, type TypesFlags } from './commands/types.ts';
import { type WatchFlags, watchList } from './commands/watch.ts';
import { FORMATS } from './export/formats.ts';
import { UsageError } from './failure.ts';
import {
  collect,
  joinCommas,
  readCountedTotalFlag,
  wholeNumber,
  withConnection,
  withList,
  withSelection,
  withTerms,
} from './flags/flags.ts';
import type { ConnectionFlags } from './service/service.ts';
import type { Session } from './terminal/terminal.ts';

const AFTER_HELP = `
Set DYNAMIC_QUERY_URL and DYNAMIC_QUERY_TOKEN, or pass --url and --token-file.
On a terminal the output is a table; in a pipe it is JSON. NO_COLOR turns colours off.

Exit codes: 0 done · 1 failed · 2 wrong usage · 3 types out of date
  · 130 interrupted (143 by SIGTERM) · 141 the reader closed the output

Examples:
  dq query cities -a name,population --filter 'population >= 1000000' --sort -population
  dq groups cities --by country.name --sum population --sort -sum_population
  dq export cities --format csv -o cities.csv
  dq types > models.ts`;

/** Actions reject with what went wrong; nothing in the program ends the process. */
export function buildProgram(session: Session): Command {
  const program = baseProgram('dq', session)
    .description('Looks at, queries and exports the models of a Dynamic Query service.')
    .version(VERSION)
    .addHelpText('after', AFTER_HELP);

  addModels(program, session);
  addQuery(program, session);
  addPageOf(program, session);
  addFacets(program, session);
  addGroups(program, session);
  addWatch(program, session);
  addExport(program, session);
  addTypes(program, session);
  addMcp(program, session);
  nameConformance(program);
  addCompletion(program, session);
  return withUsageErrors(program, OTHER_FLAGS);
}

const OTHER_FLAGS: OtherFlags = {
  'dq query --limit': 'Did you mean --size?',
  'dq page-of --limit': 'Did you mean --size?',
  'dq query --format': 'dq export writes CSV and other formats.',
};

function addModels(program: Command, session: Session): void {
  withConnection(
    program.command('models').argument('[model]', 'show one model with its attributes'),
  )
    .description('list the models that the token may see')
    .option('--json', 'JSON, also on a terminal')
    .action((name: string | undefined, flags: ModelsFlags) =>
      name === undefined ? listModels(flags, session) : showModel(name, flags, session),
    );
}

function addQuery(program: Command, session: Session): void {
  const command = withList(program.command('query').argument('<model>', 'name of the model'))
    .description('print one page of a model')
    .option('--page <number>', 'number of the page, from 1', wholeNumber(1), 1);
  addPageFlags(command).action((name: string, flags: QueryFlags) =>
    queryPage(name, flags, session),
  );
}

function addPageOf(program: Command, session: Session): void {
  const command = program
    .command('page-of')
    .argument('<model>', 'name of the model')
    .argument('<key...>', 'the record: name=value for each part of its key')
    .description('print the page of a list that holds a record');
  const listed = withTerms(command).option(
    '--total <how>',
    'exact, or to how many records the total is counted (default: exact)',
    readCountedTotalFlag,
  );
  addPageFlags(listed).action((model: string, key: string[], flags: PageOfFlags) =>
    queryPageOf({ model, key }, flags, session),
  );
}

function addFacets(program: Command, session: Session): void {
  withSelection(
    withConnection(
      program
        .command('facets')
        .argument('<model>', 'name of the model')
        .argument(
          '<facet...>',
          'an attribute, with :values=20 or :bins=20 behind it; "population:bins where ' +
            'capital = true", in quotes, filters this facet by that condition instead of --filter',
        ),
    ),
  )
    .description('count the values of attributes, or distribute them over bins')
    .addOption(
      new Option(
        '--sort <by>',
        'order of the values: by count, the most frequent first, or by value, the least first',
      )
        .choices(['count', 'value'])
        .default('count'),
    )
    .option('--json', 'the reply as JSON, also on a terminal')
    .action((model: string, facets: string[], flags: FacetsFlags) =>
      showFacets({ model, facets }, flags, session),
    );
}

function addGroups(program: Command, session: Session): void {
  const command = withSelection(
    withConnection(program.command('groups').argument('<model>', 'name of the model')),
  )
    .description('sum up records by the values of attributes')
    .requiredOption(
      '--by <names>',
      'attributes, paths, or dates with a part of time, such as country.name,placed_at:month ' +
        '(year, quarter, month, week, day, hour)',
      joinCommas,
    )
    .option('--count', 'count the records (default: only where nothing else is computed)')
    .option('--count-distinct <names>', 'count the values of attributes', joinCommas)
    .option('--sum <names>', 'add numbers, as sum_amount for the attribute amount', joinCommas)
    .option('--average <names>', 'their averages', joinCommas)
    .option('--min <names>', 'the first values', joinCommas)
    .option('--max <names>', 'the last values', joinCommas)
    .option(
      '--having <expression>',
      'which groups, such as "sum_amount > 1000"; several must all hold',
      collect,
    )
    .option('--sort <terms>', 'order, such as -sum_amount (default: by the groups)', joinCommas)
    .option('--page <number>', 'number of the page, from 1', wholeNumber(1), 1)
    .option('--size <count>', 'groups per page (default: 20)', wholeNumber(1))
    .option('--json', 'the reply as JSON, also on a terminal')
    .option('-q, --quiet', 'say nothing on standard error but errors');
  command.action((name: string, flags: GroupsFlags) => showGroups(name, flags, session));
}

function addWatch(program: Command, session: Session): void {
  const { least, most } = WATCH_EVERY_MS;
  withList(program.command('watch').argument('<model>', 'name of the model'))
    .description('print a line at once, and one whenever a list has changed, until Ctrl-C')
    .option(
      '--every <milliseconds>',
      `time between two lines at least, ${least} to ${most} (default: ${WATCH_EVERY_MS.default})`,
      wholeNumber(least, most),
    )
    .option('--once', 'end with the first change')
    .option('--json', 'a line of JSON for each event, also on a terminal')
    .action((name: string, flags: WatchFlags) => watchList(name, flags, session));
}

function addPageFlags(command: Command): Command {
  return command
    .option('--size <count>', 'records per page (default: 20)', wholeNumber(1))
    .option('--json', 'the reply as JSON, also on a terminal')
    .option('-q, --quiet', 'say nothing on standard error but errors');
}

function addExport(program: Command, session: Session): void {
  const command = withList(program.command('export').argument('<model>', 'name of the model'))
    .description('write all records of a model to a file or a pipe')
    .action((name: string, flags: ExportFlags) => exportList(name, flags, session));
  addWalkFlags(addOutputFlags(command)).option('-q, --quiet', 'no progress, no warnings');
}

function addOutputFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--format <name>',
        'form of the records (default: as the name of the file ends, else ndjson)',
      ).choices(FORMATS),
    )
    .option(
      '-o, --output <file>',
      'file that appears once the export is whole (default, or -: standard output)',
    )
    .option('--resume', 'go on with FILE.part; begin anew where there is none')
    .option('--restart', 'replace FILE.part, and begin anew')
    .option('--csv-null <text>', 'the text for NULL in CSV', '')
    .option(
      '--csv-guard-formulas',
      'put an apostrophe before texts that a spreadsheet would run as formulas',
    );
}

function addWalkFlags(command: Command): Command {
  return command
    .option('--paged', 'page by page, also where the service exports whole lists by itself')
    .option(
      '--concurrency <count>',
      'pages under way at once, 1 to 64 (default: 4)',
      wholeNumber(1, 64),
    )
    .addOption(
      new Option(
        '--order <order>',
        'page (default): pages by their number, sorted as --sort says; key: records sorted by ' +
          'the key, of which none is missed or repeated while others write',
      ).choices(['page', 'key']),
    )
    .option(
      '--size <count>',
      'records per request (default: the most that the model allows)',
      wholeNumber(1),
    )
    .option('--strict', 'fail when the data is seen to change meanwhile, instead of a warning');
}

function addTypes(program: Command, session: Session): void {
  withConnection(program.command('types'))
    .description("print TypeScript types of all models, for the SDK's createClient<Models>()")
    .addOption(
      new Option('--int64 <type>', "as the client's option int64")
        .choices(['string', 'bigint'])
        .default('string'),
    )
    .option(
      '--check <file>',
      'print nothing, and fail (exit code 3) where the catalogue is not that of the file',
    )
    .action((flags: TypesFlags) => printTypes(flags, session));
}

function addMcp(program: Command, session: Session): void {
  withConnection(program.command('mcp'))
    .description('serve the models to an agent on this machine, by the Model Context Protocol')
    .action((flags: ConnectionFlags) => serveAgents(flags, session));
}

/** Names the command that checks a server against the contract, a package of its own. */
function nameConformance(program: Command): void {
  program
    .command('conformance', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      throw new UsageError(
        'another command checks servers against the contract: npx @proj/conformance <url>',
      );
    });
}

function addCompletion(program: Command, session: Session): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .description('print a completion script: eval "$(dq completion bash)"')
    .action((shell: Shell) => printCompletion(shell, session));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action((words: string[]) => complete(words, program, session));
}
