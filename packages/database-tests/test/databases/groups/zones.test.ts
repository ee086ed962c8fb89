import { DATE_UNITS } from '@proj/contract';
import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { type Fixture, shareOf } from '../../fixtures/fixture.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';
import { bodyOf } from '../everywhere.ts';
import { createTable, modelSettings, type Table } from '../tables.ts';
import { firstDay, localTime } from './local-time.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 250 : 8));

const HOUR = 3600_000;

/** Changes of clocks with something of their own. */
const ODD: readonly (readonly [zone: string, near: string])[] = [
  ['Europe/Paris', '2024-03-31T01:00:00Z'],
  ['Europe/Paris', '2024-10-27T01:00:00Z'],
  ['Europe/Paris', '1911-03-10T23:50:39Z'],
  // The clock went back a minute past midnight: an hour shown twice that is no whole one.
  ['America/St_Johns', '1999-10-31T02:31:00Z'],
  ['America/St_Johns', '2005-04-03T03:31:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Australia/Lord_Howe', '2024-04-06T15:00:00Z'],
  ['Australia/Lord_Howe', '2024-10-05T15:30:00Z'],
  ['Africa/Cairo', '2024-04-25T22:00:00Z'],
  ['Asia/Beirut', '2022-03-26T22:00:00Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z'],
  ['Asia/Kathmandu', '1985-12-31T18:30:00Z'],
  ['Asia/Kolkata', '2024-05-05T18:30:00Z'],
  ['America/New_York', '2037-11-01T06:00:00Z'],
  ['Asia/Manila', '1844-12-31T00:00:00Z'],
  ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
  ['Pacific/Kiritimati', '1994-12-31T10:00:00Z'],
  ['Africa/Casablanca', '2087-05-11T02:00:00Z'],
  // Beyond the years whose changes are listed one by one.
  ['Europe/Paris', '2129-01-01T00:00:00Z'],
  ['America/New_York', '2400-03-12T07:00:00Z'],
  ['Australia/Lord_Howe', '2496-04-02T15:00:00Z'],
  ['America/Santiago', '9001-09-07T04:00:00Z'],
];

const ZONES = [...new Set(ODD.map(([zone]) => zone)), 'UTC'];

const EACH = ZONES.flatMap((zone) => DATE_UNITS.map((by) => [zone, by] as const));

const anyMoment = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ODD), fc.integer({ min: -30 * 60, max: 30 * 60 }))
    .map(([[, near], minutes]) => Date.parse(near) + minutes * 60_000),
  fc
    .tuple(fc.constantFrom(...ODD), fc.constantFrom(-1000, 0, 1000))
    .map(([[, near], beside]) => Date.parse(near) + beside),
  fc.integer({ min: 1, max: Date.parse('2038-01-01') / 1000 }).map((at) => at * 1000),
  fc
    .integer({ min: Date.parse('0002-01-01') / 1000, max: Date.parse('9999-01-01') / 1000 })
    .map((at) => at * 1000),
);

const moments = fc.sample(anyMoment, { numRuns: beforeRelease ? 700 : 300, seed: SEED });

/** From the second that timestamps of MariaDB begin with, while it still is 1969 in the west. */
const FIRST_OF_1970 = Array.from({ length: 49 }, (_, half) => half * (HOUR / 2) || 1000);

const ON_FIRST_OF_1970 = [
  ['America/New_York', 'day'],
  ['America/St_Johns', 'hour'],
  ['Asia/Kathmandu', 'hour'],
] as const;

/** What the database's column can hold. */
function instantsFor({ family }: Fixture): string[] {
  const isHeld = (at: number): boolean =>
    family !== 'MariaDB' || (at > 0 && at < Date.parse('2038-01-18'));
  return [...FIRST_OF_1970, ...moments].filter(isHeld).map((at, index) => {
    const text = new Date(at).toISOString().slice(0, 19);
    return `${text}${index % 7 === 0 ? '.999999' : ''}Z`;
  });
}

