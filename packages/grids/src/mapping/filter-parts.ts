import type { Filter } from '@proj/client';

/** A filter, or `null`: every record. */
export type Part = Filter | null;

/** The records that pass all parts. */
export function allOf(parts: readonly Part[]): Part {
  const filters = parts
    .filter((part) => part !== null)
    .flatMap((part) => ('and' in part ? part.and : [part]));
  return group(filters, (and) => ({ and }));
}

/** The records that pass one of the parts, of which there is at least one. */
export function anyOf(parts: readonly Part[]): Part {
  const filters = parts.filter((part) => part !== null);
  if (filters.length < parts.length) return null;
  return group(
    filters.flatMap((part) => ('or' in part ? part.or : [part])),
    (or) => ({ or }),
  );
}

function group(filters: readonly Filter[], join: (filters: readonly Filter[]) => Filter): Part {
  const [first = null] = filters;
  return filters.length > 1 ? join(filters) : first;
}
