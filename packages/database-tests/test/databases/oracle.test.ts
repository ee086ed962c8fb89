import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import type { FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { anyRequest, anyRows, ORACLE_TABLE_COLUMNS } from './oracle-requests.ts';
import { oracleSql, SPELLINGS } from './oracle-sql.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 5000 : 100));

/** So many requests are under way at a time. */
const ABREAST = 8;

const [rows = []] = fc.sample(anyRows, { numRuns: 1, seed: SEED });
const TABLE: Table = { name: 'things', columns: ORACLE_TABLE_COLUMNS, rows };
const requests = fc.sample(anyRequest, { numRuns: REQUESTS, seed: SEED });

/** The total of a request and the ids of its page. */
type Outcome = readonly [total: number, ...ids: number[]];

const replies = new Map<string, string[]>();

describe.each(FIXTURES)(`${REQUESTS} random requests on $name (seed ${SEED})`, (fixture) => {
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    await createTable(fixture, database, TABLE);
    engine = await open(database.url, { models: modelSettings(fixture, [TABLE]) });
  });

  it('give the total and the page that SQL written by hand gives through the database’s own client', async () => {
    const spelling = SPELLINGS[fixture.family];
    if (spelling === undefined)
      throw new Error(`The oracle does not know the SQL of ${fixture.name}.`);
    const statements = requests.map((request) => oracleSql(TABLE.name, request, spelling));
    const [texts, expected] = await Promise.all([answers(), askClient(statements)]);
    for (const [index, request] of requests.entries()) {
      const text = texts[index] ?? '';
      const { result, total } = JSON.parse(text) as { result: { id: number }[]; total: string };
      const given = [Number(total), ...result.map(({ id }) => id)];
      expect(given, `seed ${SEED}, ${JSON.stringify(request)}\n${statements[index]}`).toEqual(
        expected[index],
      );
      expect(result.map((record) => Object.keys(record))).toEqual(
        result.map(() => request.attributes),
      );
    }
    replies.set(fixture.name, texts);
  });

  async function answers(): Promise<string[]> {
    const texts: string[] = [];
    for (let from = 0; from < requests.length; from += ABREAST) {
      const asked = requests.slice(from, from + ABREAST).map(async (request) => {
        const { result, page } = await engine.query(
          bodyOf({ model: TABLE.name, ...request }),
          EVERYTHING,
        );
        return `{"result":${result},"total":"${page.total}"}`;
      });
      texts.push(...(await Promise.all(asked)));
    }
    return texts;
  }

  /** Asks all at once; a line `#` comes before the answer to each request. */
  async function askClient(statements: readonly string[]): Promise<Outcome[]> {
    const script = statements.map((statement) => `select '#';\n${statement}`);
    const printed = (await database.client(script.join('\n'))).split('#\n').slice(1);
    return printed.map((lines) => lines.trim().split('\n').map(Number) as [number, ...number[]]);
  }
});

it('the replies to equal requests are the same text on every database', () => {
  const [reference = [], ...others] = [...replies.values()];
  expect(replies.size).toBe(FIXTURES.length);
  for (const texts of others) {
    const index = texts.findIndex((text, at) => text !== reference[at]);
    expect(texts[index], `for ${JSON.stringify(requests[index])}`).toBe(reference[index]);
  }
});
