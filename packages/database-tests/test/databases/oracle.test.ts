import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { anyRequest } from './oracle-requests.ts';
import { answersOf, askClient, TABLE, useOracleTable } from './oracle-run.ts';
import { oracleSql, spellingOf } from './oracle-sql.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 1500 : 100));

const requests = fc.sample(anyRequest, { numRuns: REQUESTS, seed: SEED });

const replies = new Map<string, string[]>();

describe.each(FIXTURES)(`${REQUESTS} random requests on $name (seed ${SEED})`, (fixture) => {
  const opened = useOracleTable(fixture);

  it('give the total and the page that SQL written by hand gives through the database’s own client', async () => {
    const { database, engine } = opened();
    const spelling = spellingOf(fixture);
    const statements = requests.map((request) => oracleSql(TABLE.name, request, spelling));
    const [texts, expected] = await Promise.all([
      answersOf(engine, TABLE.name, requests),
      askClient(database, statements),
    ]);
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
});

it('the replies to equal requests are the same text on every database', () => {
  const [reference = [], ...others] = [...replies.values()];
  expect(replies.size).toBe(FIXTURES.length);
  for (const texts of others) {
    const index = texts.findIndex((text, at) => text !== reference[at]);
    expect(texts[index], `for ${JSON.stringify(requests[index])}`).toBe(reference[index]);
  }
});
