import { Command, Help, InvalidArgumentError } from 'commander';

import { packageVersion } from '../process/package-version.ts';
import { FILE_VARIABLE, variableOf } from '../settings/file/sources.ts';
import type { CheckOptions } from './check.ts';
import type { ProposeOptions } from './propose-keys.ts';
import type { ProveOptions } from './prove-state.ts';
import { type Environment, withSettings } from './settings-options.ts';
import type { ServeOptions } from './serve.ts';
import type { TokenOptions } from './token.ts';

/**
 * The operator's commands. Each loads what it needs when it runs; `--help` loads nothing.
 *
 * @param args the arguments after the program's name, of which the first names a command
 * @param started what the operator types before them
 */
export async function program(
  env: Environment,
  args: readonly string[],
  started = 'dynamic-query',
): Promise<Command> {
  const optionDescription = await optionDescriptions(args);
  const root = new Command('dynamic-query')
    .description('One paged query endpoint over the data models of a SQL database.')
    .version(packageVersion(), '--version', 'print the version')
    .exitOverride()
    .configureHelp({ optionDescription })
    .configureOutput({ outputError: (text, write) => write(usageError(text)) });
  addServe(root, env);
  addCheck(root, env);
  addInit(root, env, started);
  addHealth(root, env);
  addTokens(root, env);
  addLicenses(root);
  refuseUnknownCommand(root, args[0]);
  return root;
}

function addServe(root: Command, env: Environment): void {
  const command = root
    .command('serve', { isDefault: true })
    .copyInheritedSettings(root)
    .description(
      'answer queries over HTTP, until SIGTERM or SIGINT; SIGHUP reloads settings and schema',
    )
    .option('--open', 'open the explorer in a browser, signed in where no token is set')
    .addHelpText('after', SERVE_HELP);
  const load = withSettings(command, env);
  command.action(async (options: ServeOptions) => {
    const { serve } = await import('./serve.ts');
    await serve(load, options);
  });
}

/** Up to the seconds of a day. */
function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= 86_400) return number;
  throw new InvalidArgumentError('Expected a whole number from 1 to 86400.');
}

function addCheck(root: Command, env: Environment): void {
  const command = root
    .command('check')
    .copyInheritedSettings(root)
    .description('check the settings against the database and list every error')
    .option('--verbose', 'a line for each relation that is left out')
    .option('--role <role>', 'show what a caller of this role would see')
    .option('--claims <json>', 'the claims of that caller', '{}')
    .option('--propose-keys', 'print settings with keys, found in the data, of what has none')
    .option('--prove-state', 'write a scratch table, and read it meanwhile as the service does')
    .option(
      '--table <name>',
      'the scratch table: one that is not there, or an empty one; <database>.<table> of several',
      'scratch',
    )
    .option('--seconds <number>', 'how long', wholeNumber, 60)
    .option('--commits <number>', 'how many transactions a second at most', wholeNumber, 20)
    .option('--write-as <url>', 'the database by a login that makes and writes the table');
  const load = withSettings(command, env);
  command.action(async (options: CheckOptions & ProposeOptions & ProveOptions) => {
    if (options.proposeKeys === true) {
      const { proposeKeysOf } = await import('./propose-keys.ts');
      await proposeKeysOf(await load(), options);
      return;
    }
    if (options.proveState === true) {
      const { proveStateOf } = await import('./prove-state.ts');
      await proveStateOf(await load(), options);
      return;
    }
    const { check } = await import('./check.ts');
    await check(await load(), options);
  });
}

interface DraftOptions {
  readonly database?: readonly string[];
  readonly output: string;
  readonly files?: string;
}

