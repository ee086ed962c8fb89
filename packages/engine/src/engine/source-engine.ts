import type { BuiltCatalogue } from '../catalogue/build/build.ts';
import type { Grant } from '../catalogue/grant.ts';
import type { ForeignKeyFinding } from '../catalogue/build/build-relations.ts';
import type { CatalogueReport } from '../catalogue/model-error.ts';
import type { ExposeSettings } from '../catalogue/model-settings.ts';
import type { Catalogue, Model } from '../catalogue/model.ts';
import { type ModelChange, modelChanges, refreshCatalogue } from '../catalogue/refresh.ts';
import { type DeadlineLimits, waitOrAbort, waitOrStop, withDeadline } from '../deadline.ts';
import type {
  Answer,
  Call,
  CatalogueCandidate,
  Engine,
  EngineSettings,
  ExportCall,
  FacetsAnswer,
  KeyCheck,
  ListWatch,
  WatchCall,
  WatchedLists,
} from '../engine-types.ts';
import { QueryFailedError } from '../errors.ts';
import { ACCELERATION } from '../reading/acceleration.ts';
import type { MechanismStatistics, SharedSessions } from '../reading/cache-stats.ts';
import type { IndexBuilds } from '../reading/unchanged/index-builder.ts';
import { PublishedVersion } from '../reading/sharing/published-version.ts';
import { MAX_REPLY_BYTES } from '../reply-limit.ts';
import { Callers, NOBODY } from '../sources/callers.ts';
import type { CutCounts } from '../sources/cut-counts.ts';
import type { FeedWatch } from '../sources/following/feed-watch.ts';
import type { FollowReport } from '../sources/following/follow-report.ts';
import type { ReplicaReport, ReplicaWatch } from '../sources/replica-watch.ts';
import type { AskedSession, SessionProblem } from '../sources/session-problem.ts';
import type { ReadCall, Source } from '../sources/source.ts';
import { publishPlan } from '../tracing.ts';
import { compileKeyCheck } from '../sql/key-check.ts';
import { PAGES } from './answer.ts';
import type {
  AnswerBase,
  AnswerKind,
  AskedList,
  EngineRequest,
  AnswerMeta,
} from './answer-kind.ts';
import { CheckedSink } from './checked-sink.ts';
import { deprecationsOf } from './deprecations.ts';
import { exportedColumn, exportedList } from './exported-list.ts';
import { FACETS } from './facets-answer.ts';
import { readCatalogue } from './read-catalogue.ts';
import {
  type ChainQuestion,
  ReplicatedReads,
  type ReplicatedRead,
  type StatedAnswer,
} from './replicated-reads.ts';
import type { Replicas } from './replicas/replicas.ts';
import { retryAfterRefresh } from './retry-after-refresh.ts';
import { SchemaWatch } from './schema-watch.ts';
import { ServedCatalogue, type Serving } from './served-catalogue.ts';
import { ListWatches } from './watches/list-watches.ts';

/** An operator waits while a key check reads a whole relation. */
const KEY_CHECK_TIMEOUT_MS = 10 * 60_000;

const SCHEMA_CHECK_MS = 30_000;

const WATCH_CHECK_MS = 1000;

const WATCH_READ_MS = 10_000;

const EXPORT_TIMEOUT_MS = 10 * 60_000;

export interface EngineSources {
  readonly source: Source;
  readonly replicas?: Replicas | undefined;
}

export class SourceEngine implements Engine {
  readonly #source: Source;
  readonly #replicas: Replicas | undefined;
  readonly #replicated: ReplicatedReads | undefined;
  readonly #published: PublishedVersion;
  readonly #queryTimeoutMs: number;
  readonly #exportTimeoutMs: number;
  readonly #maxReplyBytes: number;
  readonly #served: ServedCatalogue;
  readonly #schema: SchemaWatch;
  readonly #watches: ListWatches;

