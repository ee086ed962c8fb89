import { availableParallelism } from 'node:os';

import {
  Deadlines,
  type Found,
  type Lists,
  Pools,
  QueryFailedError,
  type Read,
  type ReadCall,
  type ReadKind,
  Reads,
  type Relation,
  type Snapshot,
  type SnapshotTerms,
  type Source,
  type SourceSettings,
  type Statement,
  type Versioned,
  type WholeListStatements,
} from '@proj/engine/database';

import { Database } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import type { ReaderMessage, ReaderRequest } from './connection/reader-protocol.ts';
import { jsonPlace } from './introspection/json-places.ts';
import { describeComputed, describeSelection } from './introspection/operator-sql.ts';
import type { ShownColumn } from './introspection/view-keys.ts';
import { withSamples } from './samples.ts';
import { FileVersion } from './versions/version.ts';

const LIMITS: Pools.PoolLimits = {
  connections: Math.max(2, Math.min(8, availableParallelism())),
  maxWaiting: 1000,
  maxWaitMs: 2000,
};

/** Longer than a ping waits for a reader, and than a reader waits for a lock. */
const PING = { timeoutMs: 3000 };

interface ReadBy extends Versioned {
  readonly value: unknown;
}

interface Watched {
  readonly compose: () => ReaderMessage;
  readonly versionOf: (versioned: boolean) => string | undefined;
}

type SqliteSettings = Pick<SourceSettings, 'processes' | 'exports' | 'replyMemory'>;

/** Reader processes open the file read-only and never create it. */
export function openSqlite(path: string, settings: SqliteSettings = {}): Source {
  return new SqliteSource(path, settings);
}

class SqliteSource implements Source {
  readonly dialect = sqliteDialect;
  readonly versions: NonNullable<Source['versions']> = {
    current: async () => this.#version.read(),
  };
  readonly writers: NonNullable<Source['writers']> = {
    areHeldUp: () => !this.#version.isInWalMode,
  };
  readonly #path: string;
  readonly #database: Database;
  readonly #lanes: Pools.Lanes<Database>;
  readonly #version: FileVersion;

  constructor(path: string, { processes, exports, replyMemory }: SqliteSettings) {
    const limits = { ...Pools.shareOf(LIMITS, processes), replyMemory };
    this.#path = path;
    this.#database = new Database(path, limits);
    this.#lanes = new Pools.Lanes(this.#database, limits, Pools.exportLimits(exports, processes));
    this.#version = new FileVersion(path);
  }

  async introspect(): Promise<Relation[]> {
    const { value } = await this.#askOnce({ kind: 'introspect' }).catch((error: unknown) => {
      throw this.#withPath(error);
    });
    return value as Relation[];
  }

  describe: NonNullable<Source['describe']> = (column) =>
    describeComputed(column, (sql) => this.#columnsOf(sql));

  readonly jsonPlace = jsonPlace;

  describeSelection: NonNullable<Source['describeSelection']> = (selection) =>
    describeSelection(selection, (sql) => this.#columnsOf(sql));

  async #columnsOf(sql: string): Promise<readonly ShownColumn[]> {
    const { value } = await this.#askOnce({ kind: 'columns', sql });
    return value as readonly ShownColumn[];
  }

  #withPath(error: unknown): unknown {
    const isOfFile = error instanceof QueryFailedError && error.code === 'database_unavailable';
    if (!isOfFile || error.message.startsWith(this.#path)) return error;
    return new QueryFailedError(error.code, `${this.#path}: ${error.message}`, { cause: error });
  }

  sample(relations: readonly Relation[]): Promise<Relation[]> {
    return withSamples(relations, (statement) => this.#readText(statement));
  }

  async read<Kind extends ReadKind>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>> {
    const shaped = Reads.shaped(read, call);
    const { value, version } = await this.#ask(this.#lanes.of(shaped), read as Read, shaped);
    return { ...(value as Found<Kind>), version };
  }

  /** A snapshot held between messages would keep writers waiting. */
  async inSnapshot<Seen extends Versioned>(
    _terms: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen> {
    const versions = new Set<string | undefined>();
    const ask = async (request: ReaderRequest): Promise<unknown> => {
      const { value, version } = await this.#ask(this.#database, request, call);
      versions.add(version);
      return value;
    };
    const rowOf = async (asked: Statement): Promise<Found<'row'>['cells']> =>
      ((await ask({ kind: 'row', asked })) as Found<'row'>).cells;
    const read = await work({
      rows: async (asked) => (await ask({ kind: 'page', asked })) as Found<'page'>,
      row: rowOf,
      count: async (count) => BigInt(((await rowOf(count)) ?? []).map(String)[0] ?? 0),
      version: async () => undefined,
    });
    const [version] = versions;
    return { ...read, version: versions.size === 1 ? version : undefined };
  }

  async list(list: WholeListStatements, sink: Lists.ListSink, call: ReadCall): Promise<void> {
    const { compose, versionOf } = this.#watched({ kind: 'list', list });
    await this.#lanes.lists.ask(compose, call, async (progress) => {
      if ('lines' in progress) return sink.write(progress.lines);
      const { versioned, ...found } = progress;
      return sink.begin({ ...found, version: versionOf(versioned) });
    });
  }

  async ping(): Promise<void> {
    const pinged = Deadlines.withDeadline(PING, (call) =>
      this.#ask(this.#database, { kind: 'ping' }, call),
    );
    await pinged.catch((error: unknown) => {
      throw this.#isSilent(error)
        ? new QueryFailedError('database_unavailable', 'No reader process answers.')
        : error;
    });
  }

  async close(): Promise<void> {
    await this.#lanes.close();
    this.#version.close();
  }

  async #ask(database: Database, request: ReaderRequest, call: ReadCall): Promise<ReadBy> {
    const { compose, versionOf } = this.#watched(request);
    const { value, versioned } = await database.ask(compose, call);
    return { value, version: versionOf(versioned) };
  }

  #askOnce(request: ReaderRequest): Promise<ReadBy> {
    return this.#lanes.keepHouse((pages, call) => this.#ask(pages, request, call));
  }

  /** The version, if the rows change only with the file, and it is the same before and after. */
  #watched(request: ReaderRequest): Watched {
    let before: string | undefined;
    return {
      compose: () => {
        const { version, generation } = this.#version.look();
        before = version;
        return { generation, request };
      },
      versionOf: (versioned) => {
        const { version } = this.#version.look();
        return versioned && version === before ? version : undefined;
      },
    };
  }

  /** Columns that cannot be sampled in time have no stored forms. */
  async #readText(asked: Statement): Promise<string | undefined> {
    try {
      const { value } = await this.#askOnce({ kind: 'row', asked });
      return String((value as Found<'row'>).cells?.[0]);
    } catch {
      return undefined;
    }
  }

  #isSilent(error: unknown): boolean {
    if (!(error instanceof QueryFailedError)) return false;
    return (
      error.code === 'query_timeout' || (error.code === 'overloaded' && !this.#database.isRunning)
    );
  }
}
