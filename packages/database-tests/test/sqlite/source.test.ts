import { afterEach, describe, expect, it, vi } from 'vitest';

import { callOf } from '../../../engine/test/call.ts';
import { databaseFile, execute } from '../../../sqlite/test/database-file.ts';
import { statements } from '../statements.ts';
import { FileVersion } from '../../../sqlite/src/versions/version.ts';
import { openSqlite } from '../../../sqlite/src/source.ts';

const COUNT = 'select count(*) from t';
const LIST = {
  ...statements({ rows: `select json_group_array(id), count(*) from t`, count: COUNT }),
  relations: [['t']],
};
const CALL = callOf({ timeoutMs: 600_000 });

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Commits a row after the version was looked up before the reading, or before it is looked up
 * again.
 */
function writeAround(path: string, moment: 'before' | 'after'): void {
  const look = Reflect.get(FileVersion.prototype, 'look');
  const write = (): void => execute(path, 'insert into t values (null)');
  let looks = 0;
  vi.spyOn(FileVersion.prototype, 'look').mockImplementation(function lookAndWrite(
    this: FileVersion,
  ) {
    looks += 1;
    if (looks === 2 && moment === 'after') write();
    const state = look.call(this);
    if (looks === 1 && moment === 'before') write();
    return state;
  });
}

describe('the version of what was read from SQLite', () => {
  it('is the version before and after, where nobody wrote', async () => {
    const source = openSqlite(databaseFile('create table t (id integer primary key)'));
    await expect.poll(() => source.versions?.current('')).toBeDefined();
    const page = await source.read(
      { kind: 'page', asked: { query: LIST, range: { size: 10, offset: 0n } } },
      CALL,
    );
    expect(page).toMatchObject({ rows: 0, version: await source.versions?.current('') });
    await source.close();
  });

  it.each([
    ['before', 1],
    ['after', 0],
  ] as const)(
    'is unknown where somebody commits %s the reading, while the version is looked up',
    async (moment, rows) => {
      const path = databaseFile(
        'pragma journal_mode = wal; create table t (id integer primary key)',
      );
      const source = openSqlite(path);
      await expect.poll(() => source.versions?.current('')).toBeDefined();
      writeAround(path, moment);
      expect(
        await source.read(
          { kind: 'page', asked: { query: LIST, range: { size: 10, offset: 0n } } },
          CALL,
        ),
      ).toMatchObject({
        rows,
        version: undefined,
      });
      vi.restoreAllMocks();
      await source.close();
    },
  );
});
