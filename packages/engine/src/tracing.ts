import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, tracingChannel } from 'node:diagnostics_channel';

/**
 * The channels of `node:diagnostics_channel` on which the engine publishes what it does. While
 * nobody listens, nothing is noted and nothing is published. Messages are published in the
 * asynchronous context of the query that they are of.
 */
export const ENGINE_CHANNELS = Object.freeze({
  /** A request was understood: {@link PlannedQuery}. */
  plan: 'dynamic-query:plan',
  /** A statement has ended: {@link TracedStatement}. */
  statement: 'dynamic-query:statement',
  /** A mechanism served a query, or was tried in vain: {@link MechanismUse}. */
  mechanism: 'dynamic-query:mechanism',
  /** The name of a tracing channel: work that no caller waits for, {@link BackgroundWork}. */
  background: 'dynamic-query:background',
});

/** When something began and ended, as moments of `performance.now()`. */
export interface TimeSpan {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A request that was understood. */
export interface PlannedQuery extends TimeSpan {
  readonly model: string;
}

/** Which database a statement was sent to. */
export interface DatabaseAddress {
  /** The product, by its name in the semantic conventions of OpenTelemetry. */
  readonly system: string;
  /** The name of the database on its server. */
  readonly namespace?: string | undefined;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}

/** A statement that has ended. */
export interface TracedStatement extends TimeSpan {
  readonly database: DatabaseAddress;
  /** Its text, which holds placeholders and no values. */
  readonly text: string;
  /** Which relations it reads, each by its schema and name; undefined where it is none. */
  readonly relations: readonly (readonly string[])[] | undefined;
  /** The code of the error by which it failed; undefined where it did not. */
  readonly error: string | undefined;
}

/** That a mechanism was tried. */
export interface MechanismUse {
  readonly mechanism: string;
  readonly hit: boolean;
}

/** Work that no caller waits for. */
export interface BackgroundWork {
  readonly kind: 'page_index' | 'followed_list' | 'watched_list';
  readonly relations: readonly (readonly string[])[];
}

const plans = channel(ENGINE_CHANNELS.plan);
const statements = channel(ENGINE_CHANNELS.statement);
const mechanisms = channel(ENGINE_CHANNELS.mechanism);
const background = tracingChannel<unknown, BackgroundWork>(ENGINE_CHANNELS.background);

/** Whether anybody follows statements. */
export function followsStatements(): boolean {
  return statements.hasSubscribers;
}

export function publishPlan(plan: PlannedQuery): void {
  if (plans.hasSubscribers) plans.publish(plan);
}

export function publishMechanism(mechanism: string, hit: boolean): void {
  if (mechanisms.hasSubscribers) mechanisms.publish({ mechanism, hit } satisfies MechanismUse);
}

export function publishStatement(statement: TracedStatement): void {
  if (statements.hasSubscribers) statements.publish(statement);
}

/** What is known of a statement before it runs. */
export type StatementFacts = Pick<TracedStatement, 'database' | 'text' | 'relations'>;

/** Runs a statement, and publishes it when it has ended. */
export function traceStatement<Value>(
  facts: StatementFacts,
  run: () => Promise<Value>,
): Promise<Value> {
  return statements.hasSubscribers ? runTraced(facts, run) : run();
}

async function runTraced<Value>(facts: StatementFacts, run: () => Promise<Value>): Promise<Value> {
  const startedAt = performance.now();
  let error: string | undefined;
  try {
    return await run();
  } catch (cause) {
    error = errorCodeOf(cause);
    throw cause;
  } finally {
    publishStatement({ ...facts, startedAt, endedAt: performance.now(), error });
  }
}

/** As {@link traceStatement}, for a database that answers at once. */
export function traceSync<Value>(facts: StatementFacts, run: () => Value): Value {
  if (!statements.hasSubscribers) return run();
  const startedAt = performance.now();
  let error: string | undefined;
  try {
    return run();
  } catch (cause) {
    error = errorCodeOf(cause);
    throw cause;
  } finally {
    publishStatement({ ...facts, startedAt, endedAt: performance.now(), error });
  }
}

/** Does work that no caller waits for, outside of the context of the caller who caused it. */
export function inBackground<Value>(
  work: BackgroundWork,
  run: () => Promise<Value>,
): Promise<Value> {
  return background.tracePromise(run, { ...work });
}

/** Runs something in the context in which this was made. */
export type CallerContext = <Value>(work: () => Value) => Value;

/** The context of the caller who asks now, for work of theirs that something else begins. */
export function callerContext(): CallerContext {
  return statements.hasSubscribers ? AsyncLocalStorage.snapshot() : inPlace;
}

function inPlace<Value>(work: () => Value): Value {
  return work();
}

/** A code by which databases and Node name an error. Messages may hold values. */
function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { errcode, errno, code } = error as Partial<Record<'errcode' | 'errno' | 'code', unknown>>;
  if (typeof errcode === 'number') return String(errcode);
  if (typeof errno === 'number' && errno > 0) return String(errno);
  return typeof code === 'string' ? code : error.name;
}
