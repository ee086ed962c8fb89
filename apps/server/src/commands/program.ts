import { Command, InvalidArgumentError, Option } from 'commander';

import { ownFile, packageVersion } from '../process/program-files.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { FILE_VARIABLE, variableOf } from '../settings/file/sources.ts';
import type { CheckOptions } from './check.ts';
import type { HealthOptions } from './health.ts';
import type { DraftOptions, Typed } from './init.ts';
import type { ProposeOptions } from './propose-keys.ts';
import type { ProveOptions } from './prove-state.ts';
import {
  addSettings,
  type Environment,
  optionDescriptions,
  settingsOf,
} from './settings-options.ts';
import type { ServeOptions } from './serve.ts';
import type { TokenOptions } from './token.ts';

interface Called extends Typed {
  readonly load: () => Promise<LoadedSettings>;
  readonly argument: string;
}

/** With a default: a number stands for whole numbers. */
type OptionRow = readonly [flags: string, description: string, value?: string | number];

interface Row<Options extends object> {
  /** Perhaps with an argument behind it. */
  readonly name: string;
  readonly description: string;
  readonly options?: readonly (OptionRow | Option)[];
  /** Whether each setting has a flag. */
  readonly takesSettings?: boolean;
  readonly help?: string;
  /** Loads what the command needs: `--help` loads nothing. */
  readonly run: (options: Options, called: Called) => Promise<void>;
}

const SERVE_HELP = `
A flag wins over the environment variable in brackets, which wins over the settings file. Settings
without a flag are in the file only.

Examples:
  dynamic-query serve --database sqlite:/data/shop.db --expose all
  ${variableOf('token')}=... dynamic-query serve --config dynamic-query.yaml --host 0.0.0.0

All settings: docs/reference/settings.md. Tokens and roles: docs/access.md.
\`dynamic-query init\` writes a settings file to begin with.
`;

const SERVE: Row<ServeOptions> = {
  name: 'serve',
  description:
    'answer queries over HTTP, until SIGTERM or SIGINT; SIGHUP reloads settings and schema',
  options: [['--open', 'open the explorer in a browser, signed in where no token is set']],
  takesSettings: true,
  help: SERVE_HELP,
  run: async (options, { load }) => (await import('./serve.ts')).serve(load, options),
};

const CHECK: Row<CheckOptions & ProposeOptions & ProveOptions> = {
  name: 'check',
  description: 'check the settings against the database and list every error',
  options: [
    ['--verbose', 'a line for each relation that is left out'],
    ['--role <role>', 'show what a caller of this role would see'],
    ['--claims <json>', 'the claims of that caller', '{}'],
    ['--propose-keys', 'print settings with keys, found in the data, of what has none'],
    ['--prove-state', 'write a scratch table, and read it meanwhile as the service does'],
    [
      '--table <name>',
      'the scratch table: one that is not there, or an empty one; <database>.<table> of several',
      'scratch',
    ],
    ['--seconds <number>', 'how long', 60],
    ['--commits <number>', 'how many transactions a second at most', 20],
    ['--write-as <url>', 'the database by a login that makes and writes the table'],
  ],
  takesSettings: true,
  run: async (options, { load }) => {
    const loaded = await load();
    if (options.proposeKeys === true)
      await (await import('./propose-keys.ts')).proposeKeysOf(loaded, options);
    else if (options.proveState === true)
      await (await import('./prove-state.ts')).proveStateOf(loaded, options);
    else await (await import('./check.ts')).check(loaded, options);
  },
};

const INIT: Row<DraftOptions> = {
  name: 'init',
  description: 'write a settings file that lists what a database holds',
  options: [
    new Option(
      '--database <url>',
      `the database to look at (${variableOf('database')}), or name=url of several`,
    ).argParser(added),
    ['--files <place>', 'the folder or files that duckdb: shows'],
    ['--output <file>', 'the file to write, or - for standard output', 'dynamic-query.yaml'],
  ],
  run: async (options, called) => (await import('./init.ts')).init(options, called),
};

const HEALTH: Row<HealthOptions> = {
  name: 'health',
  description: 'ask a running server whether it can answer queries; exit with 1 where it cannot',
  options: [
    ['--live', 'ask whether its process answers at all, whatever its database does'],
    ['--config <file>', `the settings file that says where it listens (${FILE_VARIABLE})`],
    ['--host <value>', `the address on which it listens (${variableOf('host')})`],
    ['--port <value>', `its TCP port (${variableOf('port')})`],
  ],
  run: async (options, { env }) => (await import('./health.ts')).health(options, env),
};

