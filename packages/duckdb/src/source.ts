import {
  bind,
  Pools,
  type ReadCall,
  type Relation,
  type RowsStatement,
  type Snapshot,
  type SnapshotTerms,
  type Source,
  type SourceSettings,
  type Statement,
  type Versioned,
} from '@proj/engine/database';

import { type Connection, Database } from './connection.ts';
import type { Data } from './data.ts';
import { duckdbDialect } from './dialect.ts';
import { describeComputed, describeSelection, introspect } from './introspect.ts';
import { jsonPlace } from './json-places.ts';
import type { Ask } from './types.ts';

const LIMITS: Pools.PoolLimits = {
  connections: 4,
  keepsOne: true,
  maxWaiting: 1000,
  // Planning takes tens of milliseconds of this machine's own time.
  maxWaitMs: 5000,
};

export class DuckdbSource implements Omit<Source, 'read' | 'list' | 'ping'> {
  readonly dialect = duckdbDialect;
  readonly versions: NonNullable<Source['versions']> = {
    current: async () => this.#data.look()?.version,
  };
  readonly #data: Data;
  readonly #lanes: Pools.Lanes<Database>;

  constructor(data: Data, { processes, exports, replyMemory }: SourceSettings) {
    const limits = { ...LIMITS, replyMemory };
    this.#data = data;
    this.#lanes = new Pools.Lanes(
      new Database(data, limits),
      limits,
      Pools.exportLimits(exports, processes),
    );
  }

  async introspect(): Promise<Relation[]> {
    const problems = [...(await this.#data.problems())].map(unreadable);
    const found = await this.#askHouse((ask) => introspect(ask, this.#data.numbered));
    return [...found, ...problems];
  }

  readonly describe: NonNullable<Source['describe']> = (column) =>
    this.#askHouse((ask) => describeComputed(column, ask));

  readonly jsonPlace: NonNullable<Source['jsonPlace']> = jsonPlace;

  readonly describeSelection: NonNullable<Source['describeSelection']> = (selection) =>
    this.#askHouse((ask) => describeSelection(selection, ask));

  inSnapshot<Seen extends Versioned>(
    _terms: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen> {
    return this.#lanes.of(call).ask(async (connection, sight) => {
      const snapshot = snapshotOf(connection, sight.version, () => this.#data.check(sight));
      return { ...(await work(snapshot)), version: sight.version };
    }, call);
  }

  async close(): Promise<void> {
    await this.#lanes.close();
    await this.#data.close();
  }

  #askHouse<Value>(work: (ask: Ask) => Promise<Value>): Promise<Value> {
    return this.#lanes.keepHouse((pages, call) =>
      pages.ask((connection) => {
        const ask: Ask = async (sql) => {
          // Its client drops a byte order mark at the beginning of a text, such as a name.
          const listed = `select coalesce(to_json(list("r")), '[]')::varchar from (${sql}) as "r"`;
          const [[json] = []] = await connection.all({ sql: listed, parameters: [] });
          return JSON.parse(String(json));
        };
        return work(ask);
      }, call),
    );
  }
}

function unreadable([name, unusable]: readonly [string, string]): Relation {
  const nothing = { columns: [], keys: [], description: null };
  return { path: ['main', name], name, kind: 'view', ...nothing, unusable };
}

/** @param check throws once the files have changed, before what was read of them is handed on */
function snapshotOf(connection: Connection, version: string, check: () => void): Snapshot {
  const row: Snapshot['row'] = async (statement: Statement) => (await connection.all(statement))[0];
  return {
    row,
    rows: async ({ statement, bindings: { size: limit, ...rest } }: RowsStatement) => {
      const [json, rows, ...numbers] = (await row(bind(statement, { limit, ...rest }))) ?? [];
      const text = typeof json === 'string' ? json : undefined;
      await connection.replyRead?.add(text?.length ?? 0);
      return { json: text, rows: Number(rows), version, numbers: numbers as (bigint | null)[] };
    },
    count: async (count) => (await row(count))?.[0] as bigint,
    each: (statement, take) => connection.each(statement, take, check),
    version: async () => {
      check();
      return version;
    },
  };
}
