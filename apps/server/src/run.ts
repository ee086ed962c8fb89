import { QueryFailedError, SettingsError } from '@proj/engine';
import { Command, CommanderError } from 'commander';

import { serve } from './commands/serve.ts';
import { loadSettings } from './settings/load.ts';
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
    await program(env).parseAsync([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof SettingsError) && !(error instanceof QueryFailedError)) throw error;
    process.stderr.write(`dynamic-query: ${error.message}\n`);
    return 1;
  }
}

function program(env: Invocation['env']): Command {
  const root = new Command('dynamic-query')
    .description('One paged query endpoint over the data models of a SQL database.')
    .exitOverride();
  const command = root.command('serve', { isDefault: true }).description('answer queries over HTTP').exitOverride();
  command.option('--config <file>', 'YAML settings file (CONFIG)');
  for (const { flag, env: variable, path } of SETTING_SOURCES) {
    if (flag !== undefined) command.option(`--${flag} <value>`, `${path.join('.')} (${variable})`);
  }
  command.action(async () => serve(await loadSettings({ flags: flagsOf(command), env })));
  return root;
}

/** Commander turns `--log-level` into `logLevel`; the table of settings names flags as they are typed. */
function flagsOf(command: Command): Record<string, string | undefined> {
  const values = command.opts<Record<string, string>>();
  return Object.fromEntries(
    command.options.map((option) => [option.long?.replace('--', '') ?? '', values[option.attributeName()]]),
  );
}
