import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it, onTestFinished } from 'vitest';

import { builtOnce, copiedFile, dataDirectory } from './data-directory.ts';
import { ensureDemoDatabase } from '../src/build-demo.ts';

describe('building the demo database', () => {
  it('makes one file in a directory that did not exist, with progress that rises from 0 to 1', async () => {
    const { file, reports } = await builtOnce();
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    expect(basename(file)).toMatch(/^demo-[0-9a-f]{12}\.db$/);
    expect(reports.length).toBeGreaterThan(10);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
    expect([reports.at(0), reports.at(-1)]).toEqual([0, 1]);
  });

  it('leaves nothing behind when it fails', async () => {
    const directory = dataDirectory();
    const failing = ensureDemoDatabase({
      directory,
      onProgress: (done) => {
        if (done > 0.3 && done < 1) throw new Error('no space left');
      },
    });
    await expect(failing).rejects.toThrow('no space left');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('makes a file that opens for reading where nothing can be written', async () => {
    const { directory, file } = await copiedFile();
    chmodSync(file, 0o444);
    chmodSync(directory, 0o555);
    onTestFinished(() => chmodSync(directory, 0o755));
    const database = new DatabaseSync(file, { readOnly: true });
    onTestFinished(() => database.close());
    expect(database.prepare('select count(*) as cities from cities').get()).toEqual({
      cities: 135_233,
    });
    // Bytes 18 and 19 of the header are 2 in WAL mode, which needs files beside it:
    // https://sqlite.org/fileformat.html §1.3.3
    expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1]);
    expect(await ensureDemoDatabase({ directory })).toBe(file);
  });
});

describe('a demo database that is there already', () => {
  it('is used as it is, without a report', async () => {
    const { directory, file } = await copiedFile();
    const { ino, mtimeNs } = statSync(file, { bigint: true });
    const reports: number[] = [];
    const onProgress = (done: number): void => void reports.push(done);
    expect(await ensureDemoDatabase({ directory, onProgress })).toBe(file);
    expect(statSync(file, { bigint: true })).toMatchObject({ ino, mtimeNs });
    expect(reports).toEqual([]);
  });

  it('is cleared of older data and of long interrupted builds, and of nothing else', async () => {
    const { directory, file } = await copiedFile();
    const [older, abandoned, running, foreign] = [
      'demo-0123456789ab.db',
      unfinished('1'),
      unfinished('2'),
      'demo-mine.db',
    ];
    for (const name of [older, abandoned, running, foreign])
      writeFileSync(join(directory, name), '');
    const anHourAgo = Date.now() / 1000 - 3600;
    utimesSync(join(directory, abandoned), anHourAgo, anHourAgo);
    expect(await ensureDemoDatabase({ directory })).toBe(file);
    expect(readdirSync(directory).toSorted()).toEqual(
      [basename(file), foreign, running].toSorted(),
    );
  });
});

function unfinished(digit: string): string {
  return `demo-0123456789ab.db.${digit.repeat(8)}-0000-4000-8000-000000000000.building`;
}
