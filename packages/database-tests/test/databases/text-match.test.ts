import { OPERATORS } from '@proj/contract';
import { EVERYTHING } from '@proj/engine';
import { eachNth, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import type { ColumnKind } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { bodyOf, useTables } from './everywhere.ts';
import type { Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TEXTS = [
  '',
  'abc',
  'ABC',
  'xabcx',
  'aXc',
  '100%',
  '100% of it',
  '100 of it',
  'a_c',
  '_',
  '%',
  '%%',
  'back\\slash',
  '\\',
  '\\\\',
  '\\%',
  '[a]',
  'a|c',
  '|',
  "it's",
  '"',
  '`',
  'abc ',
  ' abc',
  'line\nbreak',
  'tab\tstop',
  '東京都',
  '😀😁',
  'é',
  'e\u0301',
  '*?',
  '$1 :x ?',
  'ab',
  'bc',
  'aabaab',
  null,
];

/** Parts to look for, each of which some texts hold. */
const PARTS = [
  ...new Set([
    ...TEXTS.flatMap((text) => text ?? []),
    'a',
    'c',
    '0%',
    '%a',
    '_c',
    'b%',
    '\\s',
    'n\nb',
    '京',
    '😁',
    'aab',
    ' ',
  ]),
];

/** One case of four on every commit, and for the next operator others. */
function someFor<Case>(op: string, cases: readonly Case[]): readonly Case[] {
  return eachNth(4, cases, Object.keys(OPERATORS).indexOf(op));
}

const TABLE: Table = {
  name: 'texts',
  columns: { value: 'text' },
  rows: TEXTS.map((text) => [text]),
};
const PROSE: Table = { ...TABLE, name: 'prose', columns: { value: 'prose' } };

const MATCHES = {
  contains: (text: string, part: string) => text.includes(part),
  starts_with: (text: string, part: string) => text.startsWith(part),
  ends_with: (text: string, part: string) => text.endsWith(part),
} as const;

type Match = keyof typeof MATCHES;

/** What the operators with an `i` before them find of texts in small letters. */
const IN_ANY_CASE = { ...MATCHES, eq: (text: string, other: string) => text === other };

/** Letters in whose case all databases agree. */
const PAIRS = ['ä Ä', 'é É', 'ñ Ñ', 'ø Ø', 'ж Ж', 'λ Λ', 'ա Ա', 'k K'].map((pair) =>
  pair.split(' '),
);

/** And those in which they do not. */
const LETTERS = ['ß', 'ẞ', 'ss', 'i', 'I', 'İ', 'ı', 'ﬁ', 'fi', 'σ', 'Σ', 'ς', 'ΑΣ', 'ας', 'ΑΣΑ'];

/**
 * What icontains finds among the letters. SQLite folds as JavaScript does, PostgreSQL as ICU does,
 * and MariaDB by a table of its collation, which has one small letter for each large one: it knows
 * no `ẞ`, as that of MySQL does, and takes `İ` for an `i`, as DuckDB does, which is an `i` with a
 * dot elsewhere.
 */
const FOUND: readonly (readonly [
  letter: string,
  found: string,
  foundOnMariadb?: string,
  foundOnMysql?: string,
  foundOnDuckdb?: string,
])[] = [
  ['ß', 'ß ẞ', 'ß', 'ß ẞ'],
  ['ẞ', 'ß ẞ', 'ẞ', 'ß ẞ'],
  ['ss', 'ss'],
  ['SS', 'ss'],
  ['i', 'i I İ fi'],
  ['I', 'i I İ fi'],
  ['İ', 'İ', 'i I İ fi', 'i I İ fi', 'i I İ fi'],
  ['ı', 'ı'],
  ['ﬁ', 'ﬁ'],
  ['FI', 'fi'],
];

/**
 * What icontains misses though contains finds it: ICU makes another small letter of a sigma that
 * ends a word.
 */
const MISSED: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: ['Σ in ΑΣ', 'ΑΣ in ΑΣΑ'],
};

const letters = (column: ColumnKind, texts: readonly string[]): Table => ({
  name: `letters_${column}`,
  columns: { value: column },
  rows: texts.map((text) => [text]),
});
const LETTERS_OF_PROSE = letters('prose', [...PAIRS.flat(), ...LETTERS]);
const LETTERS_OF_TEXT = letters('text', [...PAIRS.flat(), ...LETTERS]);

describe(`on every database (seed ${SEED})`, () => {
  const everywhere = useTables([TABLE, PROSE, LETTERS_OF_PROSE, LETTERS_OF_TEXT], FIXTURES);

  it.each(Object.keys(MATCHES) as Match[])(
    '%s finds every character as itself, wildcards and escapes too',
    async (op) => {
      for (const part of someFor(op, PARTS)) {
        const filter = { attribute: 'value', op, value: part };
        const kept = rowsWhere((text) => MATCHES[op](text, part));
        expect(await everywhere.ids(TABLE.name, filter), `for ${JSON.stringify(part)}`).toEqual(
          kept,
        );
        const left = rowsWhere((text) => !MATCHES[op](text, part));
        expect(
          await everywhere.ids(TABLE.name, { not: filter }),
          `not ${JSON.stringify(part)}`,
        ).toEqual(left);
      }
    },
  );

  it.each(Object.keys(IN_ANY_CASE) as (keyof typeof IN_ANY_CASE)[])(
    'i%s finds every character as itself too, and takes letters of either case for one',
    async (op) => {
      const parts = someFor(op, PARTS);
      for (const part of parts.flatMap((one) => [one, one.toUpperCase()])) {
        const filter = { attribute: 'value', op: `i${op}`, value: part };
        const kept = rowsWhere((text) => IN_ANY_CASE[op](text.toLowerCase(), part.toLowerCase()));
        expect(await everywhere.ids(PROSE.name, filter), `for ${JSON.stringify(part)}`).toEqual(
          kept,
        );
      }
    },
  );

  it.each(['eq', 'in', 'is_distinct'])(
    '%s distinguishes texts that differ in case, in trailing spaces or in normal form',
    async (op) => {
      for (const { name } of [TABLE, PROSE]) {
        for (const part of someFor(op, PARTS)) {
          const filter = { attribute: 'value', op, value: op === 'in' ? [part] : part };
          const kept = rowsWhere((text) => text === part);
          const found = await everywhere.ids(name, op === 'is_distinct' ? { not: filter } : filter);
          expect(found, `${name}: ${JSON.stringify(part)}`).toEqual(kept);
        }
      }
    },
  );

  it.each(['contains', 'starts_with', 'ends_with', 'eq'])(
    '%s distinguishes the cases of letters of other scripts',
    async (op) => {
      const texts = [...PAIRS.flat(), ...LETTERS];
      for (const letter of someFor(op, texts)) {
        const test =
          op === 'eq'
            ? (text: string) => text === letter
            : (text: string) => MATCHES[op as Match](text, letter);
        const kept = texts.flatMap((text, index) => (test(text) ? [index + 1] : []));
        for (const { name } of [LETTERS_OF_PROSE, LETTERS_OF_TEXT]) {
          expect(await everywhere.ids(name, { attribute: 'value', op, value: letter })).toEqual(
            kept,
          );
        }
      }
    },
  );

  it.each(PAIRS)('icontains takes %s and %s for one letter', async (small, large) => {
    for (const value of [small, large]) {
      const filter = { attribute: 'value', op: 'icontains', value };
      const { text } = await everywhere.ask({
        model: LETTERS_OF_PROSE.name,
        attributes: ['value'],
        filter,
      });
      expect(JSON.parse(text)).toEqual(
        expect.arrayContaining([{ value: small }, { value: large }]),
      );
    }
  });

  it.each(
    FIXTURES.flatMap(({ name }) =>
      FOUND.map(
        ([letter, found, MariaDB = found, MySQL = MariaDB, DuckDB = found]) =>
          [name, letter, { MariaDB, MySQL, DuckDB }[name] ?? found] as const,
      ),
    ),
  )(
    'icontains on %s finds for %s: %s, and ieq those for which it finds the same',
    async (database, letter, found) => {
      const finds = async (op: string, text: string): Promise<string> =>
        (await lettersWith(database, LETTERS_OF_PROSE.name, op, text)).join(' ');
      expect(await finds('icontains', letter)).toBe(found);
      const whole: string[] = [];
      for (const text of found.split(' '))
        if ((await finds('icontains', text)) === found) whole.push(text);
      expect(await finds('ieq', letter)).toBe(whole.join(' '));
    },
  );

  it.each(FIXTURES.map(({ name }) => name))(
    'icontains on %s finds what contains finds',
    async (database) => {
      const missed: string[] = [];
      for (const { name } of [LETTERS_OF_PROSE, LETTERS_OF_TEXT]) {
        for (const letter of [...PAIRS.flat(), ...LETTERS]) {
          const found = new Set(await lettersWith(database, name, 'icontains', letter));
          const texts = await lettersWith(database, name, 'contains', letter);
          missed.push(
            ...texts.filter((text) => !found.has(text)).map((text) => `${letter} in ${text}`),
          );
        }
      }
      expect(MISSED[database] ?? []).toEqual(expect.arrayContaining(missed));
    },
  );

  it('icontains knows the case of ASCII letters only in a PostgreSQL column of the collation "C"', async () => {
    for (const { name: database } of FIXTURES) {
      const found = await lettersWith(database, LETTERS_OF_TEXT.name, 'icontains', 'ä');
      expect([database, ...found]).toEqual(
        database === 'PostgreSQL' ? [database, 'ä'] : [database, 'ä', 'Ä'],
      );
    }
  });

  async function lettersWith(
    database: string,
    model: string,
    op: string,
    value: string,
  ): Promise<string[]> {
    const body = bodyOf({
      model,
      attributes: ['value'],
      filter: { attribute: 'value', op, value },
    });
    const answer = await everywhere.engines.get(database)?.query(body, EVERYTHING);
    return (JSON.parse(answer?.result ?? '[]') as { value: string }[]).map(
      (record) => record.value,
    );
  }
});

/** The ids of the texts for which the test is true. */
function rowsWhere(test: (text: string) => boolean): number[] {
  return TEXTS.flatMap((text, index) => (text !== null && test(text) ? [index + 1] : []));
}
