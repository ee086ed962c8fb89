import { SettingsError } from '@proj/engine';

import { INVARIANT, recordsAtFirst } from './invariant.ts';
import type { ScratchDatabase, ScratchSession } from './scratch-session.ts';

export interface ScratchTable {
  readonly name: string;
  readonly quoted: string;
  /** Removes the table, or the records in one that was there before. */
  readonly remove: () => Promise<void>;
}

/**
 * Makes the table with its records, or fills an existing empty one.
 *
 * @throws {SettingsError} when the table holds anything else; it is left as it is
 */
export async function openScratchTable(
  database: ScratchDatabase,
  session: ScratchSession,
  name: string,
): Promise<ScratchTable> {
  const quoted = database.quoted(name);
  const columns = (await session.rows(database.columnsOf(name))).map(([column]) => column);
  const isThere = columns.length > 0;
  if (isThere) await demandEmpty({ name, quoted }, columns, session);
  else {
    await session.rows(
      `create table ${quoted} (id bigint not null primary key, amount bigint not null)`,
    );
    await database.distribute(session, name);
  }
  const remove = async (): Promise<void> => {
    await session.rows(isThere ? `delete from ${quoted}` : `drop table ${quoted}`);
  };
  const values = recordsAtFirst().map(({ id, amount }) => `(${id}, ${amount})`);
  await session.rows(`insert into ${quoted} (id, amount) values ${values.join(', ')}`);
  return { name, quoted, remove };
}

async function demandEmpty(
  { name, quoted }: Pick<ScratchTable, 'name' | 'quoted'>,
  columns: readonly unknown[],
  session: ScratchSession,
): Promise<void> {
  const isAlike = columns.map(String).toSorted().join() === 'amount,id';
  const held = isAlike ? await session.rows(`select id from ${quoted} limit 1`) : [];
  if (isAlike && held.length === 0) return;
  throw new SettingsError(
    `--table: the table "${name}" holds ${isAlike ? 'records' : 'other columns'}, and is left as ` +
      'it is. Name one that is not there, or an empty one with the columns id and amount: ' +
      `${INVARIANT.records} records are written into it.`,
  );
}
