import type { Engine, ModelSettings } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { type Fixture, type FixtureDatabase, shareOf } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { anyRequest } from './oracle-requests.ts';
import { answersOf, TABLE, truthsOf } from './oracle-run.ts';
import { createTable, wireTypeOf } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 500 : 40));

const anyRequests = fc.sample(anyRequest, { numRuns: REQUESTS, seed: SEED + 1 });

const COLUMNS = Object.entries(TABLE.columns).map(([name, spec]) => ({
  name,
  type: wireTypeOf(spec),
  value: `case when t.id > 0 then t.${name} end`,
}));

const ID = ['id', { type: 'int32' }] as const;

/** Every attribute but the key is computed, and has the values of the column of its name. */
function computed(reads: 'row' | undefined, { declaresTypes }: Fixture): ModelSettings {
  const attributes = COLUMNS.map(({ name, type, value }) => {
    const ofOthers = `(select o.${name} from ${TABLE.name} as o where o.id = t.id)`;
    const sql = reads === undefined ? ofOthers : value;
    return [name, { sql, type, ...(reads && { reads }) }] as const;
  });
  return {
    source: TABLE.name,
    attributes: Object.fromEntries([declaresTypes ? ID : ['id', {}], ...attributes]),
  };
}

/** A number is no truth value, but for a column that is said to hold such. */
function selected({ declaresTypes }: Fixture): ModelSettings {
  const columns = COLUMNS.map(({ name, type, value }) =>
    type === 'boolean' ? name : `${value} as ${name}`,
  );
  const types = COLUMNS.map(({ name, type }) => [name, { type }] as const);
  return {
    sql: `select id, ${columns.join(', ')} from ${TABLE.name} as t`,
    key: ['id'],
    ...(declaresTypes && { attributes: Object.fromEntries([ID, ...types]) }),
  };
}

describe.each(FIXTURES)(`random requests on $name (seed ${SEED})`, (fixture) => {
  const requests = anyRequests.slice(0, shareOf(fixture, REQUESTS));
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    await createTable(fixture, database, TABLE);
    const models = {
      of_row: computed('row', fixture),
      of_rows: computed(undefined, fixture),
      selected: selected(fixture),
      read: { ...selected(fixture), reads: [TABLE.name] },
    };
    engine = await open(database.url, { models, expose: 'listed' });
    for (const { path, problem } of engine.reports)
      throw new Error(`${path.join('.')}: ${problem}`);
  });

  it.each(['of_row', 'of_rows', 'selected', 'read'])(
    'to the model %s give what SQL written by hand gives of the columns',
    async (model) => {
      const asked = requests.map((request) => ({ request, hasPolicy: false }));
      const expected = await truthsOf(fixture, database, asked);
      const texts = await answersOf(engine, model, requests);
      for (const [index, request] of requests.entries()) {
        const { result, total } = JSON.parse(texts[index] ?? '') as {
          result: { id: number }[];
          total: string;
        };
        const given = [Number(total), ...result.map(({ id }) => id)];
        expect(given, `seed ${SEED}, ${JSON.stringify(request)}`).toEqual(expected[index]);
      }
    },
  );
});
