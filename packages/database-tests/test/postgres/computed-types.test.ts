import { expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

const postgres = usePostgres(`create type mood as enum ('sad', 'ok');
  create table days (id int primary key, mood mood, code uuid, doc xml, codes int[]);
  insert into days values (1, 'ok', '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11', '<a/>', '{1}');`);

const text = (sql: string) => ({ sql, type: 'text', reads: 'row' }) as const;

it('shows values of types without a collation as texts, where the settings call them so', async () => {
  const attributes = {
    id: {},
    mood: text('mood'),
    code: text('code'),
    doc: text('doc'),
    codes: text('codes'),
  };
  const engine = await open(postgres().url, { models: { days: { attributes } } });
  expect(engine.reports).toMatchObject([
    { problem: 'PostgreSQL computes values of type array, not text.' },
  ]);
  const { records } = await ask(engine, { model: 'days', attributes: ['mood', 'code', 'doc'] });
  expect(records).toEqual([
    { mood: 'ok', code: '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11', doc: '<a/>' },
  ]);
});
