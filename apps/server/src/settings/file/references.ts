import { entriesOf, fromEntries } from '@proj/fastify/settings';

import type { Variables } from './variables.ts';

export interface ReferenceProblem {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

export interface Resolved {
  readonly value: unknown;
  readonly errors: readonly ReferenceProblem[];
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
export function resolveReferences(
  value: unknown,
  variables: Variables,
  path: readonly PropertyKey[] = [],
): Resolved {
  if (typeof value === 'string') return resolveText(value, variables, path);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => resolveReferences(item, variables, [...path, index]));
    return {
      value: items.map((item) => item.value),
      errors: items.flatMap(({ errors }) => errors),
    };
  }
  const members = entriesOf(value)?.map(
    ([key, member]) => [key, resolveReferences(member, variables, [...path, key])] as const,
  );
  if (members === undefined) return { value, errors: [] };
  return {
    value: fromEntries(members.map(([key, resolved]) => [key, resolved.value])),
    errors: members.flatMap(([, { errors }]) => errors),
  };
}

function resolveText(text: string, variables: Variables, path: readonly PropertyKey[]): Resolved {
  const errors: ReferenceProblem[] = [];
  const value = text.replace(REFERENCE, (reference, name: string, fallback: string | undefined) => {
    if (reference.startsWith('$$')) return reference.slice(1);
    const found = variables(name) ?? fallback;
    if (found === undefined) errors.push({ path, name });
    return found ?? '';
  });
  return { value, errors };
}
