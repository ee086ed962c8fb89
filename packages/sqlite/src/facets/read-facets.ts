import { type Asked, Facets, type Field, type Found, type Statement } from '@proj/engine/database';

import { ExactSum } from '../values/exact-sum.ts';
import { type Connection, firstRow } from '../reads/snapshot.ts';

/** Reads facets in the snapshot of a connection. */
export async function readFacets(
  connection: Connection,
  statements: Asked<'facets'>,
): Promise<Omit<Found<'facets'>, 'version'>> {
  const row = (statement: Statement): (string | null)[] =>
    (firstRow(connection, statement) ?? []).map((cell) => (cell === null ? null : String(cell)));
  return Facets.readFacets(statements, {
    ranges: async (statement) => Facets.rangesOfRow(row(statement).map(withoutBrackets)),
    facets: async (statement) =>
      decoded(Facets.answerOfRow(row(statement), statements), statements),
    boundValue,
  });
}

/** JSON of one value is made in a list. */
function withoutBrackets(json: string | null): string | null {
  const text = json?.slice(1, -1) ?? 'null';
  return text === 'null' ? null : text;
}

function decoded(answer: Facets.FacetsAnswer, { facets }: Asked<'facets'>): Facets.FacetsAnswer {
  const cells = answer.cells.flatMap((read, index) => {
    const facet = facets[index];
    return facet === undefined ? [] : [decodedCells(read, facet)];
  });
  return { ...answer, cells };
}

function decodedCells(
  read: Facets.FacetCells,
  { kind, field: { type } }: Facets.FacetShape,
): Facets.FacetCells {
  const areNumbers = kind === 'bins' && ['int32', 'int64', 'float64'].includes(type);
  const cells = areNumbers ? numberCells(read) : read;
  const { min, max, sum } = cells;
  return { ...cells, min: withoutBrackets(min), max: withoutBrackets(max), sum: readSum(sum) };
}

/** With what `sum` says of a column that does not hold numbers of its type alone. */
function numberCells(cells: Facets.FacetCells): Facets.FacetCells {
  if (cells.sum === null || !cells.sum.startsWith('[')) return cells;
  const [sum = null, numbers = null, min, max] = JSON.parse(cells.sum) as string[];
  // Two texts are the halves of a sum.
  return min === undefined || max === undefined ? cells : { ...cells, sum, numbers, min, max };
}

/** Whole numbers were added in halves of 32 bits. */
const HALF = 2n ** 32n;

/** A sum, from what adds up to it: halves of whole numbers, and sums of others. */
function readSum(text: string | null): string | null {
  if (text === null || !text.startsWith('[')) return text;
  const [high, low, others] = JSON.parse(text) as [string, string, string[] | null];
  const sum = new ExactSum().add(BigInt(high) * HALF + BigInt(low));
  for (const other of others ?? []) sum.add(other);
  return sum.text;
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
