import { type Engine, type EngineSettings, EVERYTHING, Grant } from '@proj/engine';
import { SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, expect } from 'vitest';

import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { anyRows, type OracleRequest, ORACLE_TABLE_COLUMNS } from './oracle-requests.ts';
import { oracleSql, spellingOf } from './oracle-sql.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

/** So many requests are under way at a time. */
const ABREAST = 8;

const [rows = []] = fc.sample(anyRows, { numRuns: 1, seed: SEED });

/** The table that random requests are for. */
export const TABLE: Table = { name: 'things', columns: ORACLE_TABLE_COLUMNS, rows };

/** No caller of this grant sees the rows beyond. */
const POLICY = { attribute: 'id', op: 'lte', value: 70 } as const;
const NARROW = new Grant(new Map([[TABLE.name, { attributes: 'all', rowPolicy: POLICY }]]));

/** A request, and whether a row policy hides rows from its caller. */
export interface Asked {
  readonly request: OracleRequest;
  readonly hasPolicy: boolean;
}

/** The total of a request and the ids of its page. */
export type Truth = readonly [total: number, ...ids: number[]];

/** What a reply should be, and is. */
interface Compared {
  readonly given: unknown;
  readonly right: unknown;
  /** Of which request. */
  readonly request: string;
}

/** What there is beside the table, and how the engine is opened. */
interface Setting extends Partial<EngineSettings> {
  readonly others?: readonly Table[];
}

/** Makes the table on a database before the tests of a group, and opens an engine. */
export function useOracleTable(
  fixture: Fixture,
  { others = [], ...settings }: Setting = {},
): () => { readonly database: FixtureDatabase; readonly engine: Engine } {
  let opened: { database: FixtureDatabase; engine: Engine } | undefined;
  beforeAll(async () => {
    const database = await fixture.create();
    for (const table of [TABLE, ...others]) await createTable(fixture, database, table);
    const models = modelSettings(fixture, [TABLE]);
    opened = { database, engine: await open(database.url, { models, ...settings }) };
  });
  return () => {
    if (opened === undefined) throw new Error('The table is not made yet.');
    return opened;
  };
}

export function grantOf({ hasPolicy }: Asked): Grant {
  return hasPolicy ? NARROW : EVERYTHING;
}

/** What SQL written by hand gives for each request to the table, with its row policy. */
export function truthsOf(
  fixture: Fixture,
  database: FixtureDatabase,
  asked: readonly Asked[],
): Promise<Truth[]> {
  const spelling = spellingOf(fixture);
  const statements = asked.map(({ request, hasPolicy }) => {
    const { filter } = request;
    const visible = filter === undefined ? POLICY : { and: [POLICY, filter] };
    return oracleSql(TABLE.name, hasPolicy ? { ...request, filter: visible } : request, spelling);
  });
  return askClient(database, statements);
}

/** Compares all, some at a time, each beside its truth. */
export async function expectTruths<One extends Asked>(
  asked: readonly One[],
  truths: readonly Truth[],
  compare: (one: One, truth: Truth) => Promise<Compared>,
): Promise<void> {
  for (let from = 0; from < asked.length; from += ABREAST) {
    const some = asked.slice(from, from + ABREAST);
    const found = some.map((one, index) => compare(one, truths[from + index] ?? [0]));
    for (const { given, right, request } of await Promise.all(found))
      expect({ given, request }).toEqual({ given: right, request });
  }
}

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
): Promise<Truth[]> {
  const script = statements.map((statement) => `select '#';\n${statement}`);
  const printed = (await database.client(script.join('\n'))).split('#\n').slice(1);
  return printed.map((lines) => lines.trim().split('\n').map(Number) as [number, ...number[]]);
}