const CREATE: Row<TokenOptions> = {
  name: 'create',
  description: 'print a new token once, and the line for the settings file',
  options: [
    new Option('--name <name>', 'who it is for').makeOptionMandatory(),
    new Option('--role <role>', 'what it may see').makeOptionMandatory(),
    ['--expires <days>', 'after how many days it expires, such as 90d'],
    ['--config <file>', `the settings file that names the roles (${FILE_VARIABLE})`],
  ],
  run: async (options, { env }) => (await import('./token.ts')).createToken(options, env),
};

const LIST: Row<object> = {
  name: 'list',
  description: 'list the tokens of the settings',
  takesSettings: true,
  run: async (_, { load }) => (await import('./token.ts')).listTokens(await load()),
};

const REVOKE: Row<object> = {
  name: 'revoke <name>',
  description: 'remove a token from the settings file',
  takesSettings: true,
  run: async (_, { load, argument }) =>
    (await import('./token.ts')).revokeToken(argument, await load()),
};

const LICENSES: Row<object> = {
  name: 'licenses',
  description: 'print the licences of the packages in this program',
  run: async () => void process.stdout.write(ownFile('dist/program/LICENSES.txt')),
};

/**
 * The operator's commands.
 *
 * @param args the arguments after the program's name, of which the first names a command
 * @param started what the operator types before them
 */
export function program(
  env: Environment,
  args: readonly string[],
  started = 'dynamic-query',
): Command {
  const root = new Command('dynamic-query')
    .description('One paged query endpoint over the data models of a SQL database.')
    .version(packageVersion(), '--version', 'print the version')
    .exitOverride()
    .configureHelp({ optionDescription: optionDescriptions(args) })
    .configureOutput({ outputError: (text, write) => write(usageError(text)) });
  const add = (parent: Command, rows: readonly Row<never>[]): void => {
    for (const row of rows) addCommand(parent, row, { env, started });
  };
  add(root, [SERVE, CHECK, INIT, HEALTH]);
  const tokens = root.command('token').copyInheritedSettings(root);
  add(tokens.description('create, list and revoke tokens'), [CREATE, LIST, REVOKE]);
  add(root, [LICENSES]);
  refuseUnknownCommand(root, args[0]);
  return root;
}

function addCommand(
  parent: Command,
  { name, description, options = [], takesSettings = false, help, run }: Row<never>,
  typed: Typed,
): void {
  const command = parent
    .command(name, { isDefault: name === SERVE.name })
    .copyInheritedSettings(parent)
    .description(description);
  for (const option of options) command.addOption(optionOf(option));
  if (help !== undefined) command.addHelpText('after', help);
  if (takesSettings) addSettings(command);
  const load = (): Promise<LoadedSettings> => settingsOf(command, typed.env);
  command.action(async () => {
    const [argument = ''] = command.args;
    await run(command.opts<never>(), { ...typed, load, argument });
  });
}

function optionOf(row: OptionRow | Option): Option {
  if (row instanceof Option) return row;
  const [flags, text, value] = row;
  const option = new Option(flags, text).default(value);
  return typeof value === 'number' ? option.argParser(wholeNumber) : option;
}

function added(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Up to the seconds of a day. */
function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= 86_400) return number;
  throw new InvalidArgumentError('Expected a whole number from 1 to 86400.');
}

function takesOptions(_: string, command: string): string {
  const example = command === 'serve' || command === 'check' ? ', such as --database <url>' : '';
  const help = `dynamic-query ${command} --help`;
  return `${command} has too many arguments: it takes options${example}. See: ${help}`;
}

/** Commander would take the name for an argument of the default command. */
function refuseUnknownCommand(root: Command, name: string | undefined): void {
  const names = ['help', ...root.commands.map((command) => command.name())];
  if (name === undefined || name.startsWith('-') || names.includes(name)) return;
  // A URL may hold a password.
  if (name.includes('://')) root.error('a URL needs its flag: --database <url>.');
  root.error(`there is no command "${name}". There are: ${names.join(', ')}.`);
}

/** One line, without unknown flags' values: they may hold a token, or a URL with a password. */
function usageError(text: string): string {
  const [message = '', ...hints] = text
    .trim()
    .replace(/^error: /, '')
    .replace(/^too many arguments for '(.*?)'.*/s, takesOptions)
    .split('\n');
  return `dynamic-query: ${[message.replace(/=[^']*'/, "'"), ...hints].join(' ')}\n`;
}
