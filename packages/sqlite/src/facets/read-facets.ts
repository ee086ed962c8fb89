import { type Asked, Facets, type Field, type Found } from '@proj/engine/database';

import { type Connection, firstRow } from '../reads/snapshot.ts';

/** Reads facets in the snapshot of a connection. */
export function readFacets(
  connection: Connection,
  statements: Asked<'facets'>,
): Promise<Omit<Found<'facets'>, 'version'>> {
  return Facets.readFacets(statements, {
    texts: async (statement) =>
      (firstRow(connection, statement) ?? []).map((cell) => (cell === null ? null : String(cell))),
    boundValue,
    trimsSums: true,
  });
}

/**
 * A bound as values are compared with it. Node binds a number as a real, a bigint as an integer.
 */
function boundValue(text: string, { type, storedAs }: Field): unknown {
  if (storedAs !== undefined) return text.replace(/Z$/, '');
  if (type === 'time') return text;
  return type !== 'float64' && isWhole(text) ? BigInt(text) : Number(text);
}

function isWhole(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
