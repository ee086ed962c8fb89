import { DATE_UNITS } from '@proj/contract';
import type { Engine } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { firstDay, localTime } from '../databases/groups/local-time.ts';
import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { usePostgres } from './server.ts';

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 400 : 30));

const ALL_ZONES = [
  ...['Paris', 'London', 'Berlin', 'Lisbon', 'Dublin', 'Moscow', 'Istanbul'].map(
    (city) => `Europe/${city}`,
  ),
  ...['Cairo', 'Casablanca'].map((city) => `Africa/${city}`),
  ...['Beirut', 'Gaza', 'Jerusalem', 'Tehran', 'Kolkata', 'Kathmandu', 'Shanghai', 'Tokyo'].map(
    (city) => `Asia/${city}`,
  ),
  ...['Auckland', 'Apia', 'Kiritimati'].map((city) => `Pacific/${city}`),
  ...['New_York', 'Los_Angeles', 'St_Johns', 'Sao_Paulo', 'Santiago', 'Havana', 'Caracas'].map(
    (city) => `America/${city}`,
  ),
  'Asia/Manila',
  'Australia/Sydney',
  'Australia/Lord_Howe',
];

const isWhole = beforeRelease || process.env['ORACLE_REQUESTS'] !== undefined;
const ZONES = ALL_ZONES.filter((_, index) => isWhole || index % 6 === SEED % 6);

const DAY = 24 * 3600_000;

interface Moment {
  readonly id: number;
  readonly zone: string;
  /** In UTC. */
  readonly at: string;
}

/** In seconds beside a change of a clock. */
const BESIDE = [0, -1, 1, -1800, 1800, -3600, 3600, -7200, 7200, -86_400, 86_400];

/** Beside each change of a zone's clock from 1970 to 2037. */
function momentsOf(zone: string): string[] {
  const offsetAt = (at: number): string => localTime(textOf(at), zone).hour.slice(19);
  const changes: number[] = [];
  for (let at = Date.UTC(1970) + 2 * DAY; at < Date.UTC(2038) - 2 * DAY; at += DAY) {
    let [from, to] = [at - DAY, at];
    if (offsetAt(from) === offsetAt(to)) continue;
    while (to - from > 1000) {
      const middle = Math.floor((from + to) / 2000) * 1000;
      if (offsetAt(middle) === offsetAt(at - DAY)) from = middle;
      else to = middle;
    }
    changes.push(to);
  }
  const moments = changes.flatMap((at) => BESIDE.map((seconds) => at + seconds * 1000));
  return [...new Set([Date.UTC(2000), ...moments])].map(textOf);
}

function textOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

const MOMENTS = ZONES.flatMap((zone) => momentsOf(zone).map((at) => ({ zone, at }))).map(
  (moment, index): Moment => ({ id: index + 1, ...moment }),
);

describe(`groups by local time beside every change of a clock (seed ${SEED})`, () => {
  const values = MOMENTS.map(({ id, zone, at }) => `(${id}, '${zone}', '${at}')`);
  const postgres = usePostgres(`
    create table moments (id int primary key, zone text, at timestamptz);
    insert into moments values ${values.join(', ')};`);
  let engine: Engine;
  /** As the server has them. */
  const local = new Map<number, string>();

  beforeAll(async () => {
    engine = await open(postgres().url);
    const texts = await postgres().client(
      `select id, to_char(at at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS') from moments`,
    );
    for (const line of texts.trim().split('\n')) {
      const [id, text = ''] = line.split('|');
      local.set(Number(id), text);
    }
    // The server's edition of the zone data may be another than this service's.
    const others = MOMENTS.filter(
      ({ id, zone, at }) => local.get(id)?.slice(0, 13) !== localTime(at, zone).hour.slice(0, 13),
    );
    const names = [...new Set(others.map(({ zone }) => zone))];
    if (others.length === 0) return;
    process.stdout.write(`${others.length} moments differ, in ${names.join(', ')}\n`);
    const ids = others.map(({ id }) => id);
    for (const id of ids) local.delete(id);
    await postgres().client(`delete from moments where id in (${ids.join(', ')})`);
  });

  it('are those of `at time zone`, where both have the same zone data', async () => {
    expect(local.size).toBeGreaterThan(MOMENTS.length * 0.95);
    const anyRequest = fc.record({
      zone: fc.constantFrom(...ZONES),
      by: fc.constantFrom(...DATE_UNITS),
      from: fc.integer({ min: 1970, max: 2037 }),
      years: fc.integer({ min: 1, max: 68 }),
    });
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ zone, by, from, years }) => {
        const first = `${from}-01-01T00:00:00Z`;
        const last = `${from + years}-01-01T00:00:00Z`;
        const { records } = await exported(engine, {
          model: 'moments',
          attributes: [`at.${by}`, 'n', 'ids'],
          filter: {
            and: [
              { attribute: 'zone', op: 'eq', value: zone },
              { attribute: 'at', op: 'gte', value: first },
              { attribute: 'at', op: 'lt', value: last },
            ],
          },
          grouping: {
            query_groups: [{ attribute: 'at', by, time_zone: zone }],
            query_aggregates: [
              { name: 'n', op: 'count' },
              { name: 'ids', op: 'sum', attribute: 'id' },
            ],
          },
        });
        const groups = new Map<string, { n: number; ids: number }>();
        for (const { id, at, ...moment } of MOMENTS) {
          const text = local.get(id);
          if (text === undefined || moment.zone !== zone || at < first || at >= last) continue;
          const shown = by === 'hour' ? hourOf(text, at) : firstDay(text.slice(0, 10), by);
          const { n, ids } = groups.get(shown) ?? { n: 0, ids: 0 };
          groups.set(shown, { n: n + 1, ids: ids + id });
        }
        const given = records.map((one) => JSON.stringify(one));
        const wanted = [...groups].map(([shown, { n, ids }]) =>
          JSON.stringify({ [`at.${by}`]: shown, n: String(n), ids: String(ids) }),
        );
        expect(given.toSorted()).toEqual(wanted.toSorted());
      }),
      { numRuns: REQUESTS, seed: SEED },
    );
  });
});

function hourOf(local: string, at: string): string {
  const seconds = (Date.parse(`${local}Z`) - Date.parse(at)) / 1000;
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, '0'));
  const offset = `${seconds < 0 ? '-' : '+'}${hours}:${minutes}${rest === '00' ? '' : `:${rest}`}`;
  return `${local.slice(0, 13)}:00:00${offset}`;
}
