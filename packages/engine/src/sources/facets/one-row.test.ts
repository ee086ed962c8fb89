import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { compile } from '../../sql/compile/compile.ts';
import type { BinsClauses, FacetsClauses, ValuesClauses } from '../../sql/facet-clauses.ts';
import type { FacetStatements } from '../../sql/facet-statements.ts';
import { FACET_COLUMNS, type FacetCells } from './facet-columns.ts';
import {
  facetColumns,
  type OneRowSelects,
  selectInOneRow,
  selectRangesInOneRow,
} from './one-row.ts';
import { answerOfRow, rangesOfRow } from './one-row-cells.ts';
import type { Ranges } from './read-facets.ts';

type Clauses = BinsClauses | ValuesClauses;
type Cells = readonly (string | null)[];

/** A facet, what is found of it, and the ends of its values. */
interface Facet {
  readonly clauses: Clauses;
  readonly cells: FacetCells;
  readonly ends: Ranges[number];
}

const database = new DatabaseSync(':memory:');

/** The row of a statement. */
function rowOf(statement: RawBuilder<unknown>): Cells {
  const { sql: text, parameters } = compile(statement, plainDialect);
  const prepared = database.prepare(text);
  prepared.setReturnArrays(true);
  return prepared.get(...(parameters as Cells)) as unknown as Cells;
}

const TEXT = fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !text.includes('\0'));
const CELL = fc.option(TEXT);

const FACET: fc.Arbitrary<Facet> = fc
  .record({
    kind: fc.constantFrom('bins', 'values'),
    cells: fc.record({
      ...Object.fromEntries(FACET_COLUMNS.map((name) => [name, CELL])),
      found: TEXT,
    }),
    ends: fc.option(fc.record({ min: TEXT, max: TEXT }), { nil: undefined }),
  })
  .map(({ kind, cells, ends }) => ({
    clauses: { kind } as Clauses,
    cells: cells as FacetCells,
    ends,
  }));

/** A database that finds so of these facets. */
function selectsOf(facets: readonly Facet[]): OneRowSelects {
  const facetOf = (clauses: Clauses): Facet | undefined =>
    facets.find((facet) => facet.clauses === clauses);
  return {
    facet: (clauses) => {
      const cells = Object.entries(facetOf(clauses)?.cells ?? {});
      const given = cells.flatMap(([name, cell]) => (cell === null ? [] : [[name, sql`${cell}`]]));
      return sql`select ${facetColumns(Object.fromEntries(given))}`;
    },
    range: (clauses) => {
      const { min = null, max = null } = facetOf(clauses)?.ends ?? {};
      return sql`select ${min} as "min", ${max} as "max"`;
    },
  };
}

const isOfBins = ({ clauses }: Facet): boolean => clauses.kind === 'bins';

const endsOf = (facets: readonly Facet[]): Ranges =>
  facets.filter(isOfBins).map(({ ends }) => ends);

function clausesOf(facets: readonly Facet[], others: Partial<FacetsClauses> = {}): FacetsClauses {
  const clauses = facets.map((facet) => facet.clauses);
  return { facets: clauses, count: undefined, withRanges: false, maxBytes: 1000, ...others };
}

function statementsOf(facets: readonly Facet[], hasSnapshots: boolean): FacetStatements {
  const kinds = facets.map(({ clauses: { kind } }) => ({ kind }));
  return { facets: kinds, hasSnapshots } as unknown as FacetStatements;
}

const FACETS = fc.array(FACET, { minLength: 1, maxLength: 4 });

describe('facets in one row', () => {
  it('are read from it as they were found, with the total and the ends of all bins', () => {
    fc.assert(
      fc.property(FACETS, fc.option(TEXT), fc.boolean(), (facets, total, hasSnapshots) => {
        const count = total === null ? undefined : sql`select ${total}`;
        const clauses = clausesOf(facets, { count, withRanges: !hasSnapshots });
        const others = [sql`'other'`, sql`'more'`];
        const row = rowOf(selectInOneRow(clauses, selectsOf(facets), others));
        expect(answerOfRow(row, statementsOf(facets, hasSnapshots))).toEqual({
          cells: facets.map(({ cells }) => cells),
          total,
          ranges: hasSnapshots ? undefined : endsOf(facets),
        });
        expect(row.slice(-2)).toEqual(['other', 'more']);
      }),
    );
  });

  it('have no texts where all of them together are longer than they may be', () => {
    const facets = ['é', 'abc'].map((found) => ({
      clauses: { kind: 'values' } as Clauses,
      cells: { found, total: '7' } as FacetCells,
      ends: undefined,
    }));
    const found = [5, 4].map((maxBytes) => {
      const row = rowOf(selectInOneRow(clausesOf(facets, { maxBytes }), selectsOf(facets)));
      expect(row).toHaveLength(2 * FACET_COLUMNS.length + 1);
      return answerOfRow(row, statementsOf(facets, true)).cells;
    });
    expect(found).toEqual([
      [expect.objectContaining({ found: 'é' }), expect.objectContaining({ found: 'abc' })],
      [
        expect.objectContaining({ found: null, total: '7' }),
        expect.objectContaining({ found: null, total: '7' }),
      ],
    ]);
  });

  it('have NULL where a row ends before them', () => {
    const nothing = Object.fromEntries(FACET_COLUMNS.map((name) => [name, null]));
    const one = [{ clauses: { kind: 'values' } }] as unknown as readonly Facet[];
    expect(answerOfRow([], statementsOf(one, true))).toEqual({
      cells: [nothing],
      total: null,
      ranges: undefined,
    });
  });
});

describe('the ends of values in one row', () => {
  it('are read from it as they are, and are none of a facet that lacks one of them', () => {
    fc.assert(
      fc.property(FACETS, (facets) => {
        const bins = facets.filter(isOfBins);
        fc.pre(bins.length > 0);
        const clauses = bins.map((facet) => facet.clauses as BinsClauses);
        const row = rowOf(selectRangesInOneRow(clauses, selectsOf(facets)));
        expect(rangesOfRow(row)).toEqual(endsOf(facets));
      }),
    );
    expect(rangesOfRow(['1', null, null, '2', '3', '4'])).toEqual([
      undefined,
      undefined,
      { min: '3', max: '4' },
    ]);
  });
});
