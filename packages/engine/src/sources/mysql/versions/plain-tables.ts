import type { RelationPath } from '../../../catalogue/relation.ts';
import type { Connection } from '../connection/connection.ts';

/**
 * Which tables are InnoDB's, with all columns as they are stored. One that becomes anything else
 * makes a new version, so that what was found at a version holds as long as that lasts.
 */
export class PlainTables {
  /** The version at which each table of each server was last found to be one. */
  readonly #found = new Map<string, string>();

  forget(): void {
    this.#found.clear();
  }

  /** Asks, in the transaction that has read the table, unless it is known at the version. */
  async has(connection: Connection, path: RelationPath, version: string): Promise<boolean> {
    const name = JSON.stringify([connection.instance, path]);
    if (this.#found.get(name) === version) return true;
    const [[count] = []] = await connection.execute({ sql: PLAIN, parameters: [path[0]] });
    const isPlain = String(count) === '1';
    if (isPlain) this.#found.set(name, version);
    else this.#found.delete(name);
    return isPlain;
  }
}

const PLAIN = `select count(*)
  from information_schema.tables t
  where t.table_schema = database()
    and t.table_name = ?
    and t.table_type = 'BASE TABLE'
    and t.engine = 'InnoDB'
    and not exists (
      select 1
      from information_schema.columns c
      where c.table_schema = t.table_schema
        and c.table_name = t.table_name
        and c.extra like '%VIRTUAL%'
    )`;
