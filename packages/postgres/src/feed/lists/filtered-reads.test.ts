import type {
  Condition,
  FollowedOrder,
  KeyRows,
  OrderTerm,
  WantedKeys,
} from '@proj/engine/following';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { below, orderBy } from '../../../test/feed/listed-relation.ts';
import {
  compareRows,
  isBelow,
  type ListedRow,
  ListedServer,
  SHOWN,
} from '../../../test/feed/listed-server.ts';
import type { SeenMoment } from './seen-moment.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const advance = (ms: number): void => void vi.advanceTimersByTime(ms);

const ROWS = 250;

const LIMITS = [undefined, 120n, 240n] as const;

const CONDITIONS = LIMITS.map((limit) => limit && below(limit));

function orderOf(column: string, facts: Partial<OrderTerm>, limit: number): FollowedOrder {
  const { key, terms } = orderBy([column, 'id']);
  const [first, last] = terms;
  if (first === undefined || last === undefined) throw new Error('It has two terms.');
  const databaseType = column === 'word' ? 'text' : 'bigint';
  return {
    key: `${key} ${limit} ${facts.nulls}`,
    condition: CONDITIONS[limit],
    terms: [{ term: { ...first.term, ...facts }, field: { ...first.field, databaseType } }, last],
  };
}

const ORDERS = [0, 1].flatMap((limit) => [
  orderOf('low', { nullable: true, nulls: 'last' }, limit),
  orderOf('-low', { nullable: true, nulls: 'first' }, limit),
  orderOf('word', { nullable: true, nulls: 'last' }, limit),
]);

function met(rows: readonly ListedRow[], condition: Condition | undefined): ListedRow[] {
  const limit = LIMITS[CONDITIONS.indexOf(condition)];
  return rows.filter(({ low }) => limit === undefined || isBelow(low, limit));
}

/** A read in a snapshot, and the rows that it sees. */
interface Read {
  readonly moment: SeenMoment;
  readonly rows: readonly ListedRow[];
  readonly end: () => void;
  readonly work: Promise<unknown>[];
}

/** A list as a read sees it. */
function listOf({ rows }: Read, order: FollowedOrder) {
  const column = order.terms[0]?.term.column ?? '';
  const sorted = met(rows, order.condition).toSorted((a, b) => compareRows(order, a, b));
  const valueOf = (row: ListedRow): unknown => Reflect.get(row, column);
  const placeOf = (from: readonly unknown[] | undefined, within = sorted): number => {
    if (from === undefined) return 0;
    const key = { id: String(from[1]), [column]: from[0] } as unknown as ListedRow;
    return within.filter((row) => compareRows(order, row, key) < 0).length;
  };
  /** What is read of the keys that the index wants. */
  const read = ({ from, part, rows: most, step }: WantedKeys): KeyRows => {
    const inPart = sorted.filter(
      (row) => part === undefined || (valueOf(row) === null) === (part === 'null'),
    );
    const start = placeOf(from, inPart);
    const taken = inPart.slice(start, start + most);
    const keys = taken.map((row, place) => [valueOf(row), row.id, place]);
    return {
      rows: keys.filter((_key, place) => place % step === 0 || place === taken.length - 1),
    };
  };
  return { length: sorted.length, placeOf, read };
}

/**
 * Reads what the index lacks, and looks where it leads. Returns whether it leads anywhere.
 *
 * @param meanwhile is done before the keys that are read are learned
 */
async function checkIndex(
  read: Read,
  order: FollowedOrder,
  meanwhile: () => Promise<unknown>,
): Promise<boolean> {
  const list = listOf(read, order);
  const before = await read.moment.index(order);
  const wanted = before?.wants();
  await meanwhile();
  if (wanted !== undefined) await before?.learn(list.read(wanted));
  const index = await read.moment.index(order);
  const isKnown = [0, 0.3, 0.6, 0.99].map((part) => {
    const offset = Math.floor(list.length * part);
    const place = index?.locate({ size: 1, offset: BigInt(offset) });
    if (place !== undefined) expect(list.placeOf(place.from) + place.skip).toBe(offset);
    return place !== undefined;
  });
  const checkpoints = index?.checkpoints();
  for (let at = 0; at < (checkpoints?.length ?? 0); at++)
    expect(checkpoints?.rowsBefore(at)).toBe(BigInt(list.placeOf(checkpoints?.keyAt(at))));
  return isKnown.includes(true);
}

const LOW = fc.option(fc.integer({ min: 0, max: 300 }).map(String), { freq: 8 });

