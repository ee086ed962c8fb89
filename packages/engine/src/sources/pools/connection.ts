import { QueryFailedError } from '../../errors.ts';
import type { ReplyRead } from '../../reply-memory.ts';
import { type DatabaseAddress, traceStatement } from '../../tracing.ts';
import type { Statement } from '../../sql/statement.ts';
import type { PooledConnection } from './connection-pool.ts';

/** What ran only read, so it may run again. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

export abstract class Connection implements PooledConnection {
  replyRead: ReplyRead | undefined;
  /** Given up without an answer: idle ones may be as dead, and nothing else would show it. */
  isSilent = false;
  protected abstract readonly address: DatabaseAddress;
  protected abstract readonly replies: { pause(): unknown; resume(): unknown };
  /** After any failed statement: a transaction with an old snapshot may be open. */
  protected mayBeInTransaction = false;
  readonly #listeners: (() => void)[] = [];
  readonly #pending = new Set<(reason: Error) => void>();
  #lost: Error | undefined;
  #givenUp = false;

  get alive(): boolean {
    return this.#lost === undefined;
  }

  get broke(): boolean {
    return this.#lost !== undefined && !this.#givenUp;
  }

  onLost(listener: () => void): void {
    if (this.#lost === undefined) this.#listeners.push(listener);
    else listener();
  }

  /** Drops it without a word to the server, which may be frozen. */
  destroy(reason: Error = new ConnectionLostError('The connection was given up.')): void {
    this.#givenUp ||= this.#lost === undefined;
    this.#end(reason);
  }

  /** @param failed also of work that was stopped: a late kill may meet the next statement */
  abstract needsRollback(failed: boolean): boolean;

  /** Resolves with whether it can take the next statement. */
  abstract rollBack(): Promise<boolean>;

  protected abstract isLostBy(error: unknown): boolean;

  protected abstract hangUp(): void;

  /** Gives up a connection that is not ready in time. */
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
      this.mayBeInTransaction = true;
      if (this.isLostBy(error)) this.lose(error);
      throw error;
    } finally {
      this.#pending.delete(reject);
    }
  }

  /**
   * Pauses the server while `take` is busy; rows already here still come.
   *
   * @param take returns what to wait for before the next row
   * @returns how many rows there were
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

  /** Counts bytes that have arrived, and pauses until there is memory for them. */
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
