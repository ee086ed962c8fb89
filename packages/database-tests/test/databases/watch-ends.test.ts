import type { Engine } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { BODY, openOn, statementsOf, watch } from './watched.ts';

const FIXTURES = fixturesOf(import.meta.filename);

// No database decides this.
describe.each(eachNth(FIXTURES.length, FIXTURES))(
  'a watched list of an engine of $name',
  (fixture) => {
    async function start(): Promise<Engine> {
      const database = await fixture.create();
      await database.execute(statementsOf(fixture));
      return openOn(database);
    }

    it('ends when the catalogue no longer has it', async () => {
      const engine = await start();
      const { ended } = await watch(engine);
      const settings = { expose: 'listed', models: { others: {} }, maxPageSize: 10 } as const;
      (await engine.prepare(settings)).apply();
      await expect(ended).rejects.toThrow('No model is named "things"');
    });

    it('ends with the engine', async () => {
      const engine = await start();
      const { ended } = await watch(engine);
      await engine.close();
      await expect(ended).rejects.toMatchObject({ code: 'shutting_down' });
    });

    it('is refused with every error of the request', async () => {
      const engine = await start();
      const body = { ...BODY, query_attributes: ['it'], page: { page: 1 }, watch_every_ms: 99 };
      await expect(watch(engine, { body })).rejects.toMatchObject({
        errors: [
          { pointer: '/watch_every_ms', code: 'out_of_range' },
          { pointer: '/page', code: 'unknown_member' },
          { pointer: '/query_attributes/0', code: 'unknown_attribute' },
        ],
      });
    });
  },
);
