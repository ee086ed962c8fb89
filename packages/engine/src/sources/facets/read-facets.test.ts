import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Field } from '../../catalogue/field.ts';
import type { BinsShape, FacetStatements } from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Range } from './bounds.ts';
import { FACETS, type FacetsAsking, type FoundBins, readFacets } from './read-facets.ts';
import type { Snapshot } from '../reads/snapshot.ts';

type Column = readonly (number | null)[];

const FIELD = { name: 'size', column: 'size', items: undefined, databaseType: 'double' } as const;

function binsOfType(type: Field['type'], bins: number, shape: Partial<BinsShape> = {}): BinsShape {
  const field = { ...FIELD, type };
  return { field, bins, isAdded: true, mayBeInNone: false, ...shape };
}

const VALUES = undefined;

function statementsOf(facets: FacetStatements['facets'], hasSnapshots = true): FacetStatements {
  const bins = facets.filter((facet) => facet !== undefined);
  const places = bins.reduce((sum, one) => sum + one.bins + 2, 0);
  const keys = Array.from({ length: places }, (_, index) => ({ placeholder: 'key', index }));
  return {
    relations: [],
    hasSnapshots,
    facets,
    read: { sql: 'read', parameters: keys },
    fields: [],
    ranges: places === 0 ? undefined : { sql: 'ranges', parameters: [] },
    rangeFields: [],
    lock: undefined,
    maxBytes: 1000,
  };
}

/** A database that finds these ends, and these texts of facets. */
function finding(
  ranges: readonly (Range | undefined)[],
  texts: (statement: Statement) => readonly (string | null)[],
): FacetsAsking {
  return {
    texts: async (statement) =>
      statement.sql === 'ranges' ? ranges.map(rangeText) : texts(statement),
    boundValue: String,
  };
}

function rangeText(range: Range | undefined): string {
  const { min, max } = range ?? { min: null, max: null };
  return `[{"min":${min},"max":${max}}]`;
}

const numbersOf = (column: Column): number[] => column.filter((value) => value !== null);

function rangeOf(column: Column): Range | undefined {
  const numbers = numbersOf(column);
  if (numbers.length === 0) return undefined;
  return { min: String(Math.min(...numbers)), max: String(Math.max(...numbers)) };
}

/** What a database that has a column finds by the bounds and the divisor that are bound. */
function foundText(column: Column, bound: readonly number[]): string {
  const [bounds, divisor = 1] = [bound.slice(0, -1), bound.at(-1)];
  const binOf = (value: number | null): number | null => {
    if (value === null) return null;
    const isWithin = value >= Math.min(...bounds) && value <= Math.max(...bounds);
    return isWithin ? bounds.slice(0, -1).filter((each) => each <= value).length : 0;
  };
  const groups = [...Map.groupBy(column, binOf)].map(([bin, values]) => {
    const numbers = numbersOf(values);
    const sum = String(numbers.reduce((all, value) => all + value / divisor, 0));
    return { bin, count: String(values.length), sum: numbers.length === 0 ? null : sum };
  });
  return JSON.stringify(groups);
}

