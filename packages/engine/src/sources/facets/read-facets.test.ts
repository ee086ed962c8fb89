import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Field } from '../../catalogue/field.ts';
import type { BinsShape, FacetShape, FacetStatements } from '../../sql/facet-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import { FACET_COLUMNS, type FacetCells } from './facet-columns.ts';
import type { FoundBins } from './facets-read.ts';
import { binsOf, type FacetsAsking, type Ranges, readFacets } from './read-facets.ts';

type Column = readonly (number | null)[];

const FIELD = { name: 'size', column: 'size', items: undefined, databaseType: 'double' } as const;

function binsOfType(type: Field['type'], bins: number, isAdded = true): BinsShape {
  return { kind: 'bins', field: { ...FIELD, type }, bins, isAdded };
}

const VALUES: FacetShape = { kind: 'values', field: { ...FIELD, type: 'text' } };

function statementsOf(facets: readonly FacetShape[]): FacetStatements {
  const places = binsOf({ facets }).reduce((sum, { bins }) => sum + bins + 2, 0);
  const keys = Array.from({ length: places }, (_, index) => ({ placeholder: 'key', index }));
  return {
    relations: [],
    hasSnapshots: true,
    facets,
    read: { sql: 'read', parameters: keys },
    ranges: places === 0 ? undefined : { sql: 'ranges', parameters: [] },
    lock: undefined,
    maxBytes: 1000,
  };
}

/** Cells of which those that are not given are NULL. */
function cellsOf(cells: Partial<FacetCells>): FacetCells {
  const nothing = Object.fromEntries(FACET_COLUMNS.map((name) => [name, null]));
  return { ...nothing, ...cells } as FacetCells;
}

const numbersOf = (column: Column): number[] => column.filter((value) => value !== null);

function rangeOf(column: Column): Ranges[number] {
  const numbers = numbersOf(column);
  if (numbers.length === 0) return undefined;
  return { min: String(Math.min(...numbers)), max: String(Math.max(...numbers)) };
}

/** What a database that has a column finds by the bounds and the divisor that are bound. */
function foundCells(column: Column, bound: readonly number[]): FacetCells {
  const [bounds, divisor = 1] = [bound.slice(0, -1), bound.at(-1)];
  const numbers = numbersOf(column);
  const isWithin = (value: number) => value >= Math.min(...bounds) && value <= Math.max(...bounds);
  const binned = numbers.filter(isWithin);
  const places = binned.map((value) => bounds.slice(0, -1).filter((each) => each <= value).length);
  const pairs = [...new Set(places)].map((place) => [
    place,
    String(places.filter((other) => other === place).length),
  ]);
  return cellsOf({
    found: JSON.stringify(pairs),
    nulls: String(column.length - numbers.length),
    others: String(numbers.length - binned.length),
    total: String(column.length),
    sum:
      numbers.length === 0
        ? null
        : String(numbers.reduce((sum, value) => sum + value / divisor, 0)),
    numbers: String(numbers.length),
  });
}

/** A database with a column for each facet, which are of bins. */
function askingOf(columns: readonly Column[], facets: readonly BinsShape[]): FacetsAsking {
  return {
    ranges: async () => columns.map(rangeOf),
    facets: async ({ parameters }) => {
      const rest = [...(parameters as number[])];
      const cells = facets.map(({ bins }, index) =>
        foundCells(columns[index] ?? [], rest.splice(0, bins + 2)),
      );
      return { cells, total: null, ranges: undefined };
    },
    boundValue: (text) => Number(text),
  };
}

/** How many numbers are from each bound on up to the next, and in the last bin up to its end. */
function countsBetween(bounds: readonly number[], numbers: readonly number[]): bigint[] {
  return bounds.slice(1).map((to, index) => {
    const isLast = index === bounds.length - 2;
    const from = bounds[index] ?? Infinity;
    const inside = numbers.filter((one) => one >= from && (one < to || (isLast && one === to)));
    return BigInt(inside.length);
  });
}

const QUARTER = fc.integer({ min: -40, max: 40 }).map((number) => number / 4);
const COLUMN = fc.array(fc.option(QUARTER, { freq: 4 }), { maxLength: 12 });
const BINNED = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), COLUMN), { maxLength: 3 });

