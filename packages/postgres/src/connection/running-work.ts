import { performance } from 'node:perf_hooks';

import {
  Deadlines,
  Pools,
  QueryFailedError,
  type ReadCall,
  type Statement,
} from '@proj/engine/database';

import { CallerSession, explainedToCaller, refuseOther } from './caller-session.ts';
import type { Connection, Row } from './connection.ts';
import type { Cut, Distribution } from './distribution.ts';
import { errorKind, isLost, isOtherState, NoCommonStateError, toQueryError } from './errors.ts';
import {
  type Isolation,
  type SessionStatement,
  type StatementTerms,
  statementTerms,
} from './session.ts';

/** In milliseconds, for the server to stop a statement. A suspended one never does. */
const CANCEL_MS = 500;

export interface DatabaseCall extends ReadCall {
  readonly takeVersion?: ((version: string | undefined) => void) | undefined;
  /** Whether a retry is cheap, if the server is written to meanwhile. */
  readonly isQuick?: boolean;
}

export interface ServerCall extends DatabaseCall {
  readonly keepsPlans: boolean;
  /** Default: no table is distributed. */
  readonly distribution?: Distribution;
  readonly cut?: Cut | undefined;
}

export type Ask = (statement: SessionStatement) => Promise<Row>;

export type AskRows = (...asked: Parameters<Connection['rows']>) => Promise<number>;

export type Work<Value> = (ask: Ask, askRows: AskRows) => Promise<Value>;

const COMMIT: SessionStatement = { sql: 'commit', parameters: [] };

interface Job<Value> extends TransactionWork<Value> {
  readonly terms: StatementTerms;
  readonly caller: CallerSession | undefined;
  readonly begins: boolean;
}

export interface TransactionWork<Value> {
  readonly work: Work<Value>;
  /** Default: `repeatable read`. */
  readonly isolation?: Isolation;
  /** Whether the work asks all at once, and the end may travel with it. Default: false. */
  readonly asksAtOnce?: boolean;
  /** Reports errors of `commit` instead of retrying: the work can't be repeated. Default: false. */
  readonly isFinal?: boolean;
}

/** In a shared session, a transaction around it travels in the same round trip. */
export function runStatement(
  connection: Connection,
  statement: SessionStatement,
  call: ServerCall,
): Pools.Run<Row> {
  const job = transactionOf(connection, call, 'read committed');
  // Servers keep a known cut's state until they are checked after the read.
  const isOfKnownCut = call.cut?.isKnown === true && call.session?.role === undefined;
  const begins = job.terms.needsTransaction || (job.caller !== undefined && !isOfKnownCut);
  const work: Work<Row> = (ask) => ask(statement);
  return runJob(connection, { ...job, begins, work, asksAtOnce: true }, call);
}

/** `begin` travels with the first statement; a transaction left open is rolled back. */
export function runTransaction<Value>(
  connection: Connection,
  work: TransactionWork<Value>,
  call: ServerCall,
): Pools.Run<Value> {
  const job = transactionOf(connection, call, work.isolation ?? 'repeatable read');
  return runJob(connection, { ...job, ...work, begins: true }, call);
}

/** A caller's read always has one snapshot: functions of policies see it too. */
function transactionOf(
  connection: Connection,
  call: ReadCall & Pick<ServerCall, 'cut'>,
  isolation: Isolation,
): Pick<Job<unknown>, 'terms' | 'caller'> {
  const limitMs = Deadlines.remainingMs(call);
  if (call.session === undefined)
    return { terms: statementTerms(connection.terms, limitMs, isolation), caller: undefined };
  const caller = new CallerSession(call.session, call.cut);
  const session = caller.termsOn(connection.terms);
  const terms = statementTerms(session, limitMs, 'repeatable read');
  return { terms: { ...terms, begin: caller.begin(terms.begin) }, caller };
}

