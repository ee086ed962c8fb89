import type { RelationPath } from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';

/**
 * Finds which tables are stored by InnoDB and have no virtual columns. A table cannot change in
 * this respect without a new version, so each table is asked about once for each version.
 */
export class PlainTables {
  /** The version at which each table of each server was last found to be one. */
  readonly #found = new Map<string, string>();

  forget(): void {
    this.#found.clear();
  }

  /** Whether a table was found to be one at this version. */
  isKnown({ instance }: Connection, path: RelationPath, version: string): boolean {
    return this.#found.get(JSON.stringify([instance, path])) === version;
  }

  /**
   * Whether a table is one. Asked in the transaction that has read the table, unless it is known
   * for this version.
   */
  async has(connection: Connection, path: RelationPath, version: string): Promise<boolean> {
    if (this.isKnown(connection, path, version)) return true;
    const name = JSON.stringify([connection.instance, path]);
    const [table] = path;
    const [[count] = []] = await connection.execute({ sql: PLAIN, parameters: [table, table] });
    const isPlain = String(count) === '1';
    if (isPlain) this.#found.set(name, version);
    else this.#found.delete(name);
    return isPlain;
  }
}

// For a name that is no constant the server would look at the tables of all databases.
const PLAIN = `select count(*)
  from information_schema.tables t
  where t.table_schema = database()
    and t.table_name = ?
    and t.table_type = 'BASE TABLE'
    and t.engine = 'InnoDB'
    and not exists (
      select 1
      from information_schema.columns c
      where c.table_schema = database()
        and c.table_name = ?
        and c.extra like '%VIRTUAL%'
    )`;
