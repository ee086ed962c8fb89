import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { meantZone, TimeZone, zoneNamed } from './time-zone.ts';

const DAY = 24 * 3600 * 1000;

/** The spans of a day, as ISO texts. */
function spansOf(zone: string, day: string): string[] {
  const spans = TimeZone.named(zone)?.spansOfDay(Date.parse(`${day}T00:00:00Z`)) ?? [];
  return spans.map(({ from, before }) =>
    [from, before].map((moment) => new Date(moment).toISOString().slice(0, 19)).join(' '),
  );
}

describe('the spans of a day in a zone', () => {
  it.each([
    ['Europe/Paris', '2024-03-31', '2024-03-30T23:00:00 2024-03-31T22:00:00'],
    ['Europe/Paris', '2024-10-27', '2024-10-26T22:00:00 2024-10-27T23:00:00'],
    ['Europe/Paris', '1880-05-05', '1880-05-04T23:50:39 1880-05-05T23:50:39'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00 2018-11-05T02:00:00'],
    ['Asia/Manila', '1840-01-01', '1840-01-01T15:56:08 1840-01-02T15:56:08'],
  ])('are one in %s on %s: %s', (zone, day, span) => {
    expect(spansOf(zone, day)).toEqual([span]);
  });

  it('are two where the clock was put back over midnight', () => {
    expect(spansOf('America/St_Johns', '1999-10-31')).toEqual([
      '1999-10-31T02:30:00 1999-10-31T02:31:00',
      '1999-10-31T03:30:00 1999-11-01T03:30:00',
    ]);
  });

  it('are none where the day was left out', () => {
    expect(spansOf('Pacific/Apia', '2011-12-30')).toEqual([]);
  });

  it('hold exactly the moments that JavaScript shows on that day', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const moments = fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2038-01-01') });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (name, near) => {
        const midnight = Math.floor(near / DAY) * DAY;
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: name });
        const day = new Date(midnight).toISOString().slice(0, 10);
        const spans = TimeZone.named(name)?.spansOfDay(midnight) ?? [];
        const edges = spans.flatMap(({ from, before }) => [
          from,
          from - 1000,
          before,
          before - 1000,
        ]);
        for (const moment of [near, ...edges]) {
          const isWithin = spans.some(({ from, before }) => moment >= from && moment < before);
          expect(isWithin).toBe(shown.format(moment) === day);
        }
      }),
    );
  });
});

it('has every change of a clock until the rules of its zone repeat', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const moments = fc.integer({ min: Date.parse('1800-01-01'), max: Date.parse('2129-01-01') });
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.array(moments, { minLength: 200 }), (name, all) => {
      const zone = zoneNamed(name);
      const changes = zone.periods.slice(1).flatMap(({ from }) => [from - 1, from]);
      for (const at of [...all, ...changes]) {
        const period = zone.periods.findLast(({ from }) => from <= at);
        expect(period?.offset).toBe(zone.offsetAt(at));
      }
    }),
    { numRuns: 10 },
  );
});

it('begins with all time before the first change, and lists each change once', async () => {
  // A zone keeps its periods; that of a new module finds them.
  vi.resetModules();
  const { zoneNamed: anew } = await import('./time-zone.ts');
  expect(anew('Asia/Dubai').periods).toEqual([
    { from: -Infinity, offset: 13_272_000 },
    { from: Date.parse('1919-12-31T20:18:48Z'), offset: 14_400_000 },
  ]);
});

it('has the rules of its zone in years that no Date reaches', () => {
  const paris = zoneNamed('Europe/Paris');
  const far = (month: number): number =>
    paris.offsetAt(Date.UTC(2024, month) + 700 * 146_097 * DAY);
  expect([far(0), far(6)]).toEqual([3_600_000, 7_200_000]);
});

it('knows zones by their names in the database of IANA alone, in any letter case', () => {
  expect(TimeZone.named('europe/PARIS')).toBeDefined();
  expect(TimeZone.named('US/Eastern')).toBeDefined();
  expect(() => zoneNamed('Mars/Olympus')).toThrow('There is no time zone Mars/Olympus.');
  const others = ['+01:00', 'GMT+1', 'Europe', '', 'Mars/Olympus'];
  expect(others.map((name) => TimeZone.named(name))).toEqual(others.map(() => undefined));
});

it('finds the zone that was meant by a city or with a letter more', () => {
  expect(meantZone('paris')).toEqual({ did_you_mean: 'Europe/Paris' });
  expect(meantZone('Europe/Pariss')).toEqual({ did_you_mean: 'Europe/Paris' });
  expect(meantZone('Mars/Olympus')).toEqual({});
});
