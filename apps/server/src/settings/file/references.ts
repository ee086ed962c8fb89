import { entriesOf, fromEntries } from '@proj/fastify/settings';

import { placeKey } from '../places.ts';
import type { Variables } from './variables.ts';

interface Reference {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

export interface Resolved {
  readonly value: unknown;
  /** To variables that are not set. */
  readonly errors: readonly Reference[];
  /** Variables that stand for a whole value, by its {@link placeKey}. */
  readonly whole: ReadonlyMap<string, string>;
}

/**
 * `${NAME}`, or `${NAME:-default}` for a variable that may be missing or empty. `$${NAME}` is the
 * text `${NAME}`.
 */
const REFERENCE = /\$?\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** What stands for the text in a settings file. */
export function withoutReferences(text: string): string {
  return text.replaceAll(REFERENCE, (reference) => `$${reference}`);
}

/** Inserts environment variables, whose values are never printed. */
export function resolveReferences(value: unknown, variables: Variables): Resolved {
  const errors: Reference[] = [];
  const whole = new Map<string, string>();
  const resolve = (written: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(written)) return written.map((item, at) => resolve(item, [...path, at]));
    if (typeof written !== 'string') {
      const members = entriesOf(written);
      if (members === undefined) return written;
      return fromEntries(members.map(([key, member]) => [key, resolve(member, [...path, key])]));
    }
    return written.replace(REFERENCE, (reference, name: string, fallback: string | undefined) => {
      if (reference.startsWith('$$')) return reference.slice(1);
      const found = variables(name) ?? fallback;
      if (found === undefined) errors.push({ path, name });
      if (reference === written) whole.set(placeKey(path), name);
      return found ?? '';
    });
  };
  return { value: resolve(value, []), errors, whole };
}
