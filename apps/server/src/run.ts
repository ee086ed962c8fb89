import { SettingsError } from '@proj/engine';
import { Command, CommanderError, Help, Option } from 'commander';

import { check, type CheckOptions } from './commands/check.ts';
import { flagDescriptions } from './commands/flag-descriptions.ts';
import { init } from './commands/init.ts';
import { serve } from './commands/serve.ts';
import { createToken, listTokens, revokeToken, type TokenOptions } from './commands/token.ts';
import { operatorMessage } from './operator-message.ts';
import { packageVersion } from './package-version.ts';
import { loadSettings, loadSettingsWithPlaces } from './settings/load.ts';
import { SETTING_SOURCES } from './settings/schema.ts';

/** Where a command's arguments and environment come from. */
export interface Invocation {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs the operator's command.
 *
 * @returns the exit code, or undefined while a server keeps the process alive.
 */
export async function run({ args, env }: Invocation): Promise<number | undefined> {
  try {
    const commands = program(env);
    refuseUnknownCommand(commands, args[0]);
    await commands.parseAsync([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const message = operatorMessage(error);
    if (message === undefined) throw error;
    process.stderr.write(`dynamic-query: ${message}\n`);
    return 1;
  }
}

/** Commander would take the name for an argument of the default command. */
function refuseUnknownCommand({ commands }: Command, name: string | undefined): void {
  const names = ['help', ...commands.map((command) => command.name())];
  if (name === undefined || name.startsWith('-') || names.includes(name)) return;
  throw new SettingsError(`there is no command "${name}". There are: ${names.join(', ')}.`);
}

function program(env: Invocation['env']): Command {
  const root = new Command('dynamic-query')
    .description('One paged query endpoint over the data models of a SQL database.')
    .version(packageVersion(), '--version', 'print the version')
    .exitOverride()
    .configureHelp({ optionDescription })
    .configureOutput({ outputError: (text, write) => write(usageError(text)) });
  const serving = root
    .command('serve', { isDefault: true })
    .description(
      'answer queries over HTTP, until SIGTERM or SIGINT; SIGHUP reloads settings and schema',
    )
    .addHelpText('after', SERVE_HELP);
  withSettings(serving).action(() =>
    serve(() => loadSettingsWithPlaces({ flags: flagsOf(serving), env })),
  );

  const checking = root
    .command('check')
    .description('hold the settings against the database and name every fault');
  checking.option('--verbose', 'a line for each relation that is left out');
  withSettings(checking).action(async ({ verbose }: CheckOptions) =>
    check(await loadSettingsWithPlaces({ flags: flagsOf(checking), env }), {
      verbose: verbose === true,
    }),
  );

  const drafting = root
    .command('init')
    .description('write a settings file that lists what a database holds');
  drafting
    .option('--database <url>', 'the database to look at (DATABASE_URL)')
    .option('--output <file>', 'the file to write, or - for standard output', 'dynamic-query.yaml')
    .action(({ database = env['DATABASE_URL'], output }: { database?: string; output: string }) =>
      init({ database, output }),
    );

  const tokens = root.command('token').description('make, list and revoke tokens');
  tokens
    .command('create')
    .description('print a new token once, and the line for the settings file')
    .requiredOption('--name <name>', 'who it is for')
    .requiredOption('--role <role>', 'what it may see')
    .option('--expires <days>', 'after how many days it expires, such as 90d')
    .option(
      '--config <file>',
      'the settings file that names the roles (CONFIG); without it any role is taken',
    )
    .action(async ({ config = env['CONFIG'], ...options }: TokenOptions & { config?: string }) =>
      createToken(options, config ? await loadSettings({ flags: { config }, env }) : undefined),
    );
  const listing = tokens.command('list').description('list the tokens of the settings');
  withSettings(listing).action(async () =>
    listTokens(await loadSettingsWithPlaces({ flags: flagsOf(listing), env })),
  );
  const revoking = tokens
    .command('revoke <name>')
    .description('take a token out of the settings file');
  withSettings(revoking).action(async (name: string) =>
    revokeToken(name, await loadSettingsWithPlaces({ flags: flagsOf(revoking), env })),
  );

  for (const command of tokens.commands) command.copyInheritedSettings(root);
  for (const command of root.commands) command.copyInheritedSettings(root);
  return root;
}

const SERVE_HELP = `
A flag wins over the environment variable in brackets, which wins over the settings file. What has no flag stands in the file.

Examples:
  dynamic-query serve --database sqlite:/data/shop.db --expose all
  DYNAMIC_QUERY_TOKEN=... dynamic-query serve --config dynamic-query.yaml --host 0.0.0.0

All settings: docs/settings.md. Tokens and roles: docs/access.md. \`dynamic-query init\` writes a settings file to begin with.
`;

/** A flag of a setting is described by the table of settings. */
function optionDescription(option: Option): string {
  return flagDescriptions().get(option.long ?? '') ?? new Help().optionDescription(option);
}

/** Gives a command the settings file and a flag for each setting that has one. */
function withSettings(command: Command): Command {
  command.option('--config <file>', '[CONFIG] The YAML file that holds the settings.');
  for (const { flag, bare } of SETTING_SOURCES) {
    if (flag === undefined) continue;
    const option = new Option(`--${flag} ${bare === undefined ? '<value>' : '[value]'}`);
    command.addOption(bare === undefined ? option : option.preset(bare));
  }
  return command;
}

/** One line, without the value of an unknown flag: it may be a token. */
function usageError(text: string): string {
  const [message = '', ...hints] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  return `dynamic-query: ${[message.replace(/=[^']*'/, "'"), ...hints].join(' ')}\n`;
}

/**
 * Commander turns `--log-level` into `logLevel`; the table of settings names flags as they are
 * typed.
 */
function flagsOf(command: Command): Record<string, string | undefined> {
  const values = command.opts<Record<string, string>>();
  return Object.fromEntries(
    command.options.map((option) => [
      option.long?.replace('--', '') ?? '',
      values[option.attributeName()],
    ]),
  );
}
