import { type RawBuilder, sql } from 'kysely';

import type { BinsClauses, FacetsClauses } from '../../sql/facet-clauses.ts';
import { sqlBlock } from '../text/sql-block.ts';
import { FACET_COLUMNS, type FacetColumn } from './facet-columns.ts';

type Expression = RawBuilder<unknown>;

/** How a database reads a facet, and the ends of its values, each in one row. */
export interface OneRowSelects {
  readonly facet: (facet: FacetsClauses['facets'][number]) => Expression;
  readonly range: (facet: BinsClauses) => Expression;
}

/** The columns of a facet in their order; those that are not given are NULL. */
export function facetColumns(columns: Partial<Record<FacetColumn, Expression>>): Expression {
  const named = FACET_COLUMNS.map((name) => sql`${columns[name] ?? sql`null`} as ${sql.id(name)}`);
  return sql.join(named);
}

/**
 * All facets in one row: the columns of each, the total, the ends of the values of each facet of
 * bins where they are wanted, and what else is selected.
 */
export function selectInOneRow(
  { facets, count, withRanges, maxBytes }: FacetsClauses,
  { facet: select, range }: OneRowSelects,
  others: readonly Expression[] = [],
): Expression {
  const sources = facets.map((facet, index) => sql`(${select(facet)}) as ${sql.id(`f${index}`)}`);
  const texts = facets.map((_, index) => sql`octet_length(${sql.id(`f${index}`, 'found')})`);
  const fits = sql`${sql.join(texts, sql` + `)} <= ${sql.lit(maxBytes)}`;
  const columns = facets.flatMap((_, index) =>
    FACET_COLUMNS.map((name) => {
      const column = sql.id(`f${index}`, name);
      return name === 'found' ? sql`case when ${fits} then ${column} end` : column;
    }),
  );
  const total = count === undefined ? sql`null` : sql`(${count})`;
  const bins = withRanges ? facets.filter((facet) => facet.kind === 'bins') : [];
  return sqlBlock`
    select ${sql.join([...columns, total, ...rangeColumns(bins), ...others])}
    from ${sql.join([...sources, ...rangeSources(bins, range)], sql` cross join `)}`;
}

/** The ends of the values of each facet, all in one row. */
export function selectRangesInOneRow(
  facets: readonly BinsClauses[],
  { range }: Pick<OneRowSelects, 'range'>,
): Expression {
  const sources = sql.join(rangeSources(facets, range), sql` cross join `);
  return sql`select ${sql.join(rangeColumns(facets))} from ${sources}`;
}

function rangeSources(facets: readonly BinsClauses[], range: OneRowSelects['range']): Expression[] {
  return facets.map((facet, index) => sql`(${range(facet)}) as ${sql.id(`r${index}`)}`);
}

function rangeColumns(facets: readonly BinsClauses[]): Expression[] {
  return facets.flatMap((_, index) => ['min', 'max'].map((name) => sql.id(`r${index}`, name)));
}
