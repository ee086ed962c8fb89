import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { DatabaseKind } from '@proj/engine';
import { mysql } from '@proj/mysql';
import { postgres } from '@proj/postgres';
import { sqlite } from '@proj/sqlite';
import {
  afterFile,
  beforeRelease,
  hasMariadb,
  newMariadbDatabase,
  newPostgresDatabase,
} from '@proj/test-servers';

/** A new and empty database, which ends with the test file. */
export interface ItemDatabase {
  /** Where the engine finds it. */
  readonly url: string;
  readonly run: (sql: string) => Promise<unknown>;
}

/** A kind of database that the tests run on. */
export interface ItemDatabaseKind {
  readonly name: string;
  readonly engine: DatabaseKind;
  /** The type of a text that is sorted and compared without regard to case. */
  readonly caselessText: string;
  /** The type of a date and time without a zone. */
  readonly moment: string;
  /** What has to run before that type is used. */
  readonly preparation: readonly string[];
  readonly create: () => Promise<ItemDatabase>;
}

export const SQLITE: ItemDatabaseKind = {
  name: 'SQLite',
  engine: sqlite,
  caselessText: 'text collate nocase',
  moment: 'timestamp',
  preparation: ['pragma journal_mode = wal', 'pragma synchronous = normal'],
  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-grids-'));
    const file = join(folder, 'data.db');
    const database = new DatabaseSync(file, { timeout: 10_000 });
    afterFile(() => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    });
    return { url: `sqlite:${file}`, run: async (sql) => database.exec(sql) };
  },
};

const POSTGRES: ItemDatabaseKind = {
  name: 'PostgreSQL',
  engine: postgres,
  caselessText: 'varchar(40) collate caseless',
  moment: 'timestamp',
  preparation: [
    `create collation caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  ],
  async create() {
    const database = await newPostgresDatabase();
    return { url: database.url, run: async (sql) => database.client(sql) };
  },
};

const MARIADB: ItemDatabaseKind = {
  name: 'MariaDB',
  engine: mysql,
  caselessText: 'varchar(40) collate utf8mb4_general_ci',
  moment: 'datetime',
  preparation: [],
  async create() {
    const database = await newMariadbDatabase();
    return { url: database.url, run: async (sql) => database.client(sql) };
  },
};

/** What filters mean on each database the engine decides; the grids are tried on all of them before a release. */
export const KINDS: readonly ItemDatabaseKind[] = beforeRelease
  ? [SQLITE, POSTGRES, ...(hasMariadb() ? [MARIADB] : [])]
  : [SQLITE];
