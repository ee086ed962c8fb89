import { beforeRelease, startProgram } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { type Connection, type DatabaseKind, databaseKinds } from '../support/database.ts';
import { DEMO } from '../dq/demo.ts';
import { programPath } from '../support/program-path.ts';
import { startService, TOKEN } from '../support/service.ts';

const MAIN = programPath('@proj/conformance', 'dist/main.js');

interface Finding {
  readonly id: string;
  readonly outcome: 'holds' | 'fails' | 'not_tried';
  readonly detail: string;
}

/** Checks a service against the contract, and returns the rules that do not hold. */
async function brokenRules(origin: string, flags: readonly string[]): Promise<readonly Finding[]> {
  const env = { DYNAMIC_QUERY_TOKEN: TOKEN };
  const program = startProgram(process.execPath, [MAIN, origin, ...flags], env);
  onTestFinished(program.stop);
  const { stdout, stderr } = await program.ended;
  if (stdout === '') throw new Error(stderr);
  const { rules } = JSON.parse(stdout) as { readonly rules: readonly Finding[] };
  expect(rules.length).toBeGreaterThan(60);
  return rules.filter(({ outcome }) => outcome !== 'holds');
}

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
async function fill({ run }: Connection): Promise<void> {
  await run('create table countries (code varchar(2) not null primary key, name varchar(80))');
  for (const [index, code] of COUNTRIES.entries())
    await run('insert into countries values (?, ?)', [code, NAMES[index] ?? null]);
  await run(
    `create table cities (${Object.entries(COLUMNS)
      .map((column) => column.join(' '))
      .join(', ')})`,
  );
  await run('create table secrets (id integer not null primary key)');
  const marks = Object.keys(COLUMNS)
    .map(() => '?')
    .join(', ');
  for (let n = 1; n <= 300; n++) {
    await run(`insert into cities values (${marks})`, [
      // Past 2^53, as a text that every driver passes on.
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
      'hidden',
    ]);
  }
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

describe.each(databaseKinds())('the service over $name', (kind) => {
  it('keeps every rule of the contract', async () => {
    const database = await kind.start();
    onTestFinished(database.stop);
    const connection = await database.connect();
    await fill(connection);
    await connection.close();
    const service = await startService({ database: database.url, settings: settings(kind) });
    onTestFinished(service.stop);
    const hidden = ['--hidden-model', 'secrets', '--hidden-attribute', 'secret'];
    expect(await brokenRules(service.origin, ['--model', 'cities', ...hidden])).toEqual([]);
  });
});

describe('one service over databases of every kind', () => {
  it('keeps every rule of the contract with the models of each', async () => {
    const kinds = databaseKinds();
    const databases = await Promise.all(
      kinds.map(async (kind) => {
        const database = await kind.start();
        onTestFinished(database.stop);
        const connection = await database.connect();
        await fill(connection);
        await connection.close();
        return { name: kind.name.toLowerCase(), url: database.url, models: settings(kind) };
      }),
    );
    const written = databases.map(
      ({ name, url, models }) =>
        `  ${name}:\n    url: '${url}'\n${models.replaceAll(/^(?=.)/gm, '    ')}`,
    );
    const service = await startService({ settings: `databases:\n${written.join('')}` });
    onTestFinished(service.stop);
    for (const { name } of databases) {
      const hidden = ['--hidden-model', `${name}.secrets`, '--hidden-attribute', 'secret'];
      const broken = await brokenRules(service.origin, ['--model', `${name}.cities`, ...hidden]);
      expect([name, broken]).toEqual([name, []]);
    }
  });
});

/** The first two have keys of one attribute and of two. */
const MODELS = [
  'cities',
  'country_languages',
  'countries',
  'country_statistics',
  'time_zones',
] as const;

describe('the demo', () => {
  it('keeps every rule of the contract that can be tried where nothing is hidden', async () => {
    for (const model of beforeRelease ? MODELS : MODELS.slice(0, 2)) {
      const broken = await brokenRules(DEMO.origin, ['--model', model]);
      expect([model, broken.filter(({ outcome }) => outcome === 'fails')]).toEqual([model, []]);
    }
  });
});