/** A database with a column for each facet, which are of bins. */
function askingOf(columns: readonly Column[], facets: readonly BinsShape[]): FacetsAsking {
  const found = ({ parameters }: Statement): string[] => {
    const rest = [...(parameters as number[])];
    return facets.map(({ bins }, index) =>
      foundText(columns[index] ?? [], rest.splice(0, bins + 2)),
    );
  };
  return { ...finding(columns.map(rangeOf), found), boundValue: (text) => Number(text) };
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
    const facets = [1, 2, 3].map(() => binsOfType('float64', 2));
    const columns = [[1.5e308, 1.5e308, -1.5e308], [1.5e308, 1.7e308], [1]];
    const read = await readFacets(statementsOf(facets), askingOf(columns, facets));
    const sums = read.facets?.map((facet) => (facet as FoundBins).sum?.text);
    expect(sums).toEqual([BigInt(1.5e308), BigInt(1.5e308) + BigInt(1.7e308), 1].map(String));
  });

  it('have a sum where it was asked for alone, and its text as it is where it is not divided', async () => {
    const large = { min: '"-2e300"', max: '"2e300"' };
    const facets = [
      binsOfType('decimal', 1),
      binsOfType('decimal', 1),
      binsOfType('float64', 1),
      binsOfType('int32', 1, { isAdded: false }),
    ];
    const sums = ['7.50', null, null, '7'];
    const texts = sums.map((sum) => JSON.stringify([{ bin: 1, count: '2', sum }]));
    const ranges = facets.map(() => large);
    const read = await readFacets(
      statementsOf(facets),
      finding(ranges, () => texts),
    );
    expect(read.facets?.map((facet) => (facet as FoundBins).sum)).toEqual([
      { text: '7.50', numbers: 2n },
      { text: undefined, numbers: 2n },
      { text: undefined, numbers: 2n },
      undefined,
    ]);
  });

  it.each([
    ['"200.50 -0.25 1"', '201.25', '201.25'],
    ['"0.50 0.50"', '1.00', '1'],
    ['"NaN 5"', 'NaN', 'NaN'],
    ['"Infinity"', 'Infinity', 'Infinity'],
  ])('add what a sum of %s is made of to %s, or %s without zeros', async (sum, kept, trimmed) => {
    const asking = finding([{ min: '"0"', max: '"9"' }], () => [
      `[{"bin":1,"count":"9","sum":${sum}}]`,
    ]);
    const found = [asking, { ...asking, trimsSums: true }].map(async (one) => {
      const { facets } = await readFacets(statementsOf([binsOfType('decimal', 1)]), one);
      return facets?.map((facet) => (facet as FoundBins).sum?.text);
    });
    expect(await Promise.all(found)).toEqual([[kept], [trimmed]]);
  });

  it('have the ends and the sum of all values where some value is in no bin', async () => {
    const facets = [
      binsOfType('int32', 1, { mayBeInNone: true }),
      binsOfType('int32', 1, { mayBeInNone: true }),
    ];
    const texts = [
      '[{"bin":0,"count":"2","sum":null},{"bin":1,"count":"1","sum":"1"}]',
      '[{"min":-9.0,"max":"},\\"max\\"","sum":"7","numbers":"2"}]',
      '[{"bin":1,"count":"3","sum":"5"}]',
      null,
    ];
    const ranges = [
      { min: '1', max: '1' },
      { min: '2', max: '3' },
    ];
    const read = await readFacets(
      statementsOf(facets),
      finding(ranges, () => texts),
    );
    expect(read.facets).toEqual([
      expect.objectContaining({
        min: '-9.0',
        max: '"},\\"max\\""',
        others: 2n,
        sum: { text: '7', numbers: 2n },
      }),
      expect.objectContaining({
        min: '2',
        max: '3',
        others: 0n,
        counts: [3n],
        sum: { text: '5', numbers: 3n },
      }),
    ]);
  });

  it('are bound by the texts of their bounds, the first one as often as there are too few', async () => {
    const facets = [binsOfType('int32', 4), VALUES, binsOfType('date', 2), binsOfType('int32', 1)];
    const asked: Statement[] = [];
    const fields: (string | undefined)[] = [];
    const ranges = [
      { min: '7', max: '8' },
      { min: '"2024-02-28"', max: '"2024-03-01"' },
      undefined,
    ];
    await readFacets(statementsOf(facets), {
      ...finding(ranges, (statement) => {
        asked.push(statement);
        return [];
      }),
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
    const asking = finding([{ min: '"0.0"', max: '"0.2"' }], () => ['[]']);
    const found = await Promise.all(
      [asking, { ...asking, hasFixedScale: ({ type }: Field) => type === 'decimal' }].map((one) =>
        readFacets(statementsOf([binsOfType('decimal', 4)]), one),
      ),
    );
    expect(found.map(({ facets: [facet] = [] }) => (facet as FoundBins).bounds)).toEqual([
      ['"0.0"', '"0.05"', '"0.1"', '"0.15"', '"0.2"'],
      ['"0.0"', '"0.1"', '"0.2"'],
    ]);
  });
});

/** What is counted of all values of a facet. */
const ALL = '[{"min":"x","max":1e+21,"distinct":"3","nulls":"4","total":"9"}]';

