import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { AskRow } from '../../connection/connection.ts';
import type { KeyTexts } from '../changes/transactions.ts';
import { BoundarySearch, isPlaceable, type NamedColumn } from './boundary-search.ts';

const WORD: NamedColumn = { name: 'word', databaseType: 'text', direction: 'asc' };

/** A database that sorts as the function says, and what was compared in each statement. */
function searchIn(isBefore: (one: string, other: string) => boolean, column = WORD) {
  const search = new BoundarySearch(['public', 'words'], [column]);
  const compared: number[][] = [];
  const ask: AskRow = async ({ parameters: [json] }) => {
    const asked = JSON.parse(String(json)) as [[string], [string][]][];
    compared.push(asked.map(([, all]) => all.length));
    return [
      JSON.stringify(
        asked.map(([[key], all]) => all.filter(([one]) => !isBefore(key, one)).length),
      ),
    ];
  };
  /** The places of keys, and how many boundaries each was compared with in each statement. */
  const find = async (keys: readonly string[], boundaries: readonly string[]) => {
    compared.length = 0;
    const places = await search.find(
      keys.map((key) => [key]),
      boundaries.map((one) => ({ texts: [one] })),
      ask,
    );
    return { places, compared: [...compared] };
  };
  return { find };
}

const LANGUAGE = new Intl.Collator('en').compare;

const inLanguage = (one: string, other: string): boolean => LANGUAGE(one, other) < 0;
const inBytes = (one: string, other: string): boolean => one < other;
const backwards = (one: string, other: string): boolean => one > other;

/** Numbers as words, so that they sort as bytes do. */
const wordsOf = (count: number): string[] =>
  Array.from({ length: count }, (_none, index) => `w${String(index).padStart(4, '0')}`);

describe('the search for the places of keys', () => {
  it.each([
    { sorts: 'a language', isBefore: inLanguage },
    { sorts: 'bytes', isBefore: inBytes },
    { sorts: 'nobody', isBefore: backwards },
  ])('finds those of a database that sorts as $sorts', async ({ isBefore }) => {
    const { find } = searchIn(isBefore);
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'B', 'b', '-'), maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(words, words, async (keys, all) => {
        const boundaries = all.toSorted((a, b) => Number(isBefore(b, a)) - Number(isBefore(a, b)));
        const { places } = await find(keys, boundaries);
        expect(places).toEqual(
          keys.map((key) => boundaries.filter((one) => !isBefore(key, one)).length),
        );
      }),
    );
  });

  it('asks once about eight boundaries for each key where it guesses right, a thousand at a time', async () => {
    const { find } = searchIn(inLanguage);
    const words = ['a', 'B', 'c', 'D', ...wordsOf(2000)];
    const some = await find(['b', 'w1000x', 'w1999'], words);
    expect(some).toEqual({ places: [1, 1005, 2004], compared: [[5, 8, 4]] });
    const { compared } = await find(wordsOf(2000), words);
    expect(compared.map(({ length }) => length)).toEqual([1000, 1000]);
    expect((await find([], words)).compared).toEqual([]);
    expect((await find(['a'], [])).compared).toEqual([]);
  });

  it('guesses by the bytes of texts once it was wrong about most', async () => {
    const { find } = searchIn(inBytes);
    const words = [...wordsOf(40).map((word) => word.toUpperCase()), 'a', ...wordsOf(40)];
    const keys = ['W0039', 'a'];
    expect((await find(['W0000', 'w0020', 'w0021'], words)).compared).toHaveLength(2);
    expect((await find(['W0000', 'W0001', 'W0002'], words)).compared.length).toBeGreaterThan(1);
    const { places, compared } = await find(keys, words);
    expect([places, compared]).toEqual([[40, 41], [[8, 8]]]);
  });

  it('goes on guessing as before where it was wrong at first about just a half', async () => {
    const { find } = searchIn(inBytes);
    const all = wordsOf(1000);
    const words = [...all.map((word) => word.toUpperCase()), ...all];
    const found = { places: [2000, 1], compared: [[4, 8], [32], [30]] };
    for (const expected of [found, found])
      expect(await find(['w0999', 'W0000'], words)).toEqual(expected);
  });

  it('guesses that a language does not sort digits as numbers', async () => {
    const { find } = searchIn(inLanguage);
    const words = Array.from({ length: 200 }, (_none, index) => `w${index}`).toSorted(LANGUAGE);
    expect((await find(['w3x', 'w70x', 'w99x'], words)).compared).toHaveLength(1);
  });

  it('then compares with 32 boundaries at even distances', async () => {
    const { find } = searchIn(backwards);
    const { places, compared } = await find(['w0010'], wordsOf(1000).toReversed());
    expect(places).toEqual([990]);
    expect(compared.slice(1)).toEqual([[32], [31]]);
  });

  it('compares integers and numerics as numbers', async () => {
    for (const databaseType of ['bigint', 'numeric(9,2)']) {
      const { find } = searchIn((a, b) => Number(a) < Number(b), { ...WORD, databaseType });
      const numbers = Array.from({ length: 100 }, (_none, index) => String(index));
      expect((await find(['9', '50'], numbers)).compared).toHaveLength(1);
    }
  });

  it('finds no place of what cannot be compared, and takes no short answer', async () => {
    const long: KeyTexts = ['a'.repeat(596)];
    expect([isPlaceable(long), isPlaceable(['a'.repeat(597)])]).toEqual([true, false]);
    const { find } = searchIn(inLanguage);
    expect(await find(['a', '\u{FFFD}'], ['b'])).toEqual({ places: undefined, compared: [] });
    const search = new BoundarySearch(['public', 'words'], [WORD]);
    await expect(search.find([['a']], [{ texts: ['b'] }], async () => [null])).rejects.toThrow(
      'A key has no place.',
    );
  });

  it('compares columns in order, and NULLs where they sort', async () => {
    const columns: NamedColumn[] = [
      { name: 'a "b"', databaseType: 'text', direction: 'desc', nulls: 'first' },
      { name: 'c', databaseType: 'bigint', direction: 'asc', nulls: 'last' },
      { name: 'id', databaseType: 'uuid', direction: 'asc' },
    ];
    let asked = '';
    await new BoundarySearch(['s', 't'], columns).find([['a']], [{ texts: ['b'] }], async (one) => {
      asked = one.sql.replaceAll(/\s+/g, ' ');
      return ['[0]'];
    });
    expect(asked).toBe(
      ` select coalesce(json_agg(p.passed order by p.place), '[]')::text from (
 select q.place, ( select count(*) from json_array_elements(q.item -> 1) e (item)
 cross join lateral ( select r."a ""b""" c0, r."c" c1, r."id" c2 from "s"."t" r where false
 union all select (e.item ->> 0)::text, (e.item ->> 1)::bigint, (e.item ->> 2)::uuid ) b
 where ((b.c0 > k.c0 or b.c0 is null and k.c0 is not null)
 or (b.c0 = k.c0 or b.c0 is null and k.c0 is null)
 and ((b.c1 < k.c1 or k.c1 is null and b.c1 is not null)
 or (b.c1 = k.c1 or b.c1 is null and k.c1 is null)
 and (b.c2 < k.c2 or b.c2 = k.c2 and true))) ) passed
 from json_array_elements($1::json) with ordinality q (item, place)
 cross join lateral (select (q.item -> 0 ->> 0)::text c0, (q.item -> 0 ->> 1)::bigint c1,
 (q.item -> 0 ->> 2)::uuid c2 offset 0) k ) p`.replaceAll('\n', ''),
    );
  });
});
