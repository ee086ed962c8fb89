import { type Engine, EVERYTHING } from '@proj/engine';

import type { FixtureDatabase } from '../fixtures/fixture.ts';
import { bodyOf } from './everywhere.ts';
import type { OracleRequest } from './oracle-requests.ts';

/** So many requests are under way at a time. */
const ABREAST = 8;

/** The total of a request and the ids of its page. */
type Outcome = readonly [total: number, ...ids: number[]];

/** The records and the total of each request, as one text. */
export async function answersOf(
  engine: Engine,
  model: string,
  requests: readonly OracleRequest[],
): Promise<string[]> {
  const texts: string[] = [];
  for (let from = 0; from < requests.length; from += ABREAST) {
    const asked = requests.slice(from, from + ABREAST).map(async (request) => {
      const { result, page } = await engine.query(bodyOf({ model, ...request }), EVERYTHING);
      return `{"result":${result},"total":"${page.total}"}`;
    });
    texts.push(...(await Promise.all(asked)));
  }
  return texts;
}

/** Asks all at once; a line `#` comes before the answer to each request. */
export async function askClient(
  database: FixtureDatabase,
  statements: readonly string[],
): Promise<Outcome[]> {
  const script = statements.map((statement) => `select '#';\n${statement}`);
  const printed = (await database.client(script.join('\n'))).split('#\n').slice(1);
  return printed.map((lines) => lines.trim().split('\n').map(Number) as [number, ...number[]]);
}