describe('facets of values', () => {
  it('are the text that was found, and the ends are not asked for where there are no bins', async () => {
    const values = '[{"value":"x","count":"2"}]';
    const asked: string[] = [];
    const read = await readFacets(
      statementsOf([VALUES]),
      finding([], ({ sql }) => {
        asked.push(sql);
        return [values, ALL, '[{"count":"12"}]'];
      }),
    );
    const counts = { distinct: 3n, nulls: 4n, total: 9n };
    expect(read).toEqual({
      facets: [{ kind: 'values', values, ...counts, min: '"x"', max: '1e+21' }],
      total: 12n,
    });
    expect(asked).toEqual(['read']);
  });

  it('and of bins are found in their order, each with its own bounds', async () => {
    const facets = [VALUES, binsOfType('int32', 1), VALUES, binsOfType('int32', 1)];
    const bins = ['1', '2'].map((count) => `[{"bin":1,"count":"${count}","sum":"1"}]`);
    const ranges = [
      { min: '1', max: '1' },
      { min: '2', max: '3' },
    ];
    const read = await readFacets(
      statementsOf(facets),
      finding(ranges, () => ['[]', ALL, bins[0] ?? '', '[]', ALL, bins[1] ?? '']),
    );
    const found = read.facets?.map((facet) =>
      facet.kind === 'bins' ? [facet.bounds, facet.counts] : facet.kind,
    );
    expect(found).toEqual(['values', [['1', '1'], [1n]], 'values', [['2', '3'], [2n]]]);
  });
});

it.each([true, false])(
  'no facets are read where the texts are longer than they may be, with snapshots: %s',
  async (hasSnapshots) => {
    const statements = statementsOf([binsOfType('int32', 1), VALUES], hasSnapshots);
    const range = { min: '1', max: '2' };
    const read = await readFacets(
      statements,
      finding([range], () => [null, null, null, null]),
    );
    expect(read).toStrictEqual({ facets: undefined, total: undefined });
  },
);

/** What is read where the least value is another one before so many statements. */
function readAfter(changes: number) {
  const facets = [binsOfType('int32', 2)];
  let least = 0;
  const bound: unknown[] = [];
  const now = (): string => rangeText({ min: String(least), max: '100' });
  const read = readFacets(statementsOf(facets, false), {
    texts: async ({ sql, parameters }) => {
      if (sql === 'ranges') return [now()];
      bound.push(parameters[0]);
      if (least < changes) least += 1;
      return ['[]', now()];
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
      const { facets, total } = await read;
      expect(facets?.[0]).toMatchObject({ min: String(changes), max: '100' });
      expect(total).toBeUndefined();
      expect(bound).toEqual(Array.from({ length: changes + 1 }, (_, least) => least));
    },
  );

  it('are read once where none of them are of bins', async () => {
    let times = 0;
    const read = await readFacets(
      statementsOf([VALUES], false),
      finding([], () => {
        times += 1;
        return ['[]', ALL];
      }),
    );
    expect([times, read.facets?.length]).toEqual([1, 1]);
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

describe('facets in a snapshot', () => {
  const statements = statementsOf([VALUES]);
  const readIn = async (row: readonly unknown[] | undefined) => {
    const snapshot = {
      row: async () => Promise.resolve(row),
      version: async () => Promise.resolve('v7'),
    };
    return FACETS.inSnapshot(snapshot as unknown as Snapshot, statements, {});
  };

  it('are the texts of its row, with its version', async () => {
    const counts = { distinct: 3n, nulls: 4n, total: 9n, min: '"x"', max: '1e+21' };
    expect(await readIn(['[]', ALL, '[{"count":"12"}]'])).toEqual({
      facets: [{ kind: 'values', values: '[]', ...counts }],
      total: 12n,
      version: 'v7',
    });
  });

  it('are too long where it has NULL, and none where there is no row', async () => {
    expect(await readIn([null])).toEqual({ facets: undefined, total: undefined, version: 'v7' });
    const counts = { distinct: 0n, nulls: 0n, total: 0n };
    expect(await readIn(undefined)).toEqual({
      facets: [{ kind: 'values', values: '[]', ...counts }],
      version: 'v7',
    });
    expect(await readIn([7])).toMatchObject({ facets: undefined });
  });

  it('are shared by all statements of one text and one session, whatever their values', () => {
    const session = { lock: 'tenant' } as unknown as NonNullable<Statement['session']>;
    const other = { ...statements, read: { ...statements.read, sql: 'other', session } };
    const shapes = [statements, { ...statements }, other].map((one) => FACETS.shapeOf?.(one));
    expect(shapes[0]).toMatch(/^facets [\w-]{22}$/);
    expect([shapes[1] === shapes[0], shapes[2] === shapes[0]]).toEqual([true, false]);
    expect(FACETS.termsOf(other)).toEqual({ ...other, session });
  });
});
