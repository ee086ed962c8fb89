import {
  type Asked,
  bind,
  type Found,
  Lists,
  Pools,
  type Read,
  type ReadCall,
  type ReadKind,
  Reads,
  type Relation,
  type RowsStatement,
  type Snapshot,
  type SnapshotTerms,
  type Source,
  type SourceSettings,
  type Statement,
  type Versioned,
  type WholeListStatements,
} from '@proj/engine/database';

import { type Connection, Database } from './connection.ts';
import { type Data, ROW_NUMBER } from './data.ts';
import { duckdbDialect } from './dialect.ts';
import { unavailable } from './files.ts';
import { describeComputed, describeSelection, introspect } from './introspect.ts';
import { jsonPlace } from './json-places.ts';
import type { Ask } from './view-facts.ts';

const LIMITS: Pools.PoolLimits = {
  connections: 4,
  keepsOne: true,
  maxWaiting: 1000,
  // Planning takes tens of milliseconds of this machine's own time.
  maxWaitMs: 5000,
};

type DuckdbSettings = Pick<SourceSettings, 'processes' | 'exports' | 'replyMemory'>;

export class DuckdbSource implements Source {
  readonly dialect = duckdbDialect;
  readonly versions: NonNullable<Source['versions']> = {
    scopeOf: () => '',
    current: async () => this.#data.look(),
    shared: (version) => version,
  };
  readonly #data: Data;
  readonly #lanes: Pools.Lanes<Database>;
  #versioned: ReadonlySet<string> = new Set();

