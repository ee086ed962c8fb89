import { beforeAll, describe, expect, it } from 'vitest';

import { type Database, type DatabaseKind, databaseKinds } from '../support/database.ts';
import { startService } from '../support/service.ts';
import { brokenRules } from './broken-rules.ts';

const COLUMNS = {
  id: 'bigint not null primary key',
  name: 'varchar(80) not null',
  country: 'varchar(2) references countries (code)',
  population: 'bigint',
  area: 'decimal(12, 3)',
  rating: 'double precision',
  visits: 'integer not null',
  founded: 'date',
  seen_at: 'timestamp',
  capital: 'boolean not null',
  tags: 'json',
  secret: 'varchar(80)',
};

const NAMES = [
  'Łódź',
  'Paris',
  'paris',
  'Århus',
  'São Paulo',
  '100%',
  "L'Isle_sur",
  'Ürümqi',
  'back\\slash',
  '東京',
  'a "b"',
  'Zürich',
];

/** Codes of countries; cities have no other, and none has the last. */
const COUNTRIES = ['FR', 'PL', 'JP', 'AQ'];

/**
 * Values of many types, ties, NULL, and what patterns and JSON would trip over. Cities refer to
 * countries.
 */
async function fill(run: Database['run']): Promise<void> {
  await run('create table countries (code varchar(2) not null primary key, name varchar(80))');
  for (const [index, code] of COUNTRIES.entries())
    await run('insert into countries values (?, ?)', [code, NAMES[index] ?? null]);
  await run(
    `create table cities (${Object.entries(COLUMNS)
      .map((column) => column.join(' '))
      .join(', ')})`,
  );
  await run('create table secrets (id integer not null primary key)');
  const marks = `(${Object.keys(COLUMNS)
    .map(() => '?')
    .join(', ')})`;
  const rows = Array.from({ length: 300 }, (_, index) => rowOf(index + 1));
  await run(`insert into cities values ${rows.map(() => marks).join(', ')}`, rows.flat());
}

/** Its key is past 2^53, as a text that every driver passes on. */
function rowOf(n: number): (string | number | null)[] {
  return [
    String(9_007_199_254_740_992n + BigInt(n)),
    `${NAMES[n % NAMES.length]}${n % 5 === 0 ? '' : ` ${n}`}`,
    n % 23 === 0 ? null : (COUNTRIES[n % 3] ?? null),
    n % 7 === 0 ? null : String(n * 1000),
    n % 11 === 0 ? null : `${n}.125`,
    n % 13 === 0 ? null : n / 8,
    n % 10,
    n % 17 === 0 ? null : `19${String(n % 100).padStart(2, '0')}-02-03`,
    n % 19 === 0 ? null : `2026-01-0${(n % 9) + 1}T10:20:30.5`,
    n % 2,
    n % 3 === 0 ? null : JSON.stringify(n % 4 === 0 ? ['old', 'port'] : ['old']),
    'hidden',
  ];
}

/** Everything but the secrets is shown; SQLite does not know types of time. */
function settings({ name }: DatabaseKind): string {
  const declared = name === 'SQLite' ? { founded: 'type: date', seen_at: 'type: timestamp' } : {};
  const shown = Object.keys(COLUMNS).filter((column) => column !== 'secret');
  const attributes = shown.map(
    (column) =>
      `      ${column}: { ${Object.entries(declared).find(([named]) => named === column)?.[1] ?? ''} }`,
  );
  const countries = '  countries: { attributes: all }\n';
  return `models:\n${countries}  cities:\n    attributes:\n${attributes.join('\n')}\n`;
}

describe('one service over databases of every kind', () => {
  const kinds = databaseKinds();
  let origin = '';

  beforeAll(async () => {
    const databases = await Promise.all(kinds.map(filled));
    ({ origin } = await startService({ settings: `databases:\n${databases.join('')}` }));
  });

  it.each(kinds.map(({ name }) => name))(
    'keeps every rule of the contract with the models of %s',
    async (kind) => {
      const name = kind.toLowerCase();
      const hidden = { hiddenModel: `${name}.secrets`, hiddenAttribute: 'secret' };
      expect(await brokenRules(origin, { model: `${name}.cities`, ...hidden })).toEqual([]);
    },
  );
});

/** Makes a database with the cities, and gives its settings. */
async function filled(kind: DatabaseKind): Promise<string> {
  const { url, run } = await kind.start();
  await fill(run);
  const models = settings(kind).replaceAll(/^(?=.)/gm, '    ');
  return `  ${kind.name.toLowerCase()}:\n    url: '${url}'\n${models}`;
}
