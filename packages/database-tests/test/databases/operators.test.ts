import { type Operator, OPERATORS, operatorsOf } from '@proj/contract';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { useTables } from './everywhere.ts';
import { wireTypeOf } from './tables.ts';
import {
  ASCENDING,
  ASCENDING_KINDS,
  type AscendingKind,
  kindColumn,
  rankOf,
  ROWS,
  VALUES,
  wireValue,
} from './values.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Whether a rank passes a comparison with others; `undefined` where SQL says neither. */
type Truth = (rank: number, others: readonly number[]) => boolean;

/** What each operator means, by the places of the values among all in ascending order. */
const TRUTHS: Partial<Record<Operator, Truth>> = {
  eq: (rank, [other]) => rank === other,
  ne: (rank, [other]) => rank !== other,
  lt: (rank, [other = 0]) => rank < other,
  lte: (rank, [other = 0]) => rank <= other,
  gt: (rank, [other = 0]) => rank > other,
  gte: (rank, [other = 0]) => rank >= other,
  in: (rank, others) => others.includes(rank),
  not_in: (rank, others) => !others.includes(rank),
  between: (rank, [low = 0, high = 0]) => rank >= low && rank <= high,
  is_distinct: (rank, [other]) => rank !== other,
};

/** Those that look into texts and days are in `text-match.test.ts` and `days.test.ts`. */
const MATCHES = Object.keys(OPERATORS).filter((op) => /ieq|contains|_with$|^on$/.test(op));

const CASES = ASCENDING_KINDS.flatMap((kind, place) =>
  eachNth(3, operatorsOf(wireTypeOf(kind)), place)
    .filter((op) => op !== 'is_null' && !MATCHES.includes(op))
    .map((op) => [op, kind] as const),
);

describe(`on every database (seed ${SEED})`, () => {
  const everywhere = useTables([VALUES], FIXTURES);

  it.each(CASES)(
    '%s keeps the same records by %s, and `not` the others that are not NULL',
    async (op, kind) => {
      const attribute = kindColumn(kind);
      const truth = TRUTHS[op];
      if (truth === undefined) throw new Error(`The test does not know ${op}.`);
      const ofNull = op === 'is_distinct';
      for (const others of operandsOf(op, kind)) {
        const values = others.map((rank) => wireValue(kind, rank));
        const filter = { attribute, op, value: isList(op) ? values : values[0] };
        const kept = rowsWhere(kind, (rank) => (rank === null ? ofNull : truth(rank, others)));
        const left = rowsWhere(kind, (rank) => rank !== null && !truth(rank, others));
        expect(await everywhere.ids(VALUES.name, filter), `for ${JSON.stringify(filter)}`).toEqual(
          kept,
        );
        expect(
          await everywhere.ids(VALUES.name, { not: filter }),
          `for ${JSON.stringify({ not: filter })}`,
        ).toEqual(left);
      }
    },
  );

  it.each(eachNth(2, ASCENDING_KINDS))(
    'is_null keeps what is NULL by %s, or what is not',
    async (kind) => {
      const filter = { attribute: kindColumn(kind), op: 'is_null' };
      const without = rowsWhere(kind, (rank) => rank === null);
      const others = rowsWhere(kind, (rank) => rank !== null);
      expect(await everywhere.ids(VALUES.name, filter)).toEqual(without);
      expect(await everywhere.ids(VALUES.name, { ...filter, value: false })).toEqual(others);
      expect(await everywhere.ids(VALUES.name, { not: filter })).toEqual(others);
      expect(await everywhere.ids(VALUES.name, { not: { ...filter, value: false } })).toEqual(
        without,
      );
    },
  );

  it.each(eachNth(2, ASCENDING_KINDS))(
    'is_distinct from null keeps what is not NULL by %s',
    async (kind) => {
      const filter = { attribute: kindColumn(kind), op: 'is_distinct', value: null };
      expect(await everywhere.ids(VALUES.name, filter)).toEqual(
        rowsWhere(kind, (rank) => rank !== null),
      );
      expect(await everywhere.ids(VALUES.name, { not: filter })).toEqual(
        rowsWhere(kind, (rank) => rank === null),
      );
    },
  );

  it.each(ASCENDING_KINDS)('the catalogue gives %s its type', (kind) => {
    for (const [name, engine] of everywhere.engines) {
      const attribute = engine.catalogue.get(VALUES.name)?.attributes.get(kindColumn(kind));
      expect([name, attribute?.type, attribute?.nullable]).toEqual([name, wireTypeOf(kind), true]);
    }
  });
});

function isList(op: Operator): boolean {
  const { operand } = OPERATORS[op];
  return operand === 'list' || operand === 'pair';
}

/** The first and the last value and one between them, or some choices of values. */
function operandsOf(op: Operator, kind: AscendingKind): readonly (readonly number[])[] {
  const ranks = ASCENDING[kind].map((_, rank) => rank);
  const last = ranks.length - 1;
  const some = new Set([0, SEED % ranks.length, last]);
  if (!isList(op)) return (beforeRelease ? ranks : [...some]).map((rank) => [rank]);
  if (op === 'between')
    return [
      [0, last],
      [1, last],
      [0, 1],
      [1, 1],
      [last, 0],
    ];
  return [[0], [last], [0, last], ranks, [1, 1]];
}

/** The ids of the rows for which the test is true. */
function rowsWhere(kind: AscendingKind, test: (rank: number | null) => boolean): number[] {
  return ROWS.filter((row) => test(rankOf(kind, row))).map((row) => row + 1);
}
