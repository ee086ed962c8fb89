import { isRecord } from '@proj/fastify/settings';

import type { SettingsFile } from './file.ts';
import { resolveReferences } from './references.ts';
import { holdsSecret } from './holds-secret.ts';
import { type Settings, settingsSchema } from '../schema.ts';
import { applyOverrides, type SettingsInput } from './overrides.ts';
import { checkedSettings, type Origins } from './setting-errors.ts';
import { ignoredVariables, originNotes, settingsPath } from './origins.ts';
import { type Variables, variablesOf } from './variables.ts';
import { UsageError } from './usage-error.ts';

export type { SettingsInput };

const NO_FILE: SettingsFile = {
  values: {},
  fingerprint: '',
  place: () => 'settings',
};

export interface LoadedSettings {
  readonly settings: Settings;
  readonly path: string | undefined;
  /** Equal for equal content of the file. */
  readonly fingerprint: string;
  readonly fileHoldsSecret: boolean;
  /** For the operator: origins of settings, and what a server ignores. */
  readonly notes: readonly string[];
  readonly ignored: readonly string[];
  /** Prefix such as `dynamic-query.yaml:12: `, or a flag or variable; empty if unknown. */
  readonly place: (path: readonly PropertyKey[]) => string;
}

/** @throws {UsageError} naming every error with the place it comes from */
export async function loadSettings(input: SettingsInput): Promise<Settings> {
  return (await loadSettingsWithPlaces(input)).settings;
}

/** @throws {UsageError} naming every error with the place it comes from */
export async function loadSettingsWithPlaces({
  flags,
  env,
}: SettingsInput): Promise<LoadedSettings> {
  const path = settingsPath({ flags, env });
  const file = await openFile(path);
  const variables = variablesOf(env);
  const { values, whole } = resolvedValues(file, variables);
  const places = applyOverrides(values, flags, variables);
  const settings = checkedSettings(settingsSchema, values, { file, places, whole });
  return {
    settings: Object.freeze(settings),
    path,
    fingerprint: file.fingerprint,
    fileHoldsSecret: holdsSecret(file.values),
    notes: originNotes({ flags, env }),
    ignored: ignoredVariables({ flags, env }),
    place: (keys) => {
      const place = places.get(keys.join('.')) ?? (path && file.place(keys));
      return place === undefined ? '' : `${place}: `;
    },
  };
}

/** Loads a parser of YAML only if there is a file. */
export async function openFile(path: string | undefined): Promise<SettingsFile> {
  if (path === undefined) return NO_FILE;
  const { readSettingsFile } = await import('./file.ts');
  return readSettingsFile(path);
}

/** @throws {UsageError} naming every variable that is not set */
export function resolvedValues(
  file: SettingsFile,
  variables: Variables,
): Pick<Origins, 'whole'> & { readonly values: Record<string, unknown> } {
  const { value, errors, whole } = resolveReferences(file.values, variables);
  if (errors.length === 0) return { values: isRecord(value) ? value : {}, whole };
  const lines = errors.map(({ path, name }) => {
    return (
      `${file.place(path)}: ${path.map(String).join('.')}: ` +
      `the environment variable ${name} is not set. Set it, or write \${${name}:-default}.`
    );
  });
  throw new UsageError(lines.join('\n'));
}