function addInit(root: Command, env: Environment, started: string): void {
  const variable = variableOf('database');
  root
    .command('init')
    .copyInheritedSettings(root)
    .description('write a settings file that lists what a database holds')
    .option(
      '--database <url>',
      `the database to look at (${variable}), or name=url of several`,
      added,
    )
    .option('--files <place>', 'the folder or files that duckdb: shows')
    .option('--output <file>', 'the file to write, or - for standard output', 'dynamic-query.yaml')
    .action(async ({ database, files, output }: DraftOptions) => {
      const { init } = await import('./init.ts');
      const { variablesOf } = await import('../settings/file/variables.ts');
      const databases = database ?? [variablesOf(env)(variable) ?? []].flat();
      await init({ databases, files, output, started });
    });
}

function added(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function addHealth(root: Command, env: Environment): void {
  const command = root
    .command('health')
    .copyInheritedSettings(root)
    .description('ask a running server whether it can answer queries; exit with 1 where it cannot')
    .option('--live', 'ask whether its process answers at all, whatever its database does')
    .option('--config <file>', `the settings file that says where it listens (${FILE_VARIABLE})`)
    .option('--host <value>', `the address on which it listens (${variableOf('host')})`)
    .option('--port <value>', `its TCP port (${variableOf('port')})`);
  command.action(async ({ live = false, ...flags }: HealthOptions) => {
    const { health } = await import('./health.ts');
    await health({ flags, env }, live ? '/livez' : '/readyz');
  });
}

interface HealthOptions {
  readonly live?: boolean;
  readonly config?: string;
  readonly host?: string;
  readonly port?: string;
}

function addTokens(root: Command, env: Environment): void {
  const tokens = root
    .command('token')
    .copyInheritedSettings(root)
    .description('create, list and revoke tokens');
  addTokenCreate(tokens, env);
  const list = tokens
    .command('list')
    .copyInheritedSettings(root)
    .description('list the tokens of the settings');
  const loadForList = withSettings(list, env);
  list.action(async () => {
    const { listTokens } = await import('./token.ts');
    listTokens(await loadForList());
  });
  const revoke = tokens
    .command('revoke <name>')
    .copyInheritedSettings(root)
    .description('remove a token from the settings file');
  const loadForRevoke = withSettings(revoke, env);
  revoke.action(async (name: string) => {
    const { revokeToken } = await import('./token.ts');
    await revokeToken(name, await loadForRevoke());
  });
}

function addTokenCreate(tokens: Command, env: Environment): void {
  tokens
    .command('create')
    .copyInheritedSettings(tokens)
    .description('print a new token once, and the line for the settings file')
    .requiredOption('--name <name>', 'who it is for')
    .requiredOption('--role <role>', 'what it may see')
    .option('--expires <days>', 'after how many days it expires, such as 90d')
    .option(
      '--config <file>',
      `the settings file that names the roles (${FILE_VARIABLE}); without one any role is accepted`,
    )
    .action(async (options: TokenOptions & { readonly config?: string }) => {
      const { config, ...token } = options;
      const input = { flags: { config }, env };
      const { createToken } = await import('./token.ts');
      const { loadSettings } = await import('../settings/file/load.ts');
      const { namedPath } = await import('../settings/file/origins.ts');
      createToken(token, namedPath(input) ? await loadSettings(input) : undefined);
    });
}

function addLicenses(root: Command): void {
  root
    .command('licenses')
    .copyInheritedSettings(root)
    .description('print the licences of the packages in this program')
    .action(async () => {
      const { packageFiles } = await import('../process/program-files.ts');
      process.stdout.write(packageFiles('@proj/server', 'dist/program').read('LICENSES.txt'));
    });
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

/** Only help loads the schema of settings, which describes flags. */
async function optionDescriptions(args: readonly string[]): Promise<Help['optionDescription']> {
  const usual = new Help();
  const describe: Help['optionDescription'] = (option) => usual.optionDescription(option);
  if (!args.some((arg) => ['help', '--help', '-h'].includes(arg))) return describe;
  const { flagDescriptions } = await import('./flag-descriptions.ts');
  const descriptions = flagDescriptions();
  return (option) => descriptions.get(option.long ?? '') ?? describe(option);
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