/** Awaits statements sent at once. The first failure explains the others. */
export async function inOrder<Values extends readonly unknown[]>(
  answers: Promises<Values>,
): Promise<Values>;
export async function inOrder<Value>(answers: readonly Promise<Value>[]): Promise<Value[]>;
export async function inOrder(answers: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(answers);
  return settled.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

type Promises<Values extends readonly unknown[]> = {
  readonly [Place in keyof Values]: Promise<Values[Place]>;
};

/** Stops the statement in the database on the deadline or a disconnect. */
function runJob<Value>(
  connection: Connection,
  job: Job<Value>,
  call: ServerCall,
): Pools.Run<Value> {
  const { terms, caller, begins, asksAtOnce = false, isFinal = false } = job;
  const { signal, keepsPlans, takeVersion, distribution, cut } = call;
  let asked: Promise<unknown> = Promise.resolve();
  connection.sendTogether();
  const opened = begins ? connection.begin(terms.begin) : Promise.resolve();
  const begun = openAs(caller);
  const working = inOrder([begun, run()]).then(([, value]) => value, fail);
  function fail(error: unknown): never {
    const explained = call.session?.role === undefined ? error : explainedToCaller(error);
    if (isLost(explained)) connection.destroy();
    throw explained;
  }
  async function stop(): Promise<boolean> {
    // After a cancelled `begin` the next statement would run outside its transaction.
    await opened.catch(() => undefined);
    return connection.cancel(CANCEL_MS);
  }
  function send(statement: SessionStatement): Promise<Row> {
    const { collects, named = false } = statement;
    const isNamed = named && keepsPlans && terms.keepsPlans;
    return askUnder(terms, () =>
      collects === undefined
        ? connection.query(statement, isNamed)
        : collectRecords(connection, statement, collects),
    );
  }
  async function openAs(as: CallerSession | undefined): Promise<Row[]> {
    const opening = as?.opening ?? [];
    try {
      const [, rows] = await inOrder([opened, inOrder(opening.map(send))]);
      await cut?.confirm(as?.stateOf(rows));
      return rows;
    } catch (error) {
      const reason = isOtherState(error) ? new NoCommonStateError() : error;
      cut?.leave(reason);
      throw reason;
    }
  }
  async function ask(wanted: SessionStatement): Promise<Row> {
    // The cancel request may have ended the last statement; this one would run unlimited.
    signal.throwIfAborted();
    const statement = distribution?.guarded(wanted) ?? wanted;
    if (caller === undefined) {
      refuseOther(statement, undefined);
      return send(statement);
    }
    const answered = send({ ...caller.guarded(statement), named: false });
    asked = answered;
    return (await inOrder([begun, answered]))[1];
  }
  async function run(): Promise<Value> {
    const value = job.work(ask, askRows);
    if (asksAtOnce) return (await inOrder([value, end()]))[0];
    await value;
    await end().catch((error: unknown) => {
      throw isFinal ? toQueryError(error) : error;
    });
    return value;
  }
  async function end(): Promise<void> {
    if (!begins && caller === undefined) return;
    signal.throwIfAborted();
    if (caller === undefined) {
      await send(COMMIT);
      return;
    }
    const read = asked;
    const closing = begins ? caller.closing.map(send) : [];
    // A known state must also be that of the end, with or without a version.
    const ended = inOrder([begun, read]).then(() => cut?.end());
    const [before, after, ofCut] = await inOrder([begun, inOrder(closing), ended]);
    const version = begins ? caller.versionAfter(before, after) : undefined;
    takeVersion?.(cut === undefined ? version : caller.isPlain(before) ? ofCut : undefined);
  }
  async function askRows(...[statement, take]: Parameters<AskRows>): Promise<number> {
    signal.throwIfAborted();
    if (caller !== undefined) await begun;
    return askUnder(terms, () =>
      connection.rows(distribution?.guarded(statement) ?? statement, take),
    );
  }
  return Pools.runStoppable(connection, working, { signal, stop, graceMs: CANCEL_MS });
}

async function askUnder<Value>(
  { timeoutMs }: StatementTerms,
  run: () => Promise<Value>,
): Promise<Value> {
  const started = performance.now();
  try {
    return await run();
  } catch (error) {
    // The server's time limit and an administrator's cancellation are both 57014, in its language.
    const isCancelled = errorKind(error) === 'stopped' && performance.now() - started < timeoutMs;
    if (!isCancelled || !(error instanceof Error)) throw error;
    const words = `The database cancelled the statement: ${error.message}`;
    throw new QueryFailedError('database_unavailable', words);
  }
}

/** Collects records into the row that one statement would give: JSON, count, no version. */
export async function collectRecords(
  connection: Pick<Connection, 'rows'>,
  statement: Statement,
  { reversed, maxBytes }: NonNullable<Statement['collects']>,
): Promise<Row> {
  const records: string[] = [];
  let bytes = 1;
  const rows = await connection.rows(statement, ([record]) => {
    const text = record ?? 'null';
    bytes += Buffer.byteLength(text) + 1;
    // An overlong list is read to its end, but not kept.
    if (bytes <= maxBytes) records.push(text);
    return undefined;
  });
  const kept = reversed ? records.toReversed() : records;
  return [bytes <= maxBytes ? `[${kept.join(',')}]` : null, String(rows), null];
}
