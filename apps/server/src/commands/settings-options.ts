import type { JsonSchema } from '@proj/fastify/settings';
import { type Command, Help, Option } from 'commander';

import { ownFile } from '../process/program-files.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import { FILE_VARIABLE, SETTING_SOURCES } from '../settings/file/sources.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A flag for each setting that can have one. */
export function addSettings(command: Command): void {
  const file =
    'The YAML file that holds the settings; by default dynamic-query.yaml, if it is here.';
  command.option('--config <file>', `[${FILE_VARIABLE}] ${file}`);
  for (const { flag, bare } of SETTING_SOURCES) {
    if (flag === undefined) continue;
    const option = new Option(`--${flag} ${bare === undefined ? '<value>' : '[value]'}`);
    command.addOption(bare === undefined ? option : option.preset(bare));
  }
}

export async function settingsOf(command: Command, env: Environment): Promise<LoadedSettings> {
  const { loadSettingsWithPlaces } = await import('../settings/file/load.ts');
  return loadSettingsWithPlaces({ flags: flagsOf(command), env });
}

/** Undoes Commander's `logLevel`: the table of settings names flags as typed. */
function flagsOf(command: Command): Record<string, string | undefined> {
  const values = command.opts<Record<string, string>>();
  return Object.fromEntries(
    command.options.map((option) => [
      option.long?.replace('--', '') ?? '',
      values[option.attributeName()],
    ]),
  );
}

/** For `--help`: the equivalent variable, and what the setting means. */
export function optionDescriptions(args: readonly string[]): Help['optionDescription'] {
  const usual = new Help();
  const describe: Help['optionDescription'] = (option) => usual.optionDescription(option);
  if (!args.some((arg) => ['help', '--help', '-h'].includes(arg))) return describe;
  const schema = JSON.parse(ownFile('settings.schema.json').toString()) as JsonSchema;
  const descriptions = new Map(
    SETTING_SOURCES.map(({ flag, env, path }) => [
      `--${flag}`,
      `[${env}] ${descriptionOf(schema, path)}`,
    ]),
  );
  return (option) => descriptions.get(option.long ?? '') ?? describe(option);
}

function descriptionOf(schema: JsonSchema, path: readonly string[]): string {
  const setting = path.reduce<JsonSchema | boolean | undefined>(
    (outer, key) => (typeof outer === 'object' ? outer.properties?.[key] : undefined),
    schema,
  );
  return (typeof setting === 'object' && setting.description) || '';
}
