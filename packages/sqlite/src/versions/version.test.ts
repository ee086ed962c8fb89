import { DatabaseSync } from 'node:sqlite';

import { afterFile } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { databaseFile } from '../../test/database-file.ts';
import { FileVersion } from './version.ts';

/** A file that another program has open, in a journal mode. */
function opened(mode: string): { readonly path: string; readonly writer: DatabaseSync } {
  const path = databaseFile(
    `pragma journal_mode = ${mode}; create table t (id integer primary key);`,
  );
  const writer = new DatabaseSync(path);
  afterFile(() => {
    writer.close();
  });
  writer.exec('insert into t values (1)');
  return { path, writer };
}

/** The version as one process sees it, as soon as it is certain. */
async function versionIn(process: FileVersion): Promise<string> {
  await expect.poll(() => process.read()).toBeDefined();
  return process.read() ?? '';
}

describe.each(['wal', 'delete', 'truncate'])('the version of a file in mode %s', (mode) => {
  it('is the same in all processes, and another one after each commit', async () => {
    const { path, writer } = opened(mode);
    const processes = [new FileVersion(path), new FileVersion(path)];
    const seen = new Set<string>();
    for (let commits = 0; commits < 4; commits++) {
      const versions = [];
      for (const process of processes)
        versions.push(await versionIn(process), await versionIn(process));
      expect(new Set(versions).size).toBe(1);
      seen.add(versions[0] ?? '');
      writer.exec('insert into t (id) values (null)');
    }
    expect(seen.size).toBe(4);
    for (const process of processes) process.close();
  });

  it('is the same after a restart', async () => {
    const { path } = opened(mode);
    const before = new FileVersion(path);
    const version = await versionIn(before);
    before.close();
    const after = new FileVersion(path);
    expect(await versionIn(after)).toBe(version);
    after.close();
  });

  it('is not changed by a write that is rolled back', async () => {
    const { path, writer } = opened(mode);
    const process = new FileVersion(path);
    const version = await versionIn(process);
    writer.exec('begin immediate; insert into t (id) values (null); rollback');
    expect(await versionIn(process)).toBe(version);
    process.close();
  });
});