describe.each(FIXTURES)(`groups by local time on $name (seed ${SEED})`, (fixture) => {
  let engine: Engine;
  const instants = instantsFor(fixture);

  beforeAll(async () => {
    const rows = [...instants.map((at, index) => [at, index % 3]), [null, 0], [null, 1]];
    const table: Table = { name: 'moments', columns: { at: 'timestamp_tz', part: 'int32' }, rows };
    const database = await fixture.create();
    await createTable(fixture, database, table);
    engine = await open(database.url, { models: modelSettings(fixture, [table]) });
  });

  it('are those that JavaScript shows, and a day keeps exactly the records of its group', async () => {
    const request = fc.record({
      zone: fc.constantFrom(...ZONES),
      by: fc.constantFrom(...DATE_UNITS),
      part: fc.constantFrom(0, 1, 2, undefined),
      direction: fc.constantFrom('asc', 'desc'),
      pick: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ zone, by, part, direction, pick }) => {
        const name = `at.${by}`;
        const filter =
          part === undefined ? {} : { filter: { attribute: 'part', op: 'eq', value: part } };
        const groups = await exported(engine, {
          model: 'moments',
          attributes: [name, 'n', 'ids'],
          sort: [{ attribute: name, direction }],
          grouping: {
            query_groups: [{ attribute: 'at', by, time_zone: zone }],
            query_aggregates: [
              { name: 'n', op: 'count' },
              { name: 'ids', op: 'sum', attribute: 'id' },
            ],
          },
          ...filter,
        });
        const expected = new Map<string | null, Expected>();
        for (const [index, at] of [...instants, null, null].entries()) {
          const own = index < instants.length ? index % 3 : index - instants.length;
          if (part !== undefined && own !== part) continue;
          const shown = at && shownIn(at, zone, by);
          // Clocks are put back: days are in their own order, and hours in that of time.
          const place = by === 'hour' ? Date.parse(at ?? '9999-12-31') : (shown ?? '~');
          const { n, ids } = expected.get(shown) ?? { n: 0, ids: 0 };
          expected.set(shown, { n: n + 1, ids: ids + index + 1, place });
        }
        const inOrder = [...expected].toSorted(([, a], [, b]) => (a.place < b.place ? -1 : 1));
        const wanted = inOrder.map(([shown, { n, ids }]) => ({
          [name]: shown,
          n: String(n),
          ids: String(ids),
        }));
        expect(groups.records).toEqual(direction === 'asc' ? wanted : wanted.toReversed());
        const value = wanted[pick % wanted.length]?.[name] ?? null;
        if (value === null) return;
        const kept = await engine.query(
          {
            ...(bodyOf({ model: 'moments', attributes: [name, 'n'] }) as object),
            query_groups: [{ attribute: 'at', by, time_zone: zone }],
            query_aggregates: [{ name: 'n', op: 'count' }],
            query_group_filter: { attribute: name, op: 'eq', value },
          },
          EVERYTHING,
        );
        expect(JSON.parse(kept.result)).toMatchObject([{ [name]: value }]);
        if (by !== 'day') return;
        const [{ n } = { n: '0' }] = JSON.parse(kept.result) as { n: string }[];
        const on = { attribute: 'at', op: 'on', value, time_zone: zone };
        const day = await engine.query(
          bodyOf({ model: 'moments', filter: on, size: 1 }),
          EVERYTHING,
        );
        expect('total' in day.page && String(day.page.total)).toBe(n);
      }),
      { numRuns: shareOf(fixture, REQUESTS), seed: SEED },
    );
  });

  it('of instants in JSON are those that JavaScript shows, in any year', async () => {
    const told = moments.map((at) => `${new Date(at).toISOString().slice(0, 19)}Z`);
    const rows = told.map(
      (at, id) => `(${id}, ${fixture.literal(JSON.stringify({ at }), 'json')})`,
    );
    const database = await fixture.create();
    await database.execute([
      'create table documents (id int not null primary key, details json)',
      `insert into documents values ${rows.join(', ')}`,
    ]);
    const attributes = {
      id: fixture.declaresTypes ? ({ type: 'int32' } as const) : {},
      at: { json: 'details', path: ['at'], type: 'timestamp_tz' },
    } as const;
    const documents = await open(database.url, { models: { documents: { attributes } } });
    for (const [zone, by] of eachNth(40, EACH)) {
      const name = `at.${by}`;
      const { records } = await exported(documents, {
        model: 'documents',
        attributes: [name, 'n'],
        grouping: {
          query_groups: [{ attribute: 'at', by, time_zone: zone }],
          query_aggregates: [{ name: 'n', op: 'count' }],
        },
      });
      const shown = Map.groupBy(told, (at) => shownIn(at, zone, by));
      const wanted = [...shown].map(([value, { length }]) => ({ [name]: value, n: `${length}` }));
      expect({ zone, by, groups: records.map(textOf).toSorted() }).toEqual({
        zone,
        by,
        groups: wanted.map(textOf).toSorted(),
      });
    }
  });

  it('are those that JavaScript shows on the first day of 1970', async () => {
    const value = ['1970-01-01T00:00:00.5Z', '1970-01-02T00:00:00Z'];
    const first = instants.filter((at) => at.startsWith('1970-01-01T'));
    for (const [zone, by] of ON_FIRST_OF_1970) {
      const name = `at.${by}`;
      const { records } = await exported(engine, {
        model: 'moments',
        attributes: [name],
        filter: { attribute: 'at', op: 'between', value },
        grouping: { query_groups: [{ attribute: 'at', by, time_zone: zone }] },
      });
      const wanted = new Set([...first, value[1] ?? ''].map((at) => shownIn(at, zone, by)));
      const shown = [...wanted].map((each) => textOf({ [name]: each }));
      expect([zone, ...records.map(textOf).toSorted()]).toEqual([zone, ...shown.toSorted()]);
    }
  });

  it('have no name for a hidden instant, whatever its zone', async () => {
    const seen = new Map([['moments', { attributes: new Set(['id', 'part']) }]]);
    for (const time_zone of ['Europe/Paris', 'Mars/Olympus']) {
      const [hidden, absent] = ['at', 'zz'].map((attribute) => ({
        query_model: 'moments',
        query_attributes: [`${attribute}.day`],
        query_groups: [{ attribute, by: 'day', time_zone }],
        page: { page: 1, size: 1 },
      }));
      const refused = async (body: unknown): Promise<string> =>
        engine.query(body, new Grant(seen)).then(String, ({ errors }) => JSON.stringify(errors));
      expect(await refused(hidden)).toContain('unknown_attribute');
      expect(await refused(hidden)).toBe((await refused(absent)).replaceAll('zz', 'at'));
    }
  });

  it('leave bins where they are, and show their bounds as local times', async () => {
    const inUtc = await facets({ bins: 9 });
    for (const zone of eachNth(3, ZONES)) {
      const { bins, ...rest } = await facets({ bins: 9, time_zone: zone });
      expect(rest).toEqual({ ...inUtc, bins: undefined });
      for (const [index, { from, count }] of bins.entries()) {
        const { from: instant, count: same } = inUtc.bins[index] ?? {};
        expect(count).toBe(same);
        const { hour } = localTime(String(instant), zone);
        expect([from.slice(0, 13), from.replace(/^.{19}[.\d]*/, '')]).toEqual([
          hour.slice(0, 13),
          hour.slice(19),
        ]);
        const since = (value: unknown) => total({ attribute: 'at', op: 'gte', value });
        expect(await since(from)).toBe(await since(instant));
      }
    }
  });

  async function facets(facet: object): Promise<Bins> {
    const body = { query_model: 'moments', query_facets: [{ attribute: 'at', ...facet }] };
    const { json } = await engine.facets(body, EVERYTHING);
    return (JSON.parse(json) as { facets: [Bins] }).facets[0];
  }

  async function total(filter: object): Promise<string> {
    const { page } = await engine.query(bodyOf({ model: 'moments', filter, size: 1 }), EVERYTHING);
    return 'total' in page ? String(page.total) : '';
  }
});

interface Bins {
  readonly bins: readonly { readonly from: string; readonly to: string; readonly count: string }[];
}

interface Expected {
  readonly n: number;
  readonly ids: number;
  readonly place: string | number;
}

const textOf = (record: unknown): string => JSON.stringify(record);

function shownIn(at: string, zone: string, by: (typeof DATE_UNITS)[number]): string {
  const { day, hour } = localTime(at, zone);
  return by === 'hour' ? hour : firstDay(day, by);
}
