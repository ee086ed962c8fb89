import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { readRelations } from '@proj/engine';
import { sqlite } from '@proj/sqlite';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile, directory, execute } from '../../sqlite/test/database-file.ts';
import { ask, open } from './open.ts';

const SCRIPT = 'create table t (id integer primary key); insert into t values (1)';

/** The names of the file and of those that SQLite made beside it. */
function filesOf(path: string): string[] {
  return readdirSync(join(path, '..')).filter((name) => name.startsWith(basename(path)));
}

function walFile(): string {
  return databaseFile(`pragma journal_mode = wal; ${SCRIPT}`);
}

describe('the files that SQLite makes beside a database in WAL mode', () => {
  it('are gone when an engine that made them is closed', async () => {
    const path = walFile();
    const engine = await open(`sqlite:${path}`);
    await ask(engine, { model: 't', attributes: ['id'] });
    expect(filesOf(path)).toEqual([
      basename(path),
      `${basename(path)}-shm`,
      `${basename(path)}-wal`,
    ]);
    await engine.close();
    expect(filesOf(path)).toEqual([basename(path)]);
  });

  it('are gone when the schema has been read', async () => {
    const path = walFile();
    await readRelations(`sqlite:${path}`, [sqlite]);
    expect(filesOf(path)).toEqual([basename(path)]);
  });

  it('stay where a writer uses them, whose commits are kept', async () => {
    const path = walFile();
    const engine = await open(`sqlite:${path}`);
    const writer = new DatabaseSync(path);
    writer.exec('insert into t values (2)');
    await engine.close();
    expect(filesOf(path)).toHaveLength(3);
    writer.exec('insert into t values (3)');
    expect(writer.prepare('select count(*) as n from t').get()).toEqual({ n: 3 });
    writer.close();
  });

  it('stay where they were there before', async () => {
    const path = walFile();
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('select * from t');
    reader.close();
    expect(filesOf(path)).toHaveLength(3);
    await readRelations(`sqlite:${path}`, [sqlite]);
    expect(filesOf(path)).toHaveLength(3);
  });
});

const OPENER = fileURLToPath(new URL('programs/opener.ts', import.meta.url));

/** Root may write anywhere, so it becomes the user nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

function openAsNobody(...paths: readonly string[]): string[] {
  const urls = paths.map((path) => `sqlite:${path}`);
  const args = ['--disable-warning=ExperimentalWarning', OPENER, ...urls];
  const printed = execFileSync(process.execPath, args, { ...NOBODY, encoding: 'utf8' });
  return printed.trim().split('\n');
}

describe('a database in a folder in which the process may not write', () => {
  const folder = join(directory, 'read-only');
  beforeAll(() => {
    mkdirSync(folder);
    chmodSync(directory, 0o755);
    for (const journalMode of ['wal', 'delete']) {
      const path = join(folder, `${journalMode}.db`);
      execute(path, `pragma journal_mode = ${journalMode}; ${SCRIPT}`);
      chmodSync(path, 0o444);
    }
    chmodSync(folder, 0o555);
    return () => chmodSync(folder, 0o755);
  });

  it('is refused in WAL mode with three remedies, and read in any other journal mode', () => {
    const path = join(folder, 'wal.db');
    expect(openAsNobody(path, join(folder, 'delete.db'))).toEqual([
      `${path} is in WAL mode, so that reading it needs the files ${path}-wal and -shm, which this process may not make in ${folder}. ` +
        `Either let the user of this process write to the folder, or take the database out of WAL mode with ` +
        `\`sqlite3 ${path} 'pragma journal_mode=delete'\`, or serve a copy in a folder that the user may write to.`,
      'opened',
    ]);
  });
});
