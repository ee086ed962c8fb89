import { type Asked, Facets } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { encoderOf } from '../values/encode.ts';
import { readSum } from './facet-sums.ts';
import { RANGE_PLACE, ROW_COLUMNS, TOTAL_PLACE, VALUE_COLUMNS } from './facet-rows.ts';

/** What the rows of the statement of facets hold. */
export function answerOfRows(
  rows: readonly Row[],
  statements: Asked<'facets'>,
): Facets.FacetsAnswer {
  const { facets, hasSnapshots, maxBytes } = statements;
  const byPlace = Map.groupBy(rows, ([place]) => Number(place));
  const cells = facets.map((facet, place) => {
    const own = (byPlace.get(place) ?? []).map((row) => new FacetRowReader(row, facet, place));
    return facet.kind === 'values' ? valueCells(own) : binCells(own);
  });
  const size = cells.reduce((sum, { found }) => sum + Buffer.byteLength(found ?? ''), 0);
  const [totalRow] = byPlace.get(TOTAL_PLACE) ?? [];
  const ranges = hasSnapshots
    ? undefined
    : rangesAt(byPlace, Facets.binsOf(statements), (facet) => facets.indexOf(facet));
  return {
    cells: size > maxBytes ? cells.map((facet) => ({ ...facet, found: null })) : cells,
    total: totalRow === undefined ? null : digits(totalRow[1 + ROW_COLUMNS.indexOf('total')]),
    ranges,
  };
}

/** What the rows of the statement of the least and the greatest values hold. */
export function rangesOfRows(rows: readonly Row[], statements: Asked<'facets'>): Facets.Ranges {
  const byPlace = Map.groupBy(rows, ([place]) => Number(place));
  return rangesAt(byPlace, Facets.binsOf(statements), (_, index) => index);
}

function rangesAt(
  byPlace: ReadonlyMap<number, readonly Row[]>,
  bins: readonly Facets.BinsShape[],
  valuePlace: (facet: Facets.BinsShape, index: number) => number,
): Facets.Ranges {
  return bins.map((facet, index) => {
    const [row] = byPlace.get(RANGE_PLACE + index) ?? [];
    if (row === undefined) return undefined;
    const reader = new FacetRowReader(row, facet, valuePlace(facet, index));
    const [min, max] = [reader.json('min'), reader.json('max')];
    return min === null || max === null ? undefined : { min, max };
  });
}

function valueCells(rows: readonly FacetRowReader[]): Facets.FacetCells {
  const values = rows.flatMap((row) => {
    const value = row.json('value');
    return value === null ? [] : [`{"value":${value},"count":"${row.digits('size')}"}`];
  });
  return { ...commonCells(rows), found: `[${values.join(',')}]` };
}

function binCells(rows: readonly FacetRowReader[]): Facets.FacetCells {
  const sizes = new Map(rows.map((row) => [row.digits('bin'), row.digits('size')]));
  const others = sizes.get('0') ?? '0';
  const pairs = [...sizes].flatMap(([bin, size]) =>
    bin === null || bin === '0' ? [] : [[Number(bin), size]],
  );
  return { ...commonCells(rows), found: JSON.stringify(pairs), others };
}

/** Each row carries what is known of the whole facet; without a row it is of no record. */
function commonCells([row]: readonly FacetRowReader[]): Facets.FacetCells {
  return {
    found: null,
    distinct: row?.digits('distinct') ?? null,
    nulls: row?.digits('nulls') ?? null,
    others: null,
    total: row?.digits('total') ?? null,
    min: row?.json('min') ?? null,
    max: row?.json('max') ?? null,
    sum: readSum(row?.digits('sum') ?? null),
    numbers: row?.digits('numbers') ?? null,
  };
}

/** A row of a facet, whose cells are known by their columns. */
class FacetRowReader {
  readonly #row: Row;
  readonly #encode: (value: unknown) => string;
  /** Where the columns of the facet's own values begin. */
  readonly #values: number;

  constructor(row: Row, { field }: Facets.FacetShape, place: number) {
    this.#row = row;
    this.#encode = encoderOf(field);
    this.#values = 1 + ROW_COLUMNS.length + place * VALUE_COLUMNS.length;
  }

  digits(column: (typeof ROW_COLUMNS)[number]): string | null {
    return digits(this.#row[1 + ROW_COLUMNS.indexOf(column)]);
  }

  /** The JSON text of a value; of equal values the one whose text is the least. */
  json(column: (typeof VALUE_COLUMNS)[number]): string | null {
    const value = this.#row[this.#values + VALUE_COLUMNS.indexOf(column)];
    if (value === null || value === undefined) return null;
    return column === 'value' && this.digits('form') === '-0' ? '-0' : this.#encode(value);
  }
}

function digits(cell: unknown): string | null {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null;
}
