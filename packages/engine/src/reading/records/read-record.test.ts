import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';

import { callOf } from '../../../test/call.ts';
import { questionOf } from '../../../test/page-questions.ts';
import { readsBy } from '../../../test/reads-by.ts';
import type { Condition } from '../../planning/condition.ts';
import type { Checkpoints } from '../../sources/following/followed-moment.ts';
import { recordShape } from '../../sources/read-call.ts';
import type { RecordReading } from '../../sources/reads/record.ts';
import type { Key } from '../../sql/clauses/seek.ts';
import type { Snapshot } from '../../sources/source.ts';
import type { RecordStatements } from '../../sql/compile/compile-record.ts';
import type { Statement, Template } from '../../sql/statement.ts';
import type { RecordQuestion } from '../reader.ts';
import { placeOf, readByCount, readRecord } from './read-record.ts';

const RECORD = {} as Condition;

/** A statement of keys with NULL in these places. */
function keyed(sql: string, keys: readonly (readonly boolean[])[]): Template {
  const parameters = keys.flat().map((_, index) => ({ placeholder: 'key' as const, index }));
  return { sql: `${sql} ${keys.flat().join()}`, parameters };
}

/** Statements of a record, which are their names and the places of NULL. */
function statementsOf(): RecordStatements {
  const statements: Partial<RecordStatements> = {
    find: () => ({ sql: 'find', parameters: [] }),
    comparison: ({ record, keys }) => keyed('compare', [record, ...keys]),
    countBefore: ({ record, from }) =>
      keyed('count', from === undefined ? [record] : [record, from]),
    usualNulls: [false],
  };
  return statements as RecordStatements;
}

/** Where the keys are that are bound, which have NULL where the statement says so. */
function placesIn({ sql, parameters }: Statement): number[] {
  const [, nulls = ''] = sql.split(' ');
  expect(parameters.map((one) => one === null).join()).toBe(nulls);
  return parameters.flatMap((one, at) => (at % 2 === 0 ? [Number(one ?? parameters[at + 1])] : []));
}

/** A list of the numbers from 0, the last of which are NULL and a number: how it was read. */
function listWith(place: number | undefined, { numbers }: { readonly numbers: number }) {
  const compared: number[] = [];
  let counted = 0;
  const keyAt = (at: number) => (at < numbers ? [at, 0] : [null, at]);
  const snapshot: Pick<Snapshot, 'row' | 'count'> = {
    row: async (statement, isCommon = false) => {
      if (statement.sql === 'find') return place === undefined ? undefined : keyAt(place);
      const [own = 0, ...others] = placesIn(statement);
      expect([new Set(others).size, isCommon]).toEqual([others.length, true]);
      compared.push(others.length);
      return [String(others.filter((other) => other <= own).length)];
    },
    count: async (statement, isCommon) => {
      const [own = 0, from = 0] = placesIn(statement);
      expect(isCommon).toBe(statement.parameters.length > 2);
      counted = Math.max(0, own - from);
      return BigInt(counted);
    },
  };
  return { snapshot, keyAt, cost: () => ({ counted, compared }) };
}

/** Keys of a list, so many rows from each other. */
function checkpointsOf(
  keyAt: (row: number) => Key,
  { first, step, length }: Record<'first' | 'step' | 'length', number>,
): Checkpoints {
  const rowOf = (index: number): number => {
    if (index < 0 || index >= length) throw new RangeError('There is no such checkpoint.');
    return first + index * step;
  };
  const rowsBefore = (index: number) => BigInt(rowOf(index));
  return { length, rowsBefore, keyAt: (index) => keyAt(rowOf(index)) };
}

it('a record is where as many records are before it, found with few comparisons and counts', async () => {
  const places = fc.record({
    place: fc.nat({ max: 300_000 }),
    step: fc.integer({ min: 1, max: 2000 }),
    length: fc.nat({ max: 300 }),
    first: fc.nat({ max: 100 }),
    numbers: fc.nat({ max: 300_000 }),
  });
  await fc.assert(
    fc.asyncProperty(places, async ({ place, step, length, first, numbers }) => {
      const { snapshot, keyAt, cost } = listWith(place, { numbers });
      const checkpoints = checkpointsOf(keyAt, { first, step, length });
      const search = { statements: statementsOf(), record: RECORD, checkpoints };
      expect(await placeOf(snapshot, search)).toBe(BigInt(place));
      const { counted, compared } = cost();
      const last = first + (length - 1) * step;
      const beyond = length === 0 || place < first ? place : Math.max(0, place - last);
      expect(counted).toBeLessThanOrEqual(beyond + 4000 + step);
      expect(compared.every((keys) => keys > 0 && keys <= 64)).toBe(true);
      expect(compared.length).toBeLessThanOrEqual(length <= 64 ? 1 : 2);
    }),
    { examples: [[{ place: 299_999, step: 1000, length: 300, first: 0, numbers: 300_000 }]] },
  );
});

