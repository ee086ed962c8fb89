import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import {
  Deadlines,
  Files,
  Pools,
  QueryFailedError,
  type ReadCall,
  type Snapshot,
  type Statement,
  Tracing,
} from '@proj/engine/database';

import { CHANGED, type Data, type Sight } from './data.ts';
import { MACROS } from './macros.ts';

/** DuckDB forgets an interrupt that comes just before a statement runs. */
const INTERRUPT_EVERY_MS = 10;

/** A running statement holds one of Node's threads, which files and host names need, too. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

const turns = new Pools.ConnectionPool(
  async () => ({ alive: true, onLost: () => undefined, destroy: () => undefined }),
  {
    connections: Math.max(2, THREADS - 1),
    maxWaiting: Infinity,
    maxWaitMs: 2 ** 31 - 1,
    keepsOne: true,
  },
);

type Take = Parameters<NonNullable<Snapshot['each']>>[1];

/** A connection within this process. It moves to another instance when a file was replaced. */
export class Connection implements Pools.PooledConnection {
  readonly alive = true;
  replyRead: Pools.ReplyRead | undefined;
  #driver: DuckDBConnection | undefined;
  #instance: DuckDBInstance | undefined;
  #call: ReadCall | undefined;

  onLost(): void {
    // It is in this process, and cannot get lost.
  }

  destroy(): void {
    this.#driver?.closeSync();
    this.#driver = undefined;
    this.#instance = undefined;
  }

  /** Lets go of an instance that is no longer read. */
  leave(current: DuckDBInstance | undefined): void {
    if (this.#call === undefined && this.#instance !== current) this.destroy();
  }

  /** Statements of the work see one state of a database file. */
  run<Value>(
    instance: DuckDBInstance,
    work: () => Promise<Value>,
    call: ReadCall,
  ): Pools.Run<Value> {
    this.#call = call;
    const working = this.#inTransaction(instance, work);
    let timer: NodeJS.Timeout | undefined;
    const answer = Deadlines.waitOrStop(working, call.signal, () => {
      timer = setInterval(() => this.#driver?.interrupt(), INTERRUPT_EVERY_MS);
    });
    const end = (): void => clearInterval(timer);
    return { answer, free: working.then(end, end) };
  }

  /** All rows of a statement; whole numbers are bigints, and lists arrays. */
  all(statement: Statement): Promise<readonly unknown[][]> {
    return traced(statement, async (sql, values) =>
      (await this.#inTurn((driver) => driver.run(sql, values))).getRowsJS(),
    );
  }

  /** @param check throws where a part of the rows must not be taken */
  each(statement: Statement, take: Take, check: () => void): Promise<void> {
    return traced(statement, async (sql, values) => {
      const result = await this.#inTurn((driver) => driver.stream(sql, values));
      for (;;) {
        const chunk = await this.#inTurn(() => result.fetchChunk());
        check();
        if (chunk === null || chunk.rowCount === 0) return;
        for (const row of chunk.getRows()) {
          const taken = take(row);
          if (taken !== undefined) await taken;
        }
      }
    });
  }

  async #inTurn<Value>(work: (driver: DuckDBConnection) => Promise<Value>): Promise<Value> {
    const call = this.#call;
    const turn = call && (await turns.acquire(call));
    try {
      if (this.#driver === undefined || call?.signal.aborted !== false)
        throw Files.unavailable('The statement is being stopped.');
      return await work(this.#driver);
    } finally {
      if (turn !== undefined) turns.release(turn);
    }
  }

  async #inTransaction<Value>(
    instance: DuckDBInstance,
    work: () => Promise<Value>,
  ): Promise<Value> {
    try {
      const driver = await this.#useInstance(instance);
      await driver.run('begin transaction');
      try {
        return await work();
      } finally {
        // An interrupt of the work may have stopped it.
        await driver.run('rollback').catch(() => this.destroy());
      }
    } finally {
      this.#call = undefined;
    }
  }

  async #useInstance(instance: DuckDBInstance): Promise<DuckDBConnection> {
    if (this.#driver !== undefined && this.#instance === instance) return this.#driver;
    this.destroy();
    const driver = await instance.connect();
    await driver.run(MACROS);
    this.#driver = driver;
    this.#instance = instance;
    return driver;
  }
}

function traced<Value>(
  { sql: text, parameters, relations }: Statement,
  work: (sql: string, values: DuckDBValue[]) => Promise<Value>,
): Promise<Value> {
  const facts = { database: { system: 'duckdb' }, text, relations };
  return Tracing.traceStatement(facts, () => work(text, parameters.map(valueOf)));
}

export class Database extends Pools.Server<Connection> {
  readonly #data: Data;

  constructor(data: Data, limits: Pools.PoolLimits) {
    super(() => new Connection(), limits);
    this.#data = data;
  }

  withOwnPool(limits: Pools.PoolLimits): Database {
    return new Database(this.#data, limits);
  }

  /** The files are the same before and after, or the work begins anew. */
  async ask<Value>(
    work: (connection: Connection, sight: Sight) => Promise<Value>,
    call: ReadCall,
  ): Promise<Value> {
    // Files may change while they are read, and what was sent of a list cannot be read again.
    const attempts = call.lane === 'lists' ? 1 : 3;
    for (let attempt = 1; ; attempt++) {
      let seen = undefined as Sight | undefined;
      const start = async (connection: Connection): Promise<Pools.Run<Value>> => {
        const sight = await this.#data.current(call.signal);
        seen = sight;
        for (const other of this.connections) other.leave(sight.instance);
        return connection.run(sight.instance, () => work(connection, sight), call);
      };
      try {
        const value = await this.attempt(start, call);
        if (seen !== undefined) this.#data.check(seen);
        return value;
      } catch (error) {
        const isOfChange = seen !== undefined && !this.#data.held(seen);
        if (!isOfChange || call.signal.aborted) throw toQueryError(error);
        if (attempt >= attempts) throw Files.unavailable(CHANGED);
      }
    }
  }
}

/** Its client takes whole numbers for integers of 64 bits, however large. */
function valueOf(value: unknown): DuckDBValue {
  return typeof value === 'number' && Number.isInteger(value)
    ? BigInt(value)
    : (value as DuckDBValue);
}

/** By what DuckDB's messages begin with, or hold. */
const CODES: readonly (readonly [RegExp, QueryFailedError['code']])[] = [
  [/^Out of Memory Error:|^OutOfMemory/, 'overloaded'],
  // A view that reads what is not served.
  [/^(Permission|Missing Extension|Not implemented) Error:/, 'model_unreadable'],
  // A file that cannot be read now, whatever it holds.
  [
    /^(IO|Serialization|Connection|Fatal|Invalid) Error:|No magic bytes|Parquet/,
    'database_unavailable',
  ],
  // The statement names what is gone, or a file has another shape than before.
  [/^(Catalog|Binder|Invalid Type) Error:/, 'schema_changed'],
  // Values that a computation or the type of a column cannot take.
  [
    /^(Conversion|Out of Range|Invalid Input|Mismatch Type|Parameter Not Allowed|Sequence) Error:/,
    'data_error',
  ],
];

function toQueryError(error: unknown): Error {
  if (error instanceof QueryFailedError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const [, code] = CODES.find(([pattern]) => pattern.test(message)) ?? [];
  if (code === undefined) return new Error(`DuckDB: ${message}`);
  // Callers learn nothing of the values.
  const shown = code === 'data_error' ? message.split(':')[0] : message;
  return new QueryFailedError(code, `DuckDB: ${shown}`, { words: message });
}
