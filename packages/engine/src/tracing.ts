import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, tracingChannel } from 'node:diagnostics_channel';

/** Unheard channels cost nothing. Messages are published in their query's async context. */
export const ENGINE_CHANNELS = Object.freeze({
  /** {@link PlannedQuery}. */
  plan: 'dynamic-query:plan',
  /** {@link TracedStatement}. */
  statement: 'dynamic-query:statement',
  /** {@link MechanismUse}. */
  mechanism: 'dynamic-query:mechanism',
  /** A tracing channel: {@link BackgroundWork}. */
  background: 'dynamic-query:background',
});

export interface TimeSpan {
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface PlannedQuery extends TimeSpan {
  readonly model: string;
}

export interface DatabaseAddress {
  /** Its name in OpenTelemetry's semantic conventions. */
  readonly system: string;
  readonly namespace?: string | undefined;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}

export interface TracedStatement extends TimeSpan {
  readonly database: DatabaseAddress;
  /** Holds placeholders and no values. */
  readonly text: string;
  readonly relations: readonly (readonly string[])[] | undefined;
  readonly error: string | undefined;
}

export interface MechanismUse {
  readonly mechanism: string;
  readonly hit: boolean;
}

export interface BackgroundWork {
  readonly kind: 'page_index' | 'followed_list' | 'watched_list';
  readonly relations: readonly (readonly string[])[];
}

const plans = channel(ENGINE_CHANNELS.plan);
const statements = channel(ENGINE_CHANNELS.statement);
const mechanisms = channel(ENGINE_CHANNELS.mechanism);
const background = tracingChannel<unknown, BackgroundWork>(ENGINE_CHANNELS.background);

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

export type StatementFacts = Pick<TracedStatement, 'database' | 'text' | 'relations'>;

export async function traceStatement<Value>(
  facts: StatementFacts,
  run: () => Promise<Value>,
): Promise<Value> {
  if (!statements.hasSubscribers) return run();
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

/** Leaves the context of the caller who caused the work. */
export function inBackground<Value>(
  work: BackgroundWork,
  run: () => Promise<Value>,
): Promise<Value> {
  return background.tracePromise(run, { ...work });
}

export type CallerContext = <Value>(work: () => Value) => Value;

/** For work of the present caller that something else begins. */
export function callerContext(): CallerContext {
  return statements.hasSubscribers ? AsyncLocalStorage.snapshot() : (work) => work();
}

/** Messages may hold values. */
function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { errcode, errno, code } = error as Partial<Record<'errcode' | 'errno' | 'code', unknown>>;
  if (typeof errcode === 'number') return String(errcode);
  if (typeof errno === 'number' && errno > 0) return String(errno);
  return typeof code === 'string' ? code : error.name;
}
