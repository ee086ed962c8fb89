import { existsSync } from 'node:fs';

import { nonEmpty, type SettingsInput } from './overrides.ts';
import { CALLER_TOKEN_VARIABLE, FILE_VARIABLE, variableOf } from './sources.ts';

/** What `dynamic-query init` writes, and what is read where no other settings file is named. */
const DEFAULT_FILE = 'dynamic-query.yaml';

/**
 * The settings file that the flags or the environment name; else the one in the working directory,
 * where there is one.
 */
export function settingsPath(input: SettingsInput): string | undefined {
  return namedPath(input) ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined);
}

/** The settings file that the flags or the environment name. */
export function namedPath({ flags, env }: SettingsInput): string | undefined {
  return flags['config'] ?? nonEmpty(env[FILE_VARIABLE]);
}

/** What an operator should know of where settings come from, in lines. */
export function originNotes(input: SettingsInput): string[] {
  const isFound = namedPath(input) === undefined && settingsPath(input) !== undefined;
  const found = `Settings are those of ./${DEFAULT_FILE}; --config names another file.`;
  return [...(isFound ? [found] : []), ...ignoredVariables(input)];
}

function ignoredVariables({ env }: SettingsInput): string[] {
  const isSet = [CALLER_TOKEN_VARIABLE, `${CALLER_TOKEN_VARIABLE}_FILE`].find((name) => env[name]);
  if (isSet === undefined) return [];
  return [
    `warning: ${isSet} is ignored: it holds the token of a caller. The service takes the token ` +
      `that may read everything from ${variableOf('token')}.`,
  ];
}
