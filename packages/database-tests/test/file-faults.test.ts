import { existsSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile, directory } from '../../sqlite/test/database-file.ts';
import { ask, open } from './open.ts';
import { outcome } from './outcome.ts';
import { children, running } from './reader-processes.ts';

function cityFile(...names: readonly string[]): string {
  const rows = names.map((name) => `('${name}')`).join(', ');
  return databaseFile(
    `create table cities (id integer primary key, name text); insert into cities (name) values ${rows}`,
  );
}

async function namesIn(engine: Engine): Promise<unknown[]> {
  const { records } = await ask(engine, { model: 'cities', attributes: ['name'] });
  return records.map(({ name }) => name);
}

describe('a file', () => {
  let path: string;
  let engine: Engine;
  beforeAll(async () => {
    path = cityFile('Bern');
    engine = await open(`sqlite:${path}`);
  });

  /** Puts another file in its place. */
  function put(...names: readonly string[]): void {
    renameSync(cityFile(...names), path);
  }

  it('that is deleted makes the database unavailable, and is never replaced by an empty one', async () => {
    expect(await namesIn(engine)).toEqual(['Bern']);
    unlinkSync(path);
    expect(await Promise.all(Array.from({ length: 10 }, () => outcome(namesIn(engine))))).toEqual(
      Array(10).fill('database_unavailable'),
    );
    expect(await outcome(engine.ping())).toBe('database_unavailable');
    expect(existsSync(path)).toBe(false);
  });

  it('that is moved is read again when it is back, without a restart', async () => {
    put('Bern');
    expect(await namesIn(engine)).toEqual(['Bern']);
    const elsewhere = `${path}.moved`;
    renameSync(path, elsewhere);
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
    renameSync(elsewhere, path);
    expect(await namesIn(engine)).toEqual(['Bern']);
  });

  it('that another takes the place of is seen by the next question', async () => {
    put('Bern', 'Chur');
    expect(await namesIn(engine)).toEqual(['Bern', 'Chur']);
    put('Aarau');
    for (const names of await Promise.all(Array.from({ length: 10 }, () => namesIn(engine))))
      expect(names).toEqual(['Aarau']);
  });

  it('may be no database for a while', async () => {
    const garbage = join(directory, 'garbage');
    writeFileSync(garbage, 'not a database'.repeat(500));
    renameSync(garbage, path);
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
    put('Aarau');
    expect(await namesIn(engine)).toEqual(['Aarau']);
  });

  it('makes the database unavailable when its pages are gone', async () => {
    put(...Array.from({ length: 5000 }, (_, index) => `City ${index}`));
    truncateSync(path, 8192);
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
  });

  it('makes the database unavailable while a writer locks it for long, and no longer', async () => {
    put('Bern');
    const writer = new DatabaseSync(path, { timeout: 60_000 });
    writer.exec('begin exclusive');
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
    writer.exec('commit');
    writer.close();
    expect(await namesIn(engine)).toEqual(['Bern']);
  });
});

/** The path of a file with this content, or of a directory. */
function fileOf(content: string): string {
  const path = join(directory, `opening-${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

describe('opening an engine', () => {
  it('says of a file that is no database what it is, and leaves no process behind', async () => {
    const started = children.length;
    const before = new Set(running());
    await expect(open(`sqlite:${fileOf('x'.repeat(5000))}`)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(/^\/.*opening-[\d.]+: file is not a database$/),
    });
    expect(children.length).toBeGreaterThan(started);
    expect(running().filter((pid) => !before.has(pid))).toEqual([]);
  });

  it('says of a missing file where it was looked for, and does not make one', async () => {
    const path = join(directory, 'missing.db');
    await expect(open(`sqlite:${path}`)).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining(path) as string,
    });
    expect(existsSync(path)).toBe(false);
  });

  it('refuses an empty file by name, with a remedy', async () => {
    const path = fileOf('');
    await expect(open(`sqlite:${path}`)).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringMatching(
        new RegExp(`^database: ${path} is empty: .* Create its tables first, or give the path`),
      ) as string,
    });
  });

  it('takes a database without tables for what it is', async () => {
    const engine = await open(`sqlite:${databaseFile()}`);
    expect(engine.catalogue.size).toBe(0);
  });
});
