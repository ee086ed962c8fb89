import { QueryFailedError } from '../../errors.ts';
import type { ReplyRead } from '../../reply-memory.ts';
import { type DatabaseAddress, traceStatement } from '../../tracing.ts';
import type { Statement } from '../../sql/statement.ts';
import type { PooledConnection } from './connection-pool.ts';

/** The connection is lost; what ran on it only read, so it may run again. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** A session of a server, whatever the driver. */
export abstract class Connection implements PooledConnection {
  replyRead: ReplyRead | undefined;
  /** Where its statements are sent. */
  protected abstract readonly address: DatabaseAddress;
  /** What replies arrive on. */
  protected abstract readonly replies: { pause(): unknown; resume(): unknown };
  /** Whether a statement failed, or is yet to end. */
  protected inDoubt = false;
  readonly #listeners: (() => void)[] = [];
  readonly #pending = new Set<(reason: Error) => void>();
  #lost: Error | undefined;
  #givenUp = false;

  get alive(): boolean {
    return this.#lost === undefined;
  }

  /** Whether it was lost without our doing. */
  get broke(): boolean {
    return this.#lost !== undefined && !this.#givenUp;
  }

  /** Calls back once it is lost. */
  onLost(listener: () => void): void {
    if (this.#lost === undefined) this.#listeners.push(listener);
    else listener();
  }

  /** Drops it, with whatever runs on it, without a word to the server, which may be frozen. */
  destroy(reason: Error = new ConnectionLostError('The connection was given up.')): void {
    this.#givenUp ||= this.#lost === undefined;
    this.#end(reason);
  }

  /** Whether something has to be rolled back before it takes other work, which may have failed. */
  abstract needsRollback(failed: boolean): boolean;

  /** Rolls back what is open. Resolves with whether it can take the next statement. */
  abstract rollBack(): Promise<boolean>;

  /** Whether it can no longer be used after an error. */
  protected abstract isLostBy(error: unknown): boolean;

  /** Closes its socket. */
  protected abstract hangUp(): void;

  /** Waits for it to be ready; one that is not by then is given up. */
  protected async readyWithin(timeoutMs: number, login: () => Promise<void>): Promise<this> {
    const late = `The database did not let us in within ${timeoutMs} ms.`;
    const timer = setTimeout(() => this.destroy(new ConnectionLostError(late)), timeoutMs);
    try {
      await login();
      return this;
    } catch (error) {
      this.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a statement at once, and gives its answer, or why the connection was lost before. */
  protected send<Value>(
    { sql: text, relations }: Pick<Statement, 'sql' | 'relations'>,
    run: () => Promise<Value>,
  ): Promise<Value> {
    const facts = { database: this.address, text, relations };
    return traceStatement(facts, () => this.whileAlive(run));
  }

  protected async whileAlive<Value>(run: () => Promise<Value>): Promise<Value> {
    if (this.#lost !== undefined) throw this.#lost;
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    this.#pending.add(reject);
    try {
      run().then(resolve, reject);
      return await promise;
    } catch (error) {
      this.inDoubt = true;
      if (this.isLostBy(error)) this.lose(error);
      throw error;
    } finally {
      this.#pending.delete(reject);
    }
  }

  /**
   * Sends a statement and gives its rows one by one. No more are asked for while `take` has not
   * taken the last one; those that have arrived by then still come.
   *
   * @param take returns what to wait for before the next row; undefined where that may come at once
   * @param read hands over rows until the last one
   * @returns how many rows there were
   * @throws what `take` rejects with; the connection is given up then
   */
  protected sendForRows<Row>(
    statement: Statement,
    take: (row: Row) => Promise<void> | undefined,
    read: (onRow: (row: Row) => void) => Promise<unknown>,
  ): Promise<number> {
    let rows = 0;
    let taking: Promise<void> | undefined;
    const onRow = (row: Row): void => {
      rows += 1;
      const taken = take(row);
      if (taken === undefined) return;
      taking = taken;
      void this.#pauseFor(taken, () => taking === taken);
    };
    return this.send(statement, async () => {
      await read(onRow);
      await taking;
      return rows;
    });
  }

  /** Counts bytes that have arrived, and reads no further before there is memory for them. */
  protected count(bytes: number): void {
    const taking = this.replyRead?.add(bytes);
    if (taking !== undefined) void this.#pauseFor(taking, () => true);
  }

  protected lose(cause: unknown): void {
    const message = cause instanceof Error ? cause.message : String(cause);
    const isSaid = cause instanceof QueryFailedError || cause instanceof ConnectionLostError;
    this.#end(isSaid ? cause : new ConnectionLostError(message, { cause }));
  }

  async #pauseFor(taken: Promise<void>, isLast: () => boolean): Promise<void> {
    this.replies.pause();
    try {
      await taken;
    } catch (error) {
      this.destroy(error instanceof Error ? error : undefined);
    }
    if (isLast()) this.replies.resume();
  }

  #end(reason: Error): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.hangUp();
    for (const reject of this.#pending) reject(reason);
    for (const listener of this.#listeners) listener();
  }
}
