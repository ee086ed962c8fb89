import {
  existsSync,
  mkdirSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import type { Engine } from '../src/index.ts';
import { databaseFile, directory } from './database-file.ts';
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

describe('a file that is deleted while the engine is open', () => {
  it('makes the database unavailable, and is never replaced by an empty one', async () => {
    const path = cityFile('Bern');
    const engine = await open(`sqlite:${path}`);
    expect(await namesIn(engine)).toEqual(['Bern']);
    unlinkSync(path);
    expect(await Promise.all(Array.from({ length: 10 }, () => outcome(namesIn(engine))))).toEqual(
      Array(10).fill('database_unavailable'),
    );
    expect(await outcome(engine.ping())).toBe('database_unavailable');
    expect(existsSync(path)).toBe(false);
  });

  it('is read again when it is back, without a restart', async () => {
    const path = cityFile('Bern');
    const engine = await open(`sqlite:${path}`);
    const elsewhere = `${path}.moved`;
    renameSync(path, elsewhere);
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
    renameSync(elsewhere, path);
    expect(await namesIn(engine)).toEqual(['Bern']);
  });
});

describe('a file that another takes the place of', () => {
  it('is seen by the next question of every reader', async () => {
    const path = cityFile('Bern', 'Chur');
    const engine = await open(`sqlite:${path}`);
    expect(await namesIn(engine)).toEqual(['Bern', 'Chur']);
    renameSync(cityFile('Aarau'), path);
    for (const names of await Promise.all(Array.from({ length: 10 }, () => namesIn(engine))))
      expect(names).toEqual(['Aarau']);
  });

  it('may be no database for a while', async () => {
    const path = cityFile('Bern');
    const engine = await open(`sqlite:${path}`);
    const garbage = join(directory, 'garbage');
    writeFileSync(garbage, 'not a database'.repeat(500));
    renameSync(garbage, path);
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
    renameSync(cityFile('Aarau'), path);
    expect(await namesIn(engine)).toEqual(['Aarau']);
  });
});

describe('a file that is damaged or locked', () => {
  it('makes the database unavailable when its pages are gone', async () => {
    const path = cityFile(...Array.from({ length: 5000 }, (_, index) => `City ${index}`));
    const engine = await open(`sqlite:${path}`);
    truncateSync(path, 8192);
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
  });

  it('makes the database unavailable while a writer locks it for long, and no longer', async () => {
    const path = cityFile('Bern');
    const engine = await open(`sqlite:${path}`);
    const writer = new DatabaseSync(path, { timeout: 60_000 });
    writer.exec('begin exclusive');
    expect(await outcome(namesIn(engine))).toBe('database_unavailable');
    writer.exec('commit');
    writer.close();
    expect(await namesIn(engine)).toEqual(['Bern']);
  });
});

/** The path of a file with this content, or of a directory. */
function pathOf(content: string | undefined): string {
  const path = join(directory, `opening-${Math.random()}`);
  if (content === undefined) mkdirSync(path);
  else writeFileSync(path, content);
  return path;
}

describe('opening an engine', () => {
  const started = children.length;

  it('says of a file that is no database what it is', async () => {
    await expect(open(`sqlite:${pathOf('x'.repeat(5000))}`)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(/^\/.*opening-[\d.]+: file is not a database$/),
    });
  });

  it('says of a directory that it is no file', async () => {
    const path = pathOf(undefined);
    await expect(open(`sqlite:${path}`)).rejects.toMatchObject({
      name: 'SettingsError',
      message: `database: no file is at ${path}. Give the path of a SQLite file: sqlite:/data/shop.db.`,
    });
  });

  it('says of a missing file where it was looked for, and does not make one', async () => {
    const path = join(directory, 'missing.db');
    await expect(open(`sqlite:${path}`)).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining(path) as string,
    });
    expect(existsSync(path)).toBe(false);
  });

  it('says of a path without a scheme what a URL looks like', async () => {
    await expect(open(cityFile('Bern'))).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining('sqlite:/data/shop.db') as string,
    });
  });

  it('refuses an empty file by name, with a remedy', async () => {
    const path = pathOf('');
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

  it('that fails leaves no process behind', async () => {
    const before = new Set(running());
    await outcome(open(`sqlite:${pathOf('x'.repeat(5000))}`));
    expect(children.length).toBeGreaterThan(started);
    expect(running().filter((pid) => !before.has(pid))).toEqual([]);
  });
});