describe('facets of bins', () => {
  it('have as many records in each bin as values between its bounds, and all values in some', async () => {
    await fc.assert(
      fc.asyncProperty(BINNED, async (binned) => {
        const facets = binned.map(([bins]) => binsOfType('float64', bins));
        const columns = binned.map(([, column]) => column);
        const read = await readFacets(statementsOf(facets), askingOf(columns, facets));
        expect(read.facets).toHaveLength(facets.length);
        for (const [index, column] of columns.entries()) {
          const numbers = numbersOf(column);
          const facet = read.facets?.[index] as FoundBins;
          const { bounds } = facet;
          expect(facet).toEqual({
            kind: 'bins',
            bounds,
            counts: countsBetween(bounds.map(Number), numbers),
            nulls: BigInt(column.length - numbers.length),
            others: 0n,
            total: BigInt(column.length),
            ...(rangeOf(column) ?? { min: undefined, max: undefined }),
            sum: {
              text: numbers.length === 0 ? undefined : String(numbers.reduce((a, b) => a + b, 0)),
              numbers: BigInt(numbers.length),
            },
          });
          const counted = bounds.length > 0 && numbers.length > 0;
          expect([bounds[0], bounds.at(-1)]).toEqual(
            counted ? Object.values(rangeOf(column) ?? {}) : [undefined, undefined],
          );
        }
      }),
    );
  });

  it('are added without an infinity where their values are near the largest number', async () => {
    const facets = [binsOfType('float64', 2), binsOfType('float64', 2)];
    const columns = [[1.5e308, 1.5e308, -1.5e308], [1]];
    const read = await readFacets(statementsOf(facets), askingOf(columns, facets));
    const sums = read.facets?.map((facet) => (facet as FoundBins).sum?.text);
    expect(sums).toEqual(['1.5e+308', '1']);
  });

  it('have a sum where it was asked for alone, and its text as it is where it is not divided', async () => {
    const large = { min: '"-2e300"', max: '"2e300"' };
    const facets = [
      binsOfType('decimal', 1),
      binsOfType('decimal', 1),
      binsOfType('float64', 1),
      binsOfType('int32', 1, false),
    ];
    const sums = ['7.50', null, null, '7'];
    const read = await readFacets(statementsOf(facets), {
      ranges: async () => facets.map(() => large),
      facets: async () => ({
        cells: sums.map((sum) => cellsOf({ found: '[]', sum })),
        total: null,
        ranges: undefined,
      }),
      boundValue: String,
    });
    expect(read.facets?.map((facet) => (facet as FoundBins).sum)).toEqual([
      { text: '7.50', numbers: 0n },
      { text: undefined, numbers: 0n },
      { text: undefined, numbers: 0n },
      undefined,
    ]);
  });

  it('have the ends that the statement says where some value is in no bin', async () => {
    const facets = [binsOfType('int32', 1), binsOfType('int32', 1)];
    const cells = [
      cellsOf({ found: '[]', others: '2', min: '-9', max: '99' }),
      cellsOf({ found: '[[1,"3"]]' }),
    ];
    const read = await readFacets(statementsOf(facets), {
      ...askingOf([[1], [2, 3]], facets),
      facets: async () => ({ cells, total: null, ranges: undefined }),
    });
    expect(read.facets).toEqual([
      expect.objectContaining({ min: '-9', max: '99', others: 2n }),
      expect.objectContaining({ min: '2', max: '3', others: 0n, counts: [3n] }),
    ]);
  });

  it('are bound by the texts of their bounds, the first one as often as there are too few', async () => {
    const facets = [binsOfType('int32', 4), VALUES, binsOfType('date', 2), binsOfType('int32', 1)];
    const asked: Statement[] = [];
    const fields: (string | undefined)[] = [];
    await readFacets(statementsOf(facets), {
      ranges: async () => [
        { min: '7', max: '8' },
        { min: '"2024-02-28"', max: '"2024-03-01"' },
        undefined,
      ],
      facets: async (statement) => {
        asked.push(statement);
        return { cells: [], total: null, ranges: undefined };
      },
      boundValue: (text, { type }) => {
        fields.push(type);
        return `<${text}>`;
      },
    });
    const dates = ['<2024-02-28>', '<2024-02-29>', '<2024-03-01>'];
    expect(asked.map(({ sql, parameters }) => [sql, ...parameters])).toEqual([
      ['read', '<7>', '<7>', '<7>', '<7>', '<8>', 1, ...dates, 1, null, null, 1],
    ]);
    expect(fields).toEqual(['int32', 'int32', 'date', 'date', 'date']);
  });

  it('have bounds of as many digits as the values where all values have as many', async () => {
    const facets = [binsOfType('decimal', 4)];
    const read = (hasFixedScale?: FacetsAsking['hasFixedScale']) =>
      readFacets(statementsOf(facets), {
        ranges: async () => [{ min: '"0.0"', max: '"0.2"' }],
        facets: async () => ({
          cells: [cellsOf({ found: '[]' })],
          total: null,
          ranges: undefined,
        }),
        boundValue: String,
        ...(hasFixedScale && { hasFixedScale }),
      });
    const found = await Promise.all([read(), read(({ type }) => type === 'decimal')]);
    expect(found.map(({ facets: [facet] = [] }) => (facet as FoundBins).bounds)).toEqual([
      ['"0.0"', '"0.05"', '"0.1"', '"0.15"', '"0.2"'],
      ['"0.0"', '"0.1"', '"0.2"'],
    ]);
  });
});

