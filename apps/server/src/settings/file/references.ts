import type { Variables } from './variables.ts';

/** An error of a reference, with the place of the value that holds it. */
export interface ReferenceProblem {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

/** Values with their references resolved. */
export interface Resolved {
  readonly value: unknown;
  readonly errors: readonly ReferenceProblem[];
}

/** `${NAME}`, or `${NAME:-default}` for a variable that may be missing or empty. */
const REFERENCE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * Puts environment variables where the texts of a settings file refer to them. The variables'
 * values are never printed.
 */
export function resolveReferences(
  value: unknown,
  variables: Variables,
  path: readonly PropertyKey[] = [],
): Resolved {
  if (typeof value === 'string') return resolveText(value, variables, path);
  if (typeof value !== 'object' || value === null) return { value, errors: [] };
  const isArray = Array.isArray(value);
  const members = Object.entries(value).map(([key, member]): [string, Resolved] => {
    return [key, resolveReferences(member, variables, [...path, isArray ? Number(key) : key])];
  });
  const errors = members.flatMap(([, resolved]) => resolved.errors);
  const values = members.map(([key, resolved]) => [key, resolved.value] as const);
  return {
    value: isArray ? values.map(([, member]) => member) : Object.fromEntries(values),
    errors,
  };
}

function resolveText(text: string, variables: Variables, path: readonly PropertyKey[]): Resolved {
  const errors: ReferenceProblem[] = [];
  const value = text.replace(
    REFERENCE,
    (_reference, name: string, fallback: string | undefined) => {
      const found = variables(name) ?? fallback;
      if (found === undefined) errors.push({ path, name });
      return found ?? '';
    },
  );
  return { value, errors };
}
