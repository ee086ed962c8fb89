import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { ENGINE_CHANNELS, EVERYTHING, type TracedStatement } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { databaseFile, execute } from '../../../sqlite/test/database-file.ts';
import { deepPagesOf } from '../index-builds.ts';
import { open } from '../open.ts';

const SCRIPT = `
  create table things (id integer primary key, few int not null);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 9000)
  insert into things select i, i % 10 from n`;

const BODY = {
  query_model: 'things',
  query_attributes: ['id'],
  query_sort: [{ attribute: 'few' }],
  page: { containing: { id: 10 }, size: 10 },
};

/** Calls back once, when the key of a record was read. */
function onFoundKey(callback: () => void): void {
  const stop = (): void => void unsubscribe(ENGINE_CHANNELS.statement, note);
  const note = (message: unknown): void => {
    if (!/"k0".* limit 1$/.test((message as TracedStatement).text)) return;
    stop();
    callback();
  };
  subscribe(ENGINE_CHANNELS.statement, note);
  onTestFinished(stop);
}

it('shows the page of a record that a writer moves after its key was read', async () => {
  const path = databaseFile(SCRIPT);
  const acceleration = { pageIndexMinOffset: 100, replyCache: false };
  const engine = await open(`sqlite:${path}`, { acceleration });
  expect((await deepPagesOf(engine, { model: 'things', sort: ['few'] })).built).toBe(1);
  const before = await engine.query(BODY, EVERYTHING);
  let moves = 0;
  onFoundKey(() => {
    moves += 1;
    execute(path, 'update things set few = 100 where id = 10');
  });
  const after = await engine.query(BODY, EVERYTHING);
  expect([before.page.page, moves, after.page.page]).toEqual(['1', 1, '900']);
});