  constructor(data: Data, { processes, exports, replyMemory }: DuckdbSettings) {
    const limits = { ...LIMITS, replyMemory };
    this.#data = data;
    this.#lanes = new Pools.Lanes(
      new Database(data, limits),
      limits,
      Pools.exportLimits(exports, processes),
    );
  }

  async introspect(): Promise<Relation[]> {
    const areLists = this.#data.numbered !== undefined;
    const problems = [...(await this.#data.problems())].map(unreadable);
    const found = await this.#askHouse((ask) => introspect(ask, areLists));
    const relations = [...found.map((relation) => this.#withRowNumber(relation)), ...problems];
    const versioned = relations.filter((relation) => relation.versioned === true);
    this.#versioned = new Set(versioned.map(({ path }) => JSON.stringify(path)));
    return relations;
  }

  readonly describe: NonNullable<Source['describe']> = (column) =>
    this.#askHouse((ask) => describeComputed(column, ask));

  readonly jsonPlace: NonNullable<Source['jsonPlace']> = jsonPlace;

  readonly describeSelection: NonNullable<Source['describeSelection']> = (selection) =>
    this.#askHouse((ask) => describeSelection(selection, ask));

  async read<Kind extends ReadKind>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>> {
    const { relations } = Reads.termsOf(read);
    const ask = async (connection: Connection): Promise<object> => {
      if (read.kind === 'sort') return estimateSort(read.asked as Asked<'sort'>);
      if (read.kind === 'keys') return readKeys(connection, read.asked as Asked<'keys'>);
      return Reads.readInSnapshot(snapshotOf(connection), read, duckdbDialect.groups);
    };
    const found = await this.#lanes.of(read).ask(ask, Reads.shaped(read, call));
    return this.#versionedIf(relations, found) as Found<Kind>;
  }

  async inSnapshot<Seen extends Versioned>(
    { relations }: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen> {
    const ask = (connection: Connection): Promise<Seen> => work(snapshotOf(connection));
    return this.#versionedIf(relations, await this.#lanes.pages.ask(ask, call));
  }

  /** Each part is checked before it is handed on: what was sent cannot be read again. */
  async list(list: WholeListStatements, sink: Lists.ListSink, call: Lists.ListCall): Promise<void> {
    const read = async (connection: Connection, version: string): Promise<object> => {
      const check = (): void => {
        if (!this.#data.held(version)) throw unavailable('The files changed while they were read.');
      };
      const checked: Lists.ListSink = {
        begin: (beginning) => {
          check();
          return sink.begin({ ...beginning, ...this.#versionedIf(list.relations, { version }) });
        },
        write: (lines) => {
          check();
          return sink.write(lines);
        },
      };
      const snapshot = snapshotOf(connection);
      await Lists.readListOnce(
        checked,
        (once) => Lists.readList(snapshot, { list, sink: once }),
        (error) => error,
      );
      return {};
    };
    await this.#lanes.lists.ask(read, call, 1);
  }

  async ping(): Promise<void> {
    await this.#lanes.keepHouse((pages, call) =>
      pages.ask((connection) => connection.all({ sql: 'select 1', parameters: [] }), call),
    );
  }

  async close(): Promise<void> {
    await this.#lanes.close();
    await this.#data.close();
  }

  async #askHouse<Value>(work: (ask: Ask) => Promise<Value>): Promise<Value> {
    const { value } = await this.#lanes.keepHouse((pages, call) =>
      pages.ask(async (connection) => {
        return { value: await work((sql) => askInJson(connection, sql)) };
      }, call),
    );
    return value;
  }

  #versionedIf<Seen extends Versioned>(relations: SnapshotTerms['relations'], seen: Seen): Seen {
    const isVersioned =
      relations?.every((path) => this.#versioned.has(JSON.stringify(path))) === true;
    return isVersioned ? seen : { ...seen, version: undefined };
  }

  #withRowNumber(relation: Relation): Relation {
    if (this.#data.numbered?.has(relation.name) !== true) return relation;
    const columns = relation.columns.map((column) =>
      column.name === ROW_NUMBER ? { ...column, nullable: false } : column,
    );
    return { ...relation, columns, keys: [[{ column: ROW_NUMBER }]] };
  }
}

function unreadable([name, unusable]: readonly [string, string]): Relation {
  const nothing = { columns: [], keys: [], description: null };
  return { path: ['main', name], name, kind: 'view', ...nothing, unusable };
}

function snapshotOf(connection: Connection): Snapshot {
  const row = async (statement: Statement): Promise<readonly unknown[] | undefined> =>
    (await connection.all(statement))[0];
  return {
    row,
    rows: async ({ statement, bindings }: RowsStatement) => {
      const { size: limit, ...rest } = bindings;
      const [json, rows, ...numbers] = (await row(bind(statement, { limit, ...rest }))) ?? [];
      const text = typeof json === 'string' ? json : undefined;
      await connection.replyRead?.add(text?.length ?? 0);
      return {
        json: text,
        rows: Number(rows),
        version: undefined,
        numbers: numbers as (bigint | null)[],
      };
    },
    count: async (count) => (await row(count))?.[0] as bigint,
    each: (statement, take) => connection.each(statement, take),
    version: async () => undefined,
  };
}

/** Its client drops a byte order mark at the beginning of a text, such as a name. */
async function askInJson(connection: Connection, sql: string): Promise<unknown[][]> {
  const listed = `select to_json(list("r"))::varchar from (${sql}) as "r"`;
  const [[json] = []] = await connection.all({ sql: listed, parameters: [] });
  const rows = JSON.parse((json as string | null) ?? '[]') as readonly object[];
  return rows.map((row) => Object.values(row));
}

async function readKeys(
  connection: Connection,
  { keys, bindings: { size: limit, ...rest } }: Asked<'keys'>,
): Promise<Found<'keys'>> {
  const [[json] = []] = await connection.all(bind(keys, { limit, ...rest }));
  const rows = JSON.parse((json as string | null) ?? '[]') as unknown[][];
  return Reads.unversioned({ rows });
}

/** The list is sorted once, within DuckDB's memory: a chunk would take a pass over the files. */
function estimateSort({ maySort }: Asked<'sort'>): Found<'sort'> {
  const rows = maySort ? Infinity : 0;
  return Reads.unversioned({ rows, rowBytes: 0, memoryBytes: Infinity, isBounded: true });
}
