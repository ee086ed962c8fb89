import type { RelationPath } from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';

/** Finds InnoDB tables without virtual columns, which can't change without a new version. */
export class PlainTables {
  readonly #found = new Map<string, string>();

  forget(): void {
    this.#found.clear();
  }

  isKnown({ instance }: Connection, path: RelationPath, version: string): boolean {
    return this.#found.get(JSON.stringify([instance, path])) === version;
  }

  /** Ask in the transaction that has read the table. */
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
