import { describe, expect, it } from 'vitest';

import { readsBy } from '../../../test/reads-by.ts';
import { unversioned } from '../../sources/reads/snapshot.ts';
import { callBy, queryOf } from '../../../test/page-questions.ts';
import type { SortEstimate } from '../../sources/source.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';
import type { Key } from '../../sql/clauses/seek.ts';
import { KeyReader, SORT_BYTES } from './key-reader.ts';

const NO_SORT: SortEstimate = { rows: 0, rowBytes: 100, memoryBytes: Infinity };

/** What the planner says of the list in one statement, and of a chunk of it. */
interface Estimates {
  readonly whole?: SortEstimate;
  readonly chunk?: SortEstimate;
  /** Whether the database keeps no more rows than the limit of a chunk lets through. */
  readonly keepsLimit?: boolean;
  /** The index conditions of statements that begin behind a key, for a caller with policies. */
  readonly behindKeys?: Partial<SortEstimate>;
}

/** A reader of a list of so many records, whose ids are their places. */
function startReader(
  total: number,
  { whole = NO_SORT, chunk = NO_SORT, keepsLimit = false, behindKeys }: Estimates = {},
) {
  const statements: KeysStatement[] = [];
  const estimated: KeysStatement[] = [];
  const state = { version: '1' };
  const source = readsBy<'keys' | 'sort'>({
    sort: async (statement: KeysStatement) => {
      estimated.push(statement);
      const { key, size } = statement.bindings;
      if (statement.maySort && key.length === 0) return unversioned(whole);
      return {
        version: undefined,
        ...chunk,
        rows: Math.min(chunk.rows, keepsLimit ? size : Infinity),
        ...(behindKeys && { conditions: ['policy'] }),
        ...(key.length > 0 && behindKeys),
      };
    },
    keys: async (statement: KeysStatement) => {
      statements.push(statement);
      const { size, offset, key } = statement.bindings;
      const first = key.length === 0 ? 0 : Number(key[0]) + 1;
      const rows = Array.from({ length: Math.min(size, total - first) }, (_, n) => [first + n, n]);
      const isWanted = (n: number) => n % 100 === Number(offset) || n === rows.length - 1;
      return { rows: rows.filter((_, n) => isWanted(n)), version: state.version };
    },
  });
  const known = { total: BigInt(total), version: '1' };
  const keys: Key[] = [];
  const query = queryOf();
  const session = behindKeys === undefined ? undefined : {};
  Object.assign(query.plan, { session });
  const parts = { source, query, known, step: 100, keys, call: callBy() };
  return { reader: new KeyReader(parts), keys, statements, estimated, state };
}

describe('a list whose order an index has', () => {
  it('is read in chunks that grow up to 10,000 records while they take no time', async () => {
    const { reader, keys, statements } = startReader(100_000);
    expect(await reader.read()).toBe('built');
    expect(keys.map(([id]) => id)).toEqual(Array.from({ length: 1000 }, (_, n) => n * 100));
    const sizes = statements.map(({ bindings: { size } }) => size);
    expect(sizes[0]).toBe(1000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10_000);
    expect(Math.max(...sizes)).toBeGreaterThan(1000);
    expect(statements.every(({ maySort }) => !maySort)).toBe(true);
  });

  it('is read no further than to its last record', async () => {
    const { reader, statements } = startReader(1000);
    expect(await reader.read()).toBe('built');
    expect(statements).toHaveLength(1);
  });

  it.each([
    ['refused', 'the same conditions', {}, 1],
    ['built', 'another condition', { conditions: ['policy', 'key'] }, 3],
    ['built', 'conditions that the planner does not say', { conditions: undefined }, 3],
    ['built', 'a sort', { rows: 7 }, 3],
  ])(
    'is %s for a caller with policies where statements behind a key have %s',
    async (outcome, _what, behindKeys, most) => {
      const { reader, statements, estimated } = startReader(3000, { behindKeys });
      expect(await reader.read()).toBe(outcome);
      expect(statements.length).toBeLessThanOrEqual(most);
      const behind = estimated.filter(
        ({ bindings: { key, size } }) => key.length > 0 && size === 100,
      );
      expect(behind).toHaveLength(1);
    },
  );

  it('is read no further once the version is another one', async () => {
    const { reader, statements, state } = startReader(100_000);
    state.version = '2';
    expect(await reader.read()).toBe('outdated');
    expect(statements).toHaveLength(1);
  });

  it('is explained as a whole, and for each kind of chunk, at its largest', async () => {
    const { reader, estimated } = startReader(50_000);
    await reader.read();
    expect(estimated.map(({ rows, bindings: { size } }) => `${rows.sql} ${size}`)).toEqual([
      'anything 50001',
      'anything 10000',
      'anything 10000',
      'later 10000',
    ]);
  });
});

describe('a list whose order no index has', () => {
  const LARGEST = Math.floor(SORT_BYTES / 100);

  it.each([
    { total: LARGEST, memoryBytes: Infinity, outcome: 'built' },
    { total: LARGEST + 1, memoryBytes: Infinity, outcome: 'refused' },
    { total: 1000, memoryBytes: 100_000, outcome: 'built' },
    { total: 1001, memoryBytes: 100_000, outcome: 'refused' },
  ])(
    'of $total records of 100 bytes, with $memoryBytes bytes for a sort, is $outcome',
    async ({ total, memoryBytes, outcome }) => {
      const sort = { rows: Infinity, rowBytes: 100, memoryBytes };
      const { reader, statements } = startReader(total, { whole: sort, chunk: sort });
      expect(await reader.read()).toBe(outcome);
      const read = statements.map(({ maySort, bindings: { size } }) => ({ maySort, size }));
      expect(read).toEqual(outcome === 'built' ? [{ maySort: true, size: total + 1 }] : []);
    },
  );

  it('is sorted at once where that fits, though chunks of it need no sort', async () => {
    const whole = { rows: Infinity, rowBytes: 100, memoryBytes: 100_000 };
    const { reader, statements } = startReader(1000, { whole });
    expect(await reader.read()).toBe('built');
    expect(statements.map(({ maySort }) => maySort)).toEqual([true]);
  });

  it('is sorted at once, whatever it takes, where the database bounds its sorts itself', async () => {
    const sort = { rows: Infinity, rowBytes: 100, memoryBytes: 1, isBounded: true };
    const { reader, statements } = startReader(LARGEST + 1, { whole: sort, chunk: sort });
    expect(await reader.read()).toBe('built');
    expect(statements.map(({ bindings: { size } }) => size)).toEqual([LARGEST + 2]);
  });

  it('is walked in smaller chunks where the database keeps a chunk of wide rows in memory', async () => {
    const chunk = { rows: Infinity, rowBytes: 100, memoryBytes: 50_000 };
    const { reader, statements } = startReader(5000, { chunk, keepsLimit: true });
    expect(await reader.read()).toBe('built');
    expect(new Set(statements.map(({ bindings: { size } }) => size))).toEqual(new Set([500]));
  });

  it('is refused where not even a hundred rows fit', async () => {
    const chunk = { rows: Infinity, rowBytes: 100, memoryBytes: 9999 };
    const { reader } = startReader(5000, { whole: chunk, chunk, keepsLimit: true });
    expect(await reader.read()).toBe('refused');
  });

  it('is not sorted as a whole where an index has the order all the same', async () => {
    const whole = { rows: Infinity, rowBytes: 100, memoryBytes: 1000 };
    const { reader, statements } = startReader(5000, { whole });
    expect(await reader.read()).toBe('built');
    expect(statements.length).toBeGreaterThan(1);
  });
});
