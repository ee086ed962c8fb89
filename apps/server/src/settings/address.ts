import type * as z from 'zod';

import { openFile, resolvedValues, type SettingsInput } from './file/load.ts';
import { settingsPath } from './file/origins.ts';
import { applyOverrides } from './file/overrides.ts';
import { addressSchema } from './schema.ts';
import { checkedSettings } from './file/setting-errors.ts';
import { variableOf } from './file/sources.ts';
import { type Variables, variablesOf } from './file/variables.ts';

const NAMES = ['host', 'port'] as const;
const VARIABLES: readonly string[] = NAMES.map(variableOf);

export type Address = z.output<typeof addressSchema>;

/**
 * Checks no other settings, and reads the file only if flags and environment leave something open:
 * a server keeps listening when its file gets an error.
 *
 * @throws {SettingsError} naming every error with the place it comes from.
 */
export async function loadAddress({ flags, env }: SettingsInput): Promise<Address> {
  const variables = variablesOf(env);
  const given: Variables = (name) => (VARIABLES.includes(name) ? variables(name) : undefined);
  const values: Record<string, unknown> = {};
  const places = applyOverrides(values, flags, given);
  const missing = NAMES.filter((name) => !places.has(name));
  const file = await openFile(missing.length > 0 ? settingsPath({ flags, env }) : undefined);
  const written = missing.flatMap((name) =>
    Object.hasOwn(file.values, name) ? [[name, file.values[name]]] : [],
  );
  const fromFile = { ...file, values: Object.fromEntries(written) };
  const { values: resolved, whole } = resolvedValues(fromFile, variables);
  return checkedSettings(addressSchema, { ...resolved, ...values }, { file, places, whole });
}
