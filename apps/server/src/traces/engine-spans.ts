import type { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';

import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import {
  type BackgroundWork,
  ENGINE_CHANNELS,
  type MechanismUse,
  type PlannedQuery,
  type TracedStatement,
} from '@proj/engine';

import { clockOrigin, Trace } from './trace.ts';

/** Undefined where no trace is recorded. */
export type CurrentTrace = AsyncLocalStorage<Trace | undefined>;

const BACKGROUND_NAMES = {
  page_index: 'build page index',
  followed_list: 'read followed list',
  watched_list: 'read watched list',
};

/**
 * Makes spans of the engine's events: plans and statements are children of their request,
 * background work has traces of its own. The engine only reports them to listeners, which exist
 * only while a trace is recorded.
 */
export class EngineSpans {
  readonly #listeners: readonly (readonly [channel: string, listener: ChannelListener])[];
  readonly #unfollowBackground: () => void;
  #recorded = 0;

  constructor(tracer: Tracer, current: CurrentTrace) {
    this.#listeners = [
      [ENGINE_CHANNELS.plan, (plan) => addPlan(tracer, current, plan as PlannedQuery)],
      [
        ENGINE_CHANNELS.statement,
        (statement) => addStatement(tracer, current, statement as TracedStatement),
      ],
      [ENGINE_CHANNELS.mechanism, (use) => noteMechanism(current, use as MechanismUse)],
    ];
    this.#unfollowBackground = followBackground({ tracer, current, spans: this });
  }

  /** A trace is recorded from now on. */
  begin(): void {
    this.#recorded += 1;
    if (this.#recorded > 1) return;
    for (const [channel, listener] of this.#listeners) subscribe(channel, listener);
  }

  /** A recorded trace has ended. */
  end(): void {
    this.#recorded -= 1;
    if (this.#recorded > 0) return;
    for (const [channel, listener] of this.#listeners) unsubscribe(channel, listener);
  }

  /** Stops tracing background work. */
  close(): void {
    this.#unfollowBackground();
  }
}

type ChannelListener = (message: unknown) => void;

function noteMechanism(current: CurrentTrace, { mechanism, hit }: MechanismUse): void {
  if (hit) current.getStore()?.answeredBy.add(mechanism);
}

function addPlan(tracer: Tracer, current: CurrentTrace, plan: PlannedQuery): void {
  const trace = current.getStore();
  if (trace === undefined) return;
  const attributes = { 'dynamic_query.model': plan.model };
  const startTime = trace.timeOf(plan.startedAt);
  tracer
    .startSpan('plan', { attributes, startTime }, trace.context)
    .end(trace.timeOf(plan.endedAt));
}

/** https://opentelemetry.io/docs/specs/semconv/database/database-spans/ */
function addStatement(tracer: Tracer, current: CurrentTrace, statement: TracedStatement): void {
  const trace = current.getStore();
  if (trace?.includes(statement.startedAt) !== true) return;
  const { database, text, relations, error } = statement;
  const collection = collectionOf(relations);
  // Statements that read rows may begin with something else, such as a list of settings.
  const operation = (/[a-z]+/i.exec(text)?.[0] ?? '').toUpperCase();
  const span = tracer.startSpan(
    collection === undefined ? operation : `${operation} ${collection}`,
    {
      kind: SpanKind.CLIENT,
      startTime: trace.timeOf(statement.startedAt),
      attributes: {
        'db.system.name': database.system,
        'db.namespace': database.namespace,
        'server.address': database.address,
        'server.port': database.port,
        'db.operation.name': operation,
        'db.collection.name': collection,
        'db.query.text': text,
      },
    },
    trace.context,
  );
  if (error !== undefined) {
    span.setAttributes({ 'error.type': error, 'db.response.status_code': error });
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(trace.timeOf(statement.endedAt));
}

interface BackgroundParts {
  readonly tracer: Tracer;
  readonly current: CurrentTrace;
  readonly spans: Pick<EngineSpans, 'begin' | 'end'>;
}

/** @returns unsubscribes */
function followBackground({ tracer, current, spans }: BackgroundParts): () => void {
  const { start, asyncEnd } = tracingChannel(ENGINE_CHANNELS.background);
  const traces = new WeakMap<object, Trace>();
  const onEnd = (work: unknown): void => {
    const trace = typeof work === 'object' && work !== null ? traces.get(work) : undefined;
    if (trace === undefined) return;
    trace.end();
    spans.end();
  };
  start.bindStore(current, (work) => {
    const trace = startBackground(tracer, work as BackgroundWork);
    if (trace === undefined) return undefined;
    traces.set(work, trace);
    spans.begin();
    return trace;
  });
  asyncEnd.subscribe(onEnd);
  return () => {
    start.unbindStore(current);
    asyncEnd.unsubscribe(onEnd);
  };
}

function startBackground(tracer: Tracer, { kind, relations }: BackgroundWork): Trace | undefined {
  const origin = clockOrigin();
  const attributes = { 'db.collection.name': collectionOf(relations) };
  const startTime = origin + performance.now();
  const span = tracer.startSpan(BACKGROUND_NAMES[kind], { attributes, startTime }, ROOT_CONTEXT);
  return span.isRecording() ? new Trace(span, ROOT_CONTEXT, origin) : undefined;
}

/** The only relation that is read; the conventions have no name for several. */
function collectionOf([relation, ...others]: readonly (readonly string[])[] = []):
  | string
  | undefined {
  return others.length === 0 ? relation?.join('.') : undefined;
}
