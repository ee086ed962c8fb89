import type { Clauses, Dialect } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { selectBins, selectRange } from './facet-bins.ts';
import {
  type FacetRow,
  RANGE_PLACE,
  ROW_COLUMNS,
  TOTAL_PLACE,
  VALUE_COLUMNS,
} from './facet-rows.ts';
import { selectValues } from './facet-values.ts';

type Expression = RawBuilder<unknown>;

/** One statement, whose rows begin with the place of the facet that they are of. */
export const mysqlFacets: Dialect['facets'] = {
  select({ facets, count, withRanges }: Clauses['facets']): Expression {
    const bins = facets.filter((facet) => facet.kind === 'bins');
    const parts = facets.map((facet, place): Part => {
      const row = facet.kind === 'values' ? selectValues(facet) : selectBins(facet);
      return { ...row, place, valuePlace: place };
    });
    const ranges = withRanges ? rangeParts(bins, (facet) => facets.indexOf(facet)) : [];
    const total: Part[] = count === undefined ? [] : [totalPart(count)];
    return union([...parts, ...ranges, ...total], facets.length);
  },

  selectRanges: (bins) =>
    union(
      rangeParts(bins, (_, index) => index),
      bins.length,
    ),
};

/** A part of the union. */
interface Part extends FacetRow {
  readonly place: number;
  /** Among whose columns of values its own are. */
  readonly valuePlace: number;
  /** What it selects from. */
  readonly rest: Expression;
}

function rangeParts(
  bins: readonly Clauses['bins'][],
  valuePlace: (facet: Clauses['bins'], index: number) => number,
): Part[] {
  return bins.map((facet, index) => ({
    ...selectRange(facet),
    place: RANGE_PLACE + index,
    valuePlace: valuePlace(facet, index),
  }));
}

function totalPart(count: Expression): Part {
  const nothing = sql`null`;
  return {
    place: TOTAL_PLACE,
    valuePlace: 0,
    columns: { total: sql`(${count})` },
    values: { value: nothing, min: nothing, max: nothing },
    rest: sql``,
  };
}

function union(parts: readonly Part[], facets: number): Expression {
  const selects = parts.map(({ place, valuePlace, columns, values, rest }) => {
    const own = VALUE_COLUMNS.map((name) => values[name]);
    const nulls = VALUE_COLUMNS.map(() => sql`null`);
    const all = Array.from({ length: facets }, (_, index) => (index === valuePlace ? own : nulls));
    const shared = ROW_COLUMNS.map((name) => columns[name] ?? sql`null`);
    const named = [sql.lit(place), ...shared, ...all.flat()].map(
      (column, index) => sql`${column} as ${sql.id(`c${index}`)}`,
    );
    return sql`(select ${sql.join(named)} ${rest})`;
  });
  return sql.join(selects, sql` union all `);
}