const STEP = fc.oneof(
  fc.record({
    rows: fc.dictionary(
      fc.integer({ min: 0, max: 260 }).map(String),
      fc.option(LOW, { freq: 4, nil: undefined }),
      { maxKeys: 12 },
    ),
    ends: fc.boolean(),
  }),
  fc.record({ reads: fc.nat(2), isCaller: fc.boolean() }),
  fc.record({ count: fc.nat(2), on: fc.nat(2), waits: fc.boolean() }),
  fc.record({ total: fc.nat(2), on: fc.nat(2), waits: fc.boolean() }),
  fc.record({
    order: fc.nat(ORDERS.length - 1),
    on: fc.nat(2),
    waits: fc.boolean(),
    isSlow: fc.boolean(),
  }),
  fc.record({ renews: fc.boolean(), waits: fc.boolean() }),
  fc.record({ ms: fc.constantFrom(1, 200, 11_000, 61_000) }),
);

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

type OrderStep = Extract<Step, { readonly order: number }>;

/** @param known how often something was known */
function startModel(known: { totals: number; states: number; readonly places: Set<string> }) {
  const lows = Array.from({ length: ROWS }, (_none, id) => (id % 20 === 7 ? null : String(id)));
  const server = new ListedServer(lows, { heldMs: 100_000, advance });
  server.countMs = 2;
  const shown = server.relationOf('caller', { shown: SHOWN });
  const begin = (isCaller: boolean): Read => {
    const end = server.log.beginRead();
    const seen = server.seen();
    server.log.noteSnapshot(seen.snapshot);
    const moment = server.moment(isCaller ? shown : server.relation, seen);
    return { moment, rows: server.rows(seen, isCaller), end, work: [] };
  };
  const reads = [begin(false), begin(true), begin(false)];
  const checkTotal = async ({ moment, rows }: Read, which: number): Promise<void> => {
    const condition = CONDITIONS[which];
    const total = await moment.total(condition);
    if (total === undefined) return;
    known.totals += 1;
    expect(total).toBe(BigInt(met(rows, condition).length));
  };
  const checkStates = async (): Promise<void> => {
    for (const isCaller of [false, true]) {
      const states = await server.filtered.states(isCaller ? 'caller' : 'a', CONDITIONS);
      if (states === undefined) continue;
      const rows = server.rows(states, isCaller);
      for (const [place, list] of states.lists.entries()) {
        if (list === undefined) continue;
        known.states += 1;
        expect(list.total).toBe(BigInt(met(rows, CONDITIONS[place]).length));
      }
    }
  };
  const checkOrder = async (read: Read, { order: place, isSlow }: OrderStep): Promise<void> => {
    const order = ORDERS[place] ?? orderBy(['id']);
    const meanwhile = async (): Promise<unknown> => isSlow && checkStates();
    if ((await read.moment.index(order)) === undefined) {
      await read.moment.countLists([order.condition], { leastMs: 1 });
      await read.moment.beginIndex(order);
    }
    for (let parts = 0; parts < 3; parts++)
      if (await checkIndex(read, order, meanwhile)) known.places.add(order.key);
  };
  let open = server.begin();
  const run = async (step: Step): Promise<unknown> => {
    if ('rows' in step) {
      for (const [id, low] of Object.entries(step.rows)) server.write(open, id, low);
      if (step.ends) {
        server.commit(open);
        open = server.begin();
      }
      return undefined;
    }
    if ('reads' in step) {
      const last = reads[step.reads];
      await Promise.all(last?.work ?? []);
      last?.end();
      reads[step.reads] = begin(step.isCaller);
      return undefined;
    }
    if ('ms' in step) {
      advance(step.ms);
      server.filtered.tick(server.seen().snapshot);
      return undefined;
    }
    const work = workOf(step);
    if (step.waits) await work;
    return work;
  };
  const workOf = (step: Step): Promise<unknown> => {
    if ('renews' in step) return checkStates();
    const read = 'on' in step ? reads[step.on] : undefined;
    if (read === undefined) throw new Error('There is a read.');
    let work: Promise<unknown> = Promise.resolve();
    if ('total' in step) work = checkTotal(read, step.total);
    if ('count' in step) {
      const { count } = step;
      work = read.moment
        .countLists([CONDITIONS[count]], { leastMs: 1 })
        .then(() => checkTotal(read, count));
    }
    if ('order' in step) work = checkOrder(read, step);
    read.work.push(work);
    return work;
  };
  return { run };
}

it('totals and places of lists are those of the rows that a read sees, whatever is written', async () => {
  const known = { totals: 0, states: 0, places: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 10, maxLength: 40 }), async (steps) => {
      const { run } = startModel(known);
      const work: Promise<unknown>[] = [];
      for (const step of steps) work.push(Promise.resolve(await run(step)));
      await Promise.all(work);
    }),
    { numRuns: 40 },
  );
  expect(known.totals).toBeGreaterThan(50);
  expect(known.places.size).toBe(ORDERS.length);
  expect(known.states).toBeGreaterThan(20);
});
