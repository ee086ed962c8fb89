import { existsSync } from 'node:fs';

import { nonEmpty, type SettingsInput } from './overrides.ts';
import { CALLER_TOKEN_VARIABLE, FILE_VARIABLE, variableOf } from './sources.ts';

/** Written by `dynamic-query init`, and read where no other settings file is named. */
const DEFAULT_FILE = 'dynamic-query.yaml';

/** Named by flags or environment; else the default in the working directory, if it exists. */
export function settingsPath(input: SettingsInput): string | undefined {
  return namedPath(input) ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined);
}

function namedPath({ flags, env }: SettingsInput): string | undefined {
  return flags['config'] ?? nonEmpty(env[FILE_VARIABLE]);
}

export function originNotes(input: SettingsInput): string[] {
  const isFound = namedPath(input) === undefined && settingsPath(input) !== undefined;
  return isFound ? [`Settings are those of ./${DEFAULT_FILE}; --config names another file.`] : [];
}

/** Of no concern to `check`: whoever asks services has the variable set. */
export function ignoredVariables({ env }: SettingsInput): string[] {
  const isSet = [CALLER_TOKEN_VARIABLE, `${CALLER_TOKEN_VARIABLE}_FILE`].find((name) => env[name]);
  if (isSet === undefined) return [];
  return [
    `warning: ${isSet} is ignored: it holds the token of a caller. The service takes the token ` +
      `that may read everything from ${variableOf('token')}.`,
  ];
}
