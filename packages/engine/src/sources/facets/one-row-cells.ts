import type { FacetStatements } from '../../sql/facet-statements.ts';
import { FACET_COLUMNS, type FacetCells } from './facet-columns.ts';
import { binsOf, type FacetsAnswer, type Ranges } from './read-facets.ts';

type Cells = readonly (string | null)[];

/** What a row of {@link selectInOneRow} holds. */
export function answerOfRow(row: Cells, statements: FacetStatements): FacetsAnswer {
  const { facets, hasSnapshots } = statements;
  const width = FACET_COLUMNS.length;
  const cells = facets.map((_, index) => facetCells(row.slice(index * width)));
  const end = facets.length * width;
  const rest = row.slice(end + 1);
  const ranges = hasSnapshots
    ? undefined
    : rangesOfRow(rest.slice(0, 2 * binsOf(statements).length));
  return { cells, total: row[end] ?? null, ranges };
}

/** What a row of {@link selectRangesInOneRow} holds. */
export function rangesOfRow(row: Cells): Ranges {
  return Array.from({ length: row.length / 2 }, (_, index) => {
    const [min, max] = row.slice(index * 2);
    return typeof min === 'string' && typeof max === 'string' ? { min, max } : undefined;
  });
}

function facetCells(row: Cells): FacetCells {
  const cells = FACET_COLUMNS.map((name, index) => [name, row[index] ?? null]);
  return Object.fromEntries(cells) as FacetCells;
}