it('a record near a checkpoint of few rows is counted rather than compared on', async () => {
  const { snapshot, keyAt, cost } = listWith(5500, { numbers: 9000 });
  const checkpoints = checkpointsOf(keyAt, { first: 0, step: 30, length: 200 });
  await placeOf(snapshot, { statements: statementsOf(), record: RECORD, checkpoints });
  expect(cost().compared).toEqual([64]);
});

it('a record without checkpoints is counted, and one that is not in the list has no place', async () => {
  const search = { statements: statementsOf(), record: RECORD, checkpoints: undefined };
  expect(await placeOf(listWith(7, { numbers: 9 }).snapshot, search)).toBe(7n);
  expect(await placeOf(listWith(undefined, { numbers: 9 }).snapshot, search)).toBeUndefined();
});

const QUESTION = { ...questionOf(), record: RECORD, size: 10 } as RecordQuestion;

it('a record is read with the page that it is on, of the total that is known', async () => {
  const asked: unknown[] = [];
  const { snapshot } = listWith(37, { numbers: 100 });
  const rows = vi.fn<Snapshot['rows']>().mockResolvedValue({ json: '[7]', rows: 1, version: 'v7' });
  const read = async (path: object | undefined, at = snapshot) =>
    readRecord({ ...at, rows } as unknown as Snapshot, {
      question: QUESTION,
      statements: statementsOf(),
      checkpoints: undefined,
      total: 100n,
      locate: (range) => {
        asked.push(range);
        return path as never;
      },
    });
  const milliseconds = { count: expect.any(Number), rows: expect.any(Number) };
  const found = { json: '[7]', rows: 1, version: 'v7', total: 100n, offset: 30n, milliseconds };
  const before = performance.now();
  const reply = await read({});
  const passed = performance.now() - before;
  expect(reply).toEqual(found);
  expect(reply.milliseconds.count + reply.milliseconds.rows).toBeLessThanOrEqual(passed);
  expect(asked).toEqual([{ size: 10, offset: 30n }]);
  expect(await read(undefined)).toMatchObject({ json: '[]', total: 100n, offset: 30n });
  const { snapshot: without } = listWith(undefined, { numbers: 100 });
  expect(await read({}, without)).toMatchObject({ json: '[]', offset: undefined });
  expect(asked).toHaveLength(2);
});

/** Reads a record whose key has so many other places of NULL, one after the other. */
function readChanging(times: number) {
  const asked: unknown[] = [];
  const statements = statementsOf();
  const page = { json: '[7]', rows: 1, total: 9n, offset: 0n } as RecordReading;
  const source = readsBy<'record'>({
    record: async ({ before, find, size, total }, { shape }) => {
      asked.push([before.nulls, before.template.sql, find.sql, size, total, shape]);
      return asked.length > times ? page : { ...page, otherNulls: [asked.length % 2 === 1] };
    },
  });
  const read = readByCount(source, { question: QUESTION, statements, total: 9n }, callOf());
  return { read, asked, statements, page };
}

it('a record whose values become NULL meanwhile is counted again by what they are now', async () => {
  const { read, asked, statements, page } = readChanging(1);
  expect(await read).toEqual(page);
  const shape = recordShape(QUESTION.query.statements, false);
  expect(asked).toEqual([
    [[false], 'count false', 'find', 10, 9n, shape],
    [[true], 'count true', 'find', 10, 9n, shape],
  ]);
  expect(statements.usualNulls).toEqual([true]);
});

it('a record whose values change five times is given up', async () => {
  expect(await readChanging(4).read).toMatchObject({ rows: 1 });
  await expect(readChanging(5).read).rejects.toMatchObject({
    code: 'database_unavailable',
    message: 'A value of the record became NULL faster than its page could be read.',
  });
});
