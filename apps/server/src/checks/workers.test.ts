import { expect, it } from 'vitest';

import { settingsSchema } from '../settings/schema.ts';
import { workerNotes } from './workers.ts';

const notesOf = (settings: object): string[] => workerNotes(settingsSchema.parse(settings));

const DATABASE = 'postgres://db/shop';

it('says how many connections and replication slots workers take together', () => {
  const replicas = ['postgres://standby/shop'];
  expect(notesOf({ database: DATABASE, workers: 4, follow: true, replicas })).toEqual([
    'workers: 4 take up to 48 connections to the database, and 36 to each replica.',
    'follow: 4 workers take 4 replication slots.',
  ]);
  expect(notesOf({ database: DATABASE, workers: 2 })).toEqual([
    'workers: 2 take up to 24 connections to the database.',
  ]);
});

it('says nothing where one process reads, or a file is read', () => {
  expect(notesOf({ database: DATABASE, follow: true })).toEqual([]);
  expect(notesOf({ database: 'sqlite:shop.db', workers: 4 })).toEqual([]);
});
