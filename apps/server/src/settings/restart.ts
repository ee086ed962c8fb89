import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '@proj/fastify/settings';

import type { Settings } from './schema.ts';

/** THE list of settings that a reload applies, with everything below; others need a restart. */
export const RELOADED_SETTINGS: readonly string[] = [
  'databases',
  'expose',
  'models',
  'limits.max_page_size',
  'limits.max_up_to',
  'log_level',
  'token',
  'roles',
  'tokens',
  'jwt',
  'oidc',
];

/** The order of a map counts, such as that of `jwt[].roles`: `isDeepStrictEqual` ignores it. */
export function sameSettings(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withLists(one), withLists(other));
}

/** Maps become lists of their entries. */
function withLists(value: unknown): unknown {
  if (value instanceof Map || Array.isArray(value))
    return Array.from<unknown, unknown>(value, (one) => withLists(one));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withLists(one)]));
}

/** Names, never values, of changed settings that need a restart. */
export function settingsThatNeedRestart(running: Settings, loaded: Settings): string[] {
  return changedSettings(running, loaded, []).filter((name) => !RELOADED_SETTINGS.includes(name));
}

/** Keeps what a reload does not apply. */
export function withReloaded(running: Settings, loaded: Settings): Settings {
  return RELOADED_SETTINGS.reduce<Settings>(
    (settings, name) => ({ ...settings, ...withPart(settings, loaded, name.split('.')) }),
    running,
  );
}

/** Takes the part with a name from another group. */
function withPart(group: object, other: object, [key = '', ...rest]: readonly string[]): object {
  const [old, now]: unknown[] = [Reflect.get(group, key), Reflect.get(other, key)];
  const part = rest.length > 0 && isRecord(old) && isRecord(now) ? withPart(old, now, rest) : now;
  return { ...group, [key]: part };
}

function changedSettings(running: object, loaded: object, path: readonly string[]): string[] {
  const before = new Map<string, unknown>(Object.entries(running));
  const after = new Map<string, unknown>(Object.entries(loaded));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const name = [...path, key].join('.');
    const [old, now] = [before.get(key), after.get(key)];
    if (sameSettings(old, now)) return [];
    if (RELOADED_SETTINGS.includes(name) || !isRecord(old) || !isRecord(now)) return [name];
    return changedSettings(old, now, [...path, key]);
  });
}