describe('facets of values', () => {
  it('are the text that was found, and the ends are not asked for where there are no bins', async () => {
    const found = '[{"value":"x","count":"2"}]';
    const read = await readFacets(statementsOf([VALUES]), {
      ranges: () => Promise.reject(new Error('There is no statement of ends.')),
      facets: async () => ({
        cells: [cellsOf({ found, distinct: '3', nulls: '4', total: '9', min: '"x"', max: '"z"' })],
        total: '12',
        ranges: undefined,
      }),
      boundValue: String,
    });
    const counts = { distinct: 3n, nulls: 4n, total: 9n };
    expect(read).toEqual({
      facets: [{ kind: 'values', values: found, ...counts, min: '"x"', max: '"z"' }],
      total: 12n,
    });
  });

  it('and of bins are found in their order, each with its own bounds', async () => {
    const facets = [VALUES, binsOfType('int32', 1), VALUES, binsOfType('int32', 1)];
    const read = await readFacets(statementsOf(facets), {
      ...askingOf([[1], [2, 3]], []),
      facets: async () => ({
        cells: ['[]', '[[1,"1"]]', '[]', '[[1,"2"]]'].map((found) => cellsOf({ found })),
        total: null,
        ranges: undefined,
      }),
    });
    const found = read.facets?.map((facet) =>
      facet.kind === 'bins' ? [facet.bounds, facet.counts] : facet.kind,
    );
    expect(found).toEqual(['values', [['1', '1'], [1n]], 'values', [['2', '3'], [2n]]]);
  });
});

it.each([[[]], [[cellsOf({ found: null })]], [[cellsOf({ found: '[]' }), cellsOf({})]]])(
  'no facets are read where the texts are longer than they may be: %j',
  async (cells) => {
    const read = await readFacets(statementsOf([VALUES, VALUES]), {
      ranges: async () => [],
      facets: async () => ({ cells, total: '7', ranges: undefined }),
      boundValue: String,
    });
    expect(read).toStrictEqual({ facets: undefined, total: undefined });
  },
);

/** What is read where the least value is another one before so many statements. */
function readAfter(changes: number) {
  const facets = [binsOfType('int32', 2)];
  let least = 0;
  const bound: unknown[] = [];
  const rangesNow = (): Ranges => [{ min: String(least), max: '100' }];
  const read = readFacets(statementsOf(facets), {
    ranges: async () => rangesNow(),
    facets: async ({ parameters }) => {
      bound.push(parameters[0]);
      if (least < changes) least += 1;
      return { cells: [cellsOf({ found: '[]' })], total: null, ranges: rangesNow() };
    },
    boundValue: Number,
  });
  return { read, bound };
}

describe('facets of a database whose statements see several states', () => {
  it.each([0, 1, 4])(
    'are of the state that their bins were made for after %i changes',
    async (changes) => {
      const { read, bound } = readAfter(changes);
      const { facets } = await read;
      expect(facets?.[0]).toMatchObject({ min: String(changes), max: '100' });
      expect(bound).toEqual(Array.from({ length: changes + 1 }, (_, least) => least));
    },
  );

  it('are read once where none of them are of bins', async () => {
    let times = 0;
    await readFacets(statementsOf([VALUES]), {
      ranges: async () => [],
      facets: async () => {
        times += 1;
        return { cells: [cellsOf({ found: '[]' })], total: null, ranges: [] };
      },
      boundValue: String,
    });
    expect(times).toBe(1);
  });

  it('are not read where their values change faster', async () => {
    const { read } = readAfter(5);
    await expect(read).rejects.toMatchObject({
      name: 'QueryFailedError',
      code: 'database_unavailable',
      message: 'The least and the greatest values changed faster than they could be read.',
    });
  });
});
