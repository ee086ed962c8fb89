import assert from 'node:assert/strict';

import { until } from '@proj/test-servers';

import { type PageQuery, type Reply } from '../../support/ask.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { type Service, SETTINGS } from '../../support/service.ts';
import type { Stage } from '../stage.ts';

const CREATE = 'create table changing (id integer primary key, label varchar(40), price integer)';
const FILL = `insert into changing values (1, 'one', 10), (2, 'two', 20)`;

const query = (...attributes: readonly string[]): PageQuery => ({
  query_model: 'changing',
  query_attributes: attributes,
  page: { page: 1, size: 5 },
});

/** What the service knows of the schema is no longer true. */
export const SCHEMA_CHANGES: readonly FaultRow[] = [
  {
    name: 'dropped table',
    fault: 'a table is dropped while it is served',
    expected: '503 model_unavailable for its callers, all other models as before',
    run: async (stage) => {
      const service = await serveChanging(stage);
      await stage.database.run('drop table changing');
      demandReply(await service.ask(query('id')), 503, 'model_unavailable');
      await demandItems(service);
    },
  },
  {
    name: 'recreated table',
    fault: 'a table is dropped and made again',
    expected: 'the next request after it is back is answered',
    run: async (stage) => {
      const service = await serveChanging(stage);
      await stage.database.run('drop table changing');
      demandReply(await service.ask(query('id')), 503, 'model_unavailable');
      await stage.database.run(CREATE);
      await stage.database.run(FILL);
      demandRecords(await service.ask(query('id', 'label')), ['one', 'two']);
    },
  },
  {
    name: 'renamed column',
    fault: 'a column is renamed, and back',
    expected: 'never 500; the next request after it is back is answered',
    run: async (stage) => {
      const service = await serveChanging(stage);
      await stage.database.run('alter table changing rename column label to heading');
      demandStatus(await service.ask(query('id', 'label')), 400, 503);
      await stage.database.run('alter table changing rename column heading to label');
      demandRecords(await service.ask(query('id', 'label')), ['one', 'two']);
    },
  },
  {
    name: 'dropped column',
    fault: 'a column is dropped',
    expected:
      '400 unknown_attribute or 503 model_unavailable for it, the rest of the model is answered',
    run: async (stage) => {
      const service = await serveChanging(stage);
      await stage.database.run('alter table changing drop column price');
      const reply = await service.ask(query('price'));
      demandReply(reply, reply.status, 'unknown_attribute', 'model_unavailable');
      await until(async () => (await service.ask(query('id', 'label'))).status === 200);
    },
  },
  {
    name: 'changed type',
    fault: 'the type of a column changes',
    expected: 'a reply, of the old type or the new one, and never an error that stays',
    databases: ['postgres', 'mariadb'],
    run: async (stage) => {
      const service = await serveChanging(stage);
      const change =
        stage.database.name === 'postgres'
          ? 'alter column price type text'
          : 'modify column price text';
      await stage.database.run(`alter table changing ${change}`);
      await until(async () => (await service.ask(query('id', 'price'))).status === 200);
      assert.match((await service.ask(query('price'))).text, /"price":"?10"?/);
    },
  },
  {
    name: 'added column',
    fault: 'a column is added to a model whose attributes are listed',
    expected: 'it is not shown',
    run: async (stage) => {
      const model = { attributes: { id: {}, label: {} } };
      const service = await serveChanging(stage, { models: { changing: model } });
      await stage.database.run(
        `alter table changing add column secret varchar(10) default 'canary'`,
      );
      demandReply(await service.ask(query('secret')), 400, 'unknown_attribute');
      assert.ok(!(await service.get('/api/v1/dynamic/models')).text.includes('secret'));
    },
  },
  {
    name: 'table of the settings missing',
    fault: 'the settings name a table that does not exist',
    expected: 'the start says which, or the other models are served and the log says which',
    run: async (stage) => {
      const settings = {
        ...SETTINGS,
        models: { missing: { source: 'no_such_table', attributes: 'all' } },
      };
      const service = await stage.serve({ settings }).catch((error: unknown) => String(error));
      const said = typeof service === 'string' ? service : service.output();
      assert.match(said, /no_such_table|missing/);
      if (typeof service !== 'string') await demandItems(service);
    },
  },
];

async function serveChanging(
  { database, serve, atEnd }: Stage,
  settings: object = SETTINGS,
): Promise<Service> {
  await database.run(CREATE);
  atEnd(async () => database.run('drop table if exists changing'));
  await database.run(FILL);
  const service = await serve({ settings });
  demandRecords(await service.ask(query('id', 'label')), ['one', 'two']);
  return service;
}

function demandRecords(reply: Reply, labels: readonly string[]): void {
  demandReply(reply, 200);
  for (const label of labels)
    assert.ok(reply.text.includes(label), `no "${label}" in ${reply.text}`);
}
