import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';

import { callOf } from '../../../test/call.ts';
import {
  numberedCheckpoints,
  numberedList,
  recordStatements,
} from '../../../test/numbered-list.ts';
import { questionOf } from '../../../test/page-questions.ts';
import { readsBy } from '../../../test/reads-by.ts';
import type { Condition } from '../../planning/condition.ts';
import { recordShape } from '../../sources/read-call.ts';
import type { RecordReading } from '../../sources/reads/record.ts';
import type { Snapshot } from '../../sources/source.ts';
import type { RecordQuestion } from '../reader.ts';
import { placeOf, readByCount, readRecord } from './read-record.ts';

const RECORD = {} as Condition;

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
      const { snapshot, keyAt, cost } = numberedList(place, { numbers });
      const checkpoints = numberedCheckpoints(keyAt, { first, step, length });
      const search = { statements: recordStatements(), record: RECORD, checkpoints };
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
  const { snapshot, keyAt, cost } = numberedList(5500, { numbers: 9000 });
  const checkpoints = numberedCheckpoints(keyAt, { first: 0, step: 30, length: 200 });
  await placeOf(snapshot, { statements: recordStatements(), record: RECORD, checkpoints });
  expect(cost().compared).toEqual([64]);
});

it('a record without checkpoints is counted, and one that is not in the list has no place', async () => {
  const search = { statements: recordStatements(), record: RECORD, checkpoints: undefined };
  expect(await placeOf(numberedList(7, { numbers: 9 }).snapshot, search)).toBe(7n);
  expect(await placeOf(numberedList(undefined, { numbers: 9 }).snapshot, search)).toBeUndefined();
});

const QUESTION = { ...questionOf(), record: RECORD, size: 10 } as RecordQuestion;

it('a record is read with the page that it is on, of the total that is known', async () => {
  const asked: unknown[] = [];
  const { snapshot } = numberedList(37, { numbers: 100 });
  const rows = vi.fn<Snapshot['rows']>().mockResolvedValue({ json: '[7]', rows: 1, version: 'v7' });
  const read = async (path: object | undefined, at = snapshot) =>
    readRecord({ ...at, rows } as unknown as Snapshot, {
      question: QUESTION,
      statements: recordStatements(),
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
  const { snapshot: without } = numberedList(undefined, { numbers: 100 });
  expect(await read({}, without)).toMatchObject({ json: '[]', offset: undefined });
  expect(asked).toHaveLength(2);
});

/** Reads a record whose key has so many other places of NULL, one after the other. */
function readChanging(times: number) {
  const asked: unknown[] = [];
  const statements = recordStatements();
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