  constructor(
    { source, replicas }: EngineSources,
    settings: EngineSettings,
    built: BuiltCatalogue,
  ) {
    const { maxReplyBytes = MAX_REPLY_BYTES, schemaCheckMs = SCHEMA_CHECK_MS } = settings;
    const { takeBuildTurn } = settings;
    const acceleration = { ...ACCELERATION, ...settings.acceleration, takeBuildTurn };
    this.#source = source;
    this.#published = new PublishedVersion(source.versions);
    this.#queryTimeoutMs = settings.queryTimeoutMs;
    this.#exportTimeoutMs = settings.exportTimeoutMs ?? EXPORT_TIMEOUT_MS;
    this.#maxReplyBytes = maxReplyBytes;
    this.#replicas = replicas;
    this.#replicated = replicas && new ReplicatedReads(replicas);
    const parts = { source, acceleration, maxReplyBytes, replicas: replicas?.replicas.length };
    this.#served = new ServedCatalogue(parts, built, settings);
    this.#schema = new SchemaWatch(() => this.#served.refresh(), { checkMs: schemaCheckMs });
    this.#watches = new ListWatches({
      source,
      serving: () => this.#served.current,
      ask: (request, call) => this.#ask(PAGES, request, call),
      published: (version) => this.#published.of(version),
      checkMs: settings.watchCheckMs ?? WATCH_CHECK_MS,
      readMs: settings.watchReadMs ?? WATCH_READ_MS,
      timeoutMs: settings.queryTimeoutMs,
    });
  }

  get catalogue(): Catalogue {
    return this.#served.current.catalogue;
  }

  get reports(): readonly CatalogueReport[] {
    return this.#served.current.reports;
  }

  get foreignKeys(): readonly ForeignKeyFinding[] {
    return this.#served.current.foreignKeys;
  }

  setCacheMemory(bytes: number): void {
    this.#served.setMemory(bytes);
  }

  statistics(): readonly MechanismStatistics[] {
    return this.#served.current.reading.counters.statistics;
  }

  sharedSessions(): SharedSessions {
    const { reading, settings } = this.#served.current;
    const roles = new Set(settings.sessions?.map(({ role }) => role));
    const kept = [...roles].map((role) => ({ role, values: reading.sessions.valuesOf(role) }));
    return { kept, uses: reading.counters.sessions };
  }

  indexBuilds(): IndexBuilds {
    return this.#served.current.reading.indexBuilds;
  }

  get feed(): FeedWatch | undefined {
    return this.#source.changes?.followed?.feed;
  }

  get replicas(): ReplicaWatch | undefined {
    return this.#replicas;
  }

  get cuts(): CutCounts | undefined {
    return this.#source.cuts;
  }

  async query(body: unknown, grant: Grant, call?: Call): Promise<Answer> {
    return this.#ask(PAGES, { body, grant }, call);
  }

  async facets(body: unknown, grant: Grant, call?: Call): Promise<FacetsAnswer> {
    return this.#ask(FACETS, { body, grant }, call);
  }

  async export(
    body: unknown,
    grant: Grant,
    { sink, signal, caller, isTyped }: ExportCall,
  ): Promise<void> {
    const checked = new CheckedSink(sink);
    return withDeadline({ signal, ...this.#exportLimit() }, (deadline) => {
      const call = { ...deadline, callers: new Callers(caller) };
      const attempt = (): Promise<void> =>
        this.#export({ body, grant, sink: checked, isTyped }, call);
      const exported = this.#retried(attempt, call, () => !checked.isBegun);
      return waitOrStop(exported, deadline.signal);
    });
  }

  async watch(body: unknown, grant: Grant, call: WatchCall): Promise<ListWatch> {
    return this.#watches.open({ body, grant, seesVersion: call.seesVersion }, call);
  }

  watched(): WatchedLists {
    return this.#watches.watched;
  }

  prepare(settings: ExposeSettings): Promise<CatalogueCandidate> {
    return this.#served.prepare(settings);
  }

  async isKey(
    model: Model,
    { background = false, timeoutMs: longest = KEY_CHECK_TIMEOUT_MS }: KeyCheck = {},
  ): Promise<boolean> {
    const violations = compileKeyCheck(model, this.#source.dialect);
    const yields = background && this.#source.writers !== undefined;
    const timeoutMs = yields ? this.#queryTimeoutMs : longest;
    return withDeadline({ timeoutMs }, async (call) => {
      const { cells = [] } = await this.#source.read({ kind: 'row', asked: violations }, call);
      return String(cells[0]) === '0';
    });
  }

  ping(): Promise<void> {
    return this.#source.ping();
  }

  async followReport(): Promise<FollowReport | undefined> {
    const models = [...this.catalogue.values()].filter((one) => one.selection === undefined);
    return this.#source.changes?.report(
      models.map(({ path }) => path),
      models.filter(isShownByRow).map(({ path }) => path),
    );
  }

  async replicaReport(): Promise<readonly ReplicaReport[]> {
    const { catalogue, settings } = this.#served.current;
    const differing = async (replica: Source): Promise<ModelChange[]> => {
      const found = refreshCatalogue(catalogue, await readCatalogue(replica, settings));
      return modelChanges(catalogue, found);
    };
    return (await this.#replicas?.report(differing)) ?? [];
  }

  exportsHoldUpWrites(): boolean {
    return this.#source.writers?.areHeldUp() === true;
  }

  async warnings(): Promise<string[]> {
    return (await this.#source.warnings?.()) ?? [];
  }

  async sessionProblems(asked: AskedSession): Promise<SessionProblem[]> {
    return (await this.#source.sessionProblems?.(asked)) ?? [];
  }

  onModelChange(listener: (change: ModelChange) => void): void {
    this.#served.onModelChange(listener);
  }

  async close(): Promise<void> {
    this.#schema.close();
    this.#watches.close();
    await this.#served.close();
    await this.#replicas?.close();
    await this.#source.close();
  }

  #exportLimit(): Pick<DeadlineLimits, 'timeoutMs' | 'timeoutError'> {
    const ofQuery = this.#queryTimeoutMs;
    if (ofQuery >= this.#exportTimeoutMs || !this.exportsHoldUpWrites())
      return { timeoutMs: this.#exportTimeoutMs };
    return { timeoutMs: ofQuery, timeoutError: () => heldUpWrites(ofQuery) };
  }

  /** @param mayRepeat whether nothing was shown yet */
  #retried<Value>(
    attempt: () => Promise<Value>,
    call: ReadCall,
    mayRepeat: () => boolean = () => true,
  ): Promise<Value> {
    const { generation } = this.#served.current;
    return retryAfterRefresh(attempt, async () => {
      if (!mayRepeat()) return false;
      await waitOrAbort(this.#schema.refresh(), call.signal);
      // The grant belongs to one catalogue: if another was applied, nothing is repeated.
      return this.#served.current.generation === generation;
    });
  }

  async #export({ body, grant, sink, isTyped }: ExportAttempt, call: ReadCall): Promise<void> {
    const { prepared, planMs } = planTimed(
      () => this.#served.current.preparer.prepareExport(body, grant),
      ({ query }) => query.plan,
    );
    const plannedAt = performance.now();
    const target = sink.listSink({
      signal: call.signal,
      describe: ({ total, version, misfit }) =>
        exportedList(prepared, {
          total,
          misfit,
          version: this.#published.of(version),
          milliseconds: { plan: planMs, count: performance.now() - plannedAt },
        }),
    });
    const { query } = prepared;
    const list =
      isTyped === undefined
        ? query.wholeList
        : query.typedList((attribute) => isTyped(exportedColumn(attribute)));
    try {
      await this.#source.list(list, target, call);
      sink.demandWhole();
    } catch (error) {
      throw sink.explained(error);
    }
  }

  /** Tries again after reading the schema, if the query failed because that changed. */
  async #ask<Prepared, Read extends AnswerMeta, Own>(
    kind: AnswerKind<Prepared, Read, Own>,
    request: EngineRequest,
    { signal, caller, replicas }: Call = {},
  ): Promise<Own & AnswerBase> {
    const callers = new Callers(caller);
    const elsewhere = replicas && { ...replicas, caller: caller ?? NOBODY };
    return withDeadline({ signal, timeoutMs: this.#queryTimeoutMs }, (deadline) => {
      const where = { call: { ...deadline, callers }, elsewhere };
      const answered = this.#retried(() => this.#answer(kind, request, where), where.call);
      return waitOrStop(answered, deadline.signal);
    });
  }

  async #answer<Prepared, Read extends AnswerMeta, Own>(
    kind: AnswerKind<Prepared, Read, Own>,
    request: EngineRequest,
    where: ReadPlace,
  ): Promise<Own & AnswerBase> {
    const serving = this.#served.current;
    const { prepared, planMs } = planTimed(() => kind.prepare(serving, request), kind.asked);
    const { page: read, state } = await this.#read(serving, where, kind.question(prepared));
    const asked = kind.asked(prepared);
    return {
      ...kind.answer(prepared, read, this.#maxReplyBytes),
      version: this.#published.of(read.version),
      milliseconds: { plan: planMs, ...read.milliseconds },
      deprecations: deprecationsOf(asked),
      approximate: asked.facts.approximate,
      ...(state !== undefined && { state }),
    };
  }

  async #read<Read extends AnswerMeta>(
    serving: Serving,
    { call, elsewhere }: ReadPlace,
    asked: ChainQuestion<Read>,
  ): Promise<Pick<StatedAnswer<Read>, 'page'> & Partial<StatedAnswer<Read>>> {
    if (this.#replicated !== undefined && elsewhere !== undefined)
      return this.#replicated.read(serving, { ...elsewhere, asked, call });
    return { page: await asked.read(serving.reading, call) };
  }
}

interface ReadPlace {
  readonly call: ReadCall;
  readonly elsewhere: Omit<ReplicatedRead<unknown>, 'asked' | 'call'> | undefined;
}

interface ExportAttempt extends EngineRequest, Pick<ExportCall, 'isTyped'> {
  readonly sink: CheckedSink;
}

function planTimed<Prepared>(
  prepare: () => Prepared,
  asked: (prepared: Prepared) => Pick<AskedList, 'name'>,
): { readonly prepared: Prepared; readonly planMs: number } {
  const startedAt = performance.now();
  const prepared = prepare();
  const endedAt = performance.now();
  publishPlan({ startedAt, endedAt, model: asked(prepared).name });
  return { prepared, planMs: endedAt - startedAt };
}

function heldUpWrites(timeoutMs: number): QueryFailedError {
  return new QueryFailedError(
    'query_timeout',
    `The export took longer than ${timeoutMs} ms, the time of a query: the file has no ` +
      'write-ahead log, so nobody can write to it while an export runs. ' +
      'Run `pragma journal_mode = wal` in the database to give exports their own time.',
  );
}

function isShownByRow({ roles = [] }: Model): boolean {
  return roles.some(({ decidesBy }) => decidesBy !== undefined);
}
