import { aggregatesOf, type AggregateOp, isGroupable, unitsOf } from '@proj/contract';
import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';
import { anyRequest, kindOf, ORACLE_TABLE_COLUMNS } from '../oracle-requests.ts';
import { TABLE as ORACLE_TABLE } from '../oracle-run.ts';
import { createTable, modelSettings, type Table, wireTypeOf } from '../tables.ts';
import {
  type AggregateTerm,
  compare,
  groupedByHand,
  type GroupTerm,
  nameOf,
  normalised,
  type Values,
} from './grouped-by-hand.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 500 : 25));

const ZONES = ['Europe/Paris', 'America/St_Johns', 'Asia/Kathmandu', 'Etc/UTC'];

/** Beside changes of their clocks. */
const INSTANTS = [
  null,
  '1985-12-31T18:29:59Z',
  '1985-12-31T18:30:00Z',
  '1999-10-31T02:31:00Z',
  '2024-03-30T23:00:00Z',
  '2024-03-31T22:00:00Z',
  '2024-10-27T00:59:59Z',
  '2024-10-27T01:00:00Z',
];

const COLUMNS = { ...ORACLE_TABLE_COLUMNS, instant: 'timestamp_tz' } as const;
const TABLE: Table = {
  name: 'things',
  columns: COLUMNS,
  rows: ORACLE_TABLE.rows.map((row, index) => [
    ...row,
    INSTANTS[(index * 5) % INSTANTS.length] ?? null,
  ]),
};

const ATTRIBUTES = ['id', ...Object.keys(COLUMNS)];
const typeOf = (name: string) => (name === 'instant' ? 'timestamp_tz' : wireTypeOf(kindOf(name)));

const anyGroup = fc
  .constantFrom(...ATTRIBUTES.filter((name) => isGroupable(typeOf(name))))
  .chain((attribute): fc.Arbitrary<GroupTerm> => {
    const units = unitsOf(typeOf(attribute));
    if (units.length === 0) return fc.constant({ attribute });
    const by = fc.option(fc.constantFrom(...units), { nil: undefined });
    const zones = typeOf(attribute) === 'timestamp_tz' ? ZONES : [];
    const zone = fc.constantFrom(undefined, ...zones);
    return fc
      .tuple(by, zone)
      .map(([unit, time_zone]) => ({ attribute, ...(unit && { by: unit, time_zone }) }));
  });

const anyAggregate = fc.constantFrom(...ATTRIBUTES).chain((attribute) =>
  fc
    .constantFrom<AggregateOp[]>(...aggregatesOf(typeOf(attribute)))
    // Which of two texts comes first is the database's to say.
    .filter((op) => typeOf(attribute) !== 'text' || !['min', 'max'].includes(op))
    .map((op) => ({ op, attribute })),
);

const anyGroups = fc.record({
  groups: fc.uniqueArray(anyGroup, { minLength: 1, maxLength: 3, selector: nameOf }),
  aggregates: fc
    .array(anyAggregate, { maxLength: 4 })
    .map((all): AggregateTerm[] => all.map((one, index) => ({ name: `a${index}`, ...one }))),
  sorted: fc.record({
    place: fc.nat(6),
    direction: fc.constantFrom('asc', 'desc'),
    nulls: fc.constantFrom('first', 'last'),
  }),
  size: fc.integer({ min: 1, max: 60 }),
  list: anyRequest,
});

describe.each(FIXTURES)(`random groups on $name (seed ${SEED})`, (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await createTable(fixture, database, TABLE);
    engine = await open(database.url, { models: modelSettings(fixture, [TABLE]) });
  });

  it('are those that the records of the list make, each once, in order, with their number', async () => {
    await fc.assert(
      fc.asyncProperty(anyGroups, async ({ groups, aggregates, sorted, size, list }) => {
        const { filter } = list;
        const records = await exported(engine, {
          model: TABLE.name,
          attributes: ATTRIBUTES,
          ...(filter && { filter }),
        });
        const exact = aggregates.filter((one) => !isOfDoubles(one));
        const expected = groupedByHand(records.records, groups, exact);
        const names = [...groups, ...exact].map((one) => ('name' in one ? one.name : nameOf(one)));
        const { place, ...order } = sorted;
        const attribute = names[place % names.length] ?? '';
        const body = {
          query_model: TABLE.name,
          query_attributes: names,
          query_groups: groups,
          query_aggregates: aggregates,
          query_sort: [{ attribute, ...order }],
          ...(filter && { query_filter: filter }),
        };
        const whole = await exported(engine, {
          model: TABLE.name,
          attributes: names,
          ...(filter && { filter }),
          sort: body.query_sort,
          grouping: { query_groups: groups, query_aggregates: aggregates },
        });
        const last = Math.max(1, Math.ceil(expected.length / size));
        for (const page of new Set([1, Math.ceil(last / 2), last])) {
          const answer = await engine.query({ ...body, page: { page, size } }, EVERYTHING);
          expect(String(answer.page.total)).toBe(String(expected.length));
          const part = whole.records.slice((page - 1) * size, page * size);
          expect(JSON.parse(answer.result)).toEqual(part);
        }
        const decimals = new Set(
          exact.flatMap(({ name, op }) => (op === 'sum' || op === 'average' ? name : [])),
        );
        const given = whole.records.map((record) => normalised(record as Values, decimals));
        const wanted = expected.map((record) => normalised(record, decimals));
        expect(textsOf(given)).toEqual(textsOf(wanted));
        if (typeOfNamed(attribute, groups) !== 'text') expectInOrder(given, attribute, order);
      }),
      { numRuns: REQUESTS, seed: SEED },
    );
  });

  /** MariaDB adds floating point numbers as such, in whatever order. */
  function isOfDoubles({ op, attribute = '' }: AggregateTerm): boolean {
    const isAdded = op === 'sum' || op === 'average';
    return fixture.family === 'MariaDB' && isAdded && typeOf(attribute) === 'float64';
  }
});

function textsOf(records: readonly Values[]): string[] {
  return records.map((record) => JSON.stringify(record)).toSorted();
}

function typeOfNamed(name: string, groups: readonly GroupTerm[]): string | undefined {
  const group = groups.find((one) => nameOf(one) === name);
  return group && typeOf(group.attribute);
}

function expectInOrder(
  records: readonly Values[],
  name: string,
  { direction, nulls }: { readonly direction: string; readonly nulls: string },
): void {
  const values = records.map((record) => record[name]);
  const sorted = values.toSorted((a, b) => {
    if (a === null || b === null)
      return (Number(a === null) - Number(b === null)) * (nulls === 'last' ? 1 : -1);
    return compare(a, b) * (direction === 'asc' ? 1 : -1);
  });
  expect(values).toEqual(sorted);
}
