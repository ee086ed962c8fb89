import { type Command, Option } from 'commander';

import type { LoadedSettings } from '../settings/file/load.ts';
import { FILE_VARIABLE, SETTING_SOURCES } from '../settings/file/sources.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** @returns loads the settings, once the command runs */
export function withSettings(command: Command, env: Environment): () => Promise<LoadedSettings> {
  const file =
    'The YAML file that holds the settings; by default dynamic-query.yaml, if it is here.';
  command.option('--config <file>', `[${FILE_VARIABLE}] ${file}`);
  for (const { flag, bare } of SETTING_SOURCES) {
    if (flag === undefined) continue;
    const option = new Option(`--${flag} ${bare === undefined ? '<value>' : '[value]'}`);
    command.addOption(bare === undefined ? option : option.preset(bare));
  }
  return async () => {
    const { loadSettingsWithPlaces } = await import('../settings/file/load.ts');
    return loadSettingsWithPlaces({ flags: flagsOf(command), env });
  };
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
