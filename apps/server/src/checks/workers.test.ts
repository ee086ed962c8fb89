import { expect, it } from 'vitest';

import { databasesIn } from '../settings/databases.ts';
import { settingsSchema } from '../settings/schema.ts';
import { workerNotes } from './workers.ts';

const notesOf = (settings: object): string[] =>
  databasesIn(settingsSchema.parse(settings)).flatMap((one) => workerNotes(one.settings));

const DATABASE = 'postgres://db/shop';

it('says how many connections and replication slots workers take together', () => {
  const replicas = ['postgres://standby/shop'];
  expect(notesOf({ database: DATABASE, workers: 4, follow: true, replicas })).toEqual([
    'workers: 4 take up to 64 connections to the database, 4 of them for exports, and 36 to each replica.',
    'follow: 4 workers take 4 replication slots.',
  ]);
  expect(notesOf({ database: DATABASE, workers: 2 })).toEqual([
    'workers: 2 take up to 24 connections to the database, 2 of them for exports.',
  ]);
});

it('says of one process how many connections it takes', () => {
  expect(notesOf({ database: DATABASE, follow: true })).toEqual([
    'workers: 1 takes up to 25 connections to the database, 2 of them for exports.',
  ]);
});

it('says nothing where a file is read', () => {
  expect(notesOf({ database: 'sqlite:shop.db', workers: 4 })).toEqual([]);
});
