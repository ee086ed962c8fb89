import { SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { useTables } from './everywhere.ts';
import type { Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Days on which the clock of a zone changed, or had something else that is its own. */
const DAYS: readonly (readonly [zone: string, ...days: string[]])[] = [
  ['UTC', '1970-01-04'],
  ['Europe/Paris', '2024-03-31', '2024-10-27'],
  // Midnight did not exist.
  ['America/Sao_Paulo', '2018-11-04'],
  // The clock went back from a minute past midnight: both days have two parts.
  ['America/St_Johns', '1999-10-30', '1999-10-31'],
  // This day was left out.
  ['Pacific/Apia', '2011-12-29', '2011-12-30', '2011-12-31'],
  ['Australia/Lord_Howe', '2024-04-07'],
  ['Asia/Kathmandu', '1986-01-01'],
  ['america/new_york', '2037-11-01'],
];

/** Some three hours more than the offsets of all zones, with steps that meet no full hour. */
const STEPS = 75;
const STEP = 59 * 60_000;

/** From a day before each of the days to a day behind it, and what is beside a change. */
const MOMENTS: readonly string[] = [
  '1999-10-31T02:30:59.999999',
  '1999-10-31T02:31:00',
  ...new Set(
    DAYS.flatMap(([, ...days]) => days).flatMap((day) =>
      Array.from({ length: STEPS }, (_, index) =>
        new Date(Date.parse(`${day}T00:00:00Z`) + (index - 25) * STEP).toISOString().slice(0, 19),
      ),
    ),
  ),
];

const TABLE: Table = {
  name: 'moments',
  columns: { day: 'date', local: 'timestamp', at: 'timestamp_tz' },
  rows: [
    ...MOMENTS.map((moment) => [moment.slice(0, 10), moment, `${moment}Z`]),
    [null, null, null],
  ],
};

/** The day of an instant in a zone, as JavaScript has it. */
function dayIn(zone: string, moment: string): string {
  const instant = Date.parse(`${moment.slice(0, 19)}Z`);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(instant);
}

function idsWhere(test: (moment: string) => boolean): number[] {
  return MOMENTS.flatMap((moment, index) => (test(moment) ? [index + 1] : []));
}

describe(`moments of a day, on every database (seed ${SEED})`, () => {
  const everywhere = useTables([TABLE], FIXTURES);

  it.each(DAYS)(
    'are those whose clock in %s showed %s and the days beside it',
    async (zone, ...days) => {
      for (const value of days) {
        const filter = { attribute: 'at', op: 'on', value, time_zone: zone };
        const kept = idsWhere((moment) => dayIn(zone, moment) === value);
        expect(await everywhere.ids(TABLE.name, filter), `on ${value}`).toEqual(kept);
        const left = idsWhere((moment) => dayIn(zone, moment) !== value);
        expect(await everywhere.ids(TABLE.name, { not: filter }), `not ${value}`).toEqual(left);
      }
    },
  );

  it.each(['day', 'local', 'at'])(
    'are those of the day in UTC where no zone is named: %s',
    async (attribute) => {
      for (const [, value = ''] of DAYS) {
        const kept = idsWhere((moment) => moment.startsWith(value));
        expect(await everywhere.ids(TABLE.name, { attribute, op: 'on', value })).toEqual(kept);
      }
    },
  );
});
