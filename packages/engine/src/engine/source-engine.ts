import type { BuiltCatalogue } from '../catalogue/build/build.ts';
import type { AskedSession, SessionProblem } from '../catalogue/database-session.ts';
import type { ExposeSettings } from '../catalogue/model-settings.ts';
import type { Catalogue, Model } from '../catalogue/model.ts';
import type { ModelChange } from '../catalogue/refresh.ts';
import { type DeadlineLimits, waitOrAbort, waitOrStop, withDeadline } from '../deadline.ts';
import type { AnswerState, Call, CatalogueCandidate, Engine, KeyCheck } from '../engine-types.ts';
import type { EngineSettings } from '../engine-settings.ts';
import { ACCELERATION } from '../reading/acceleration.ts';
import { publishedVersions, type PublishedVersions } from '../reading/sharing/data-version.ts';
import { MAX_REPLY_BYTES } from '../reply-memory.ts';
import { Callers, NOBODY } from '../sources/read-call.ts';
import type { ReadCall, Source } from '../sources/source.ts';
import { compileKeyCheck } from '../sql/compile/compile-whole-list.ts';
import {
  type AnswerBase,
  type AnswerMeta,
  type Ask,
  type Asked,
  askedBefore,
  askFacets,
  askPages,
  deprecationsOf,
  type EngineRequest,
  planTimed,
} from './answer.ts';
import { CheckedSink, exportList, heldUpWrites } from './export-list.ts';
import { type ReplicatedRead, ReplicatedReads } from './replicated-reads.ts';
import type { Replicas } from './replicas/replicas.ts';
import { retryAfterRefresh, SchemaWatch } from './schema-watch.ts';
import { ServedCatalogue } from './served-catalogue.ts';
import { ListWatches } from './watches/list-watches.ts';

/** An operator waits while a key check reads a whole relation. */
const KEY_CHECK_TIMEOUT_MS = 10 * 60_000;

const SCHEMA_CHECK_MS = 30_000;
const WATCH_CHECK_MS = 1000;
const WATCH_READ_MS = 10_000;
const EXPORT_TIMEOUT_MS = 10 * 60_000;

/** Of the version that a reply is kept for, also where another check has just begun. */
const LONGEST_CHECKS_MS = 5000;

export class SourceEngine implements Engine {
  readonly replicas: Replicas | undefined;
  readonly #source: Source;
  readonly #replicated: ReplicatedReads | undefined;
  readonly #published: PublishedVersions;
  readonly #queryTimeoutMs: number;
  readonly #exportTimeoutMs: number;
  readonly #maxReplyBytes: number;
  readonly #served: ServedCatalogue;
  readonly #schema: SchemaWatch;
  readonly #watches: ListWatches;

  constructor(
    { source, replicas }: { readonly source: Source; readonly replicas?: Replicas | undefined },
    settings: EngineSettings,
    built: BuiltCatalogue,
  ) {
    const { maxReplyBytes = MAX_REPLY_BYTES } = settings;
    const acceleration = { ...ACCELERATION, ...settings.acceleration };
    this.#source = source;
    this.#published = publishedVersions(source.versions);
    this.#queryTimeoutMs = settings.queryTimeoutMs;
    this.#exportTimeoutMs = settings.exportTimeoutMs ?? EXPORT_TIMEOUT_MS;
    this.#maxReplyBytes = maxReplyBytes;
    this.replicas = replicas;
    this.#replicated = replicas && new ReplicatedReads(replicas);
    const parts = { source, acceleration, maxReplyBytes, replicas: replicas?.replicas.length };
    this.#served = new ServedCatalogue(parts, built, settings);
    const checkMs = settings.schemaCheckMs ?? SCHEMA_CHECK_MS;
    this.#schema = new SchemaWatch(() => this.#served.refresh(), checkMs);
    this.#watches = new ListWatches({
      source,
      serving: () => this.#served.current,
      ask: (request, call) => this.#ask(askPages, request, call),
      published: this.#published,
      checkMs: settings.watchCheckMs ?? WATCH_CHECK_MS,
      readMs: settings.watchReadMs ?? WATCH_READ_MS,
      timeoutMs: settings.queryTimeoutMs,
    });
  }

  get catalogue(): Catalogue {
    return this.#served.current.catalogue;
  }

  get reports(): Engine['reports'] {
    return this.#served.current.reports;
  }

  get foreignKeys(): Engine['foreignKeys'] {
    return this.#served.current.foreignKeys;
  }

  setCacheMemory(bytes: number): void {
    this.#served.setMemory(bytes);
  }

  statistics(): ReturnType<Engine['statistics']> {
    return this.#served.current.reading.counters.statistics;
  }

  sharedSessions(): ReturnType<Engine['sharedSessions']> {
    const { reading, settings } = this.#served.current;
    const roles = new Set(settings.sessions?.map(({ role }) => role));
    const kept = [...roles].map((role) => ({ role, values: reading.sessionsOf(role) }));
    return { kept, uses: reading.counters.sessions };
  }

  indexBuilds(): ReturnType<Engine['indexBuilds']> {
    return this.#served.current.reading.indexBuilds;
  }

  get feed(): Engine['feed'] {
    return this.#source.changes?.followed?.feed;
  }

  get cuts(): Engine['cuts'] {
    return this.#source.cuts;
  }

  readonly query: Engine['query'] = (body, grant, call) =>
    this.#ask(askPages, { body, grant }, call);

  readonly facets: Engine['facets'] = (body, grant, call) =>
    this.#ask(askFacets, { body, grant }, call);

  readonly export: Engine['export'] = (body, grant, { sink, signal, caller, isTyped }) => {
    const checked = new CheckedSink(sink);
    return withDeadline({ signal, ...this.#exportLimit() }, (deadline) => {
      const call = { ...deadline, callers: new Callers(caller) };
      const asked = { body, grant, sink: checked, isTyped };
      const place = { source: this.#source, published: this.#published };
      const attempt = (): Promise<void> =>
        exportList({ ...asked, ...place, serving: this.#served.current }, call);
      const exported = this.#retried(attempt, call, () => !checked.isBegun);
      return waitOrStop(exported, deadline.signal);
    });
  };

  readonly watch: Engine['watch'] = (body, grant, call) =>
    this.#watches.open({ body, grant, seesVersion: call.seesVersion }, call);

  watched(): ReturnType<Engine['watched']> {
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

  async followReport(): ReturnType<Engine['followReport']> {
    const models = [...this.catalogue.values()].filter((one) => one.selection === undefined);
    return this.#source.changes?.report(
      models.map(({ path }) => path),
      models
        .filter(({ roles = [] }) => roles.some(({ decidesBy }) => decidesBy))
        .map(({ path }) => path),
    );
  }

  async replicaReport(): ReturnType<Engine['replicaReport']> {
    return (await this.replicas?.report((one) => this.#served.changesOn(one))) ?? [];
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
    await this.replicas?.close();
    await this.#source.close();
  }

  #exportLimit(): Pick<DeadlineLimits, 'timeoutMs' | 'timeoutError'> {
    const ofQuery = this.#queryTimeoutMs;
    if (ofQuery >= this.#exportTimeoutMs || !this.exportsHoldUpWrites())
      return { timeoutMs: this.#exportTimeoutMs };
    return { timeoutMs: ofQuery, timeoutError: () => heldUpWrites(ofQuery) };
  }

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

  async #ask<Read extends AnswerMeta, Own>(
    plan: Ask<Read, Own>,
    { body, grant }: EngineRequest,
    call: Call = {},
  ): Promise<Own & AnswerBase> {
    const since = performance.now();
    const { caller, replicas, notes } = call;
    const request = { body, grant, notes };
    const timeoutMs = this.#queryTimeoutMs;
    if (replicas === undefined && timeoutMs >= LONGEST_CHECKS_MS) {
      const serving = this.#served.current;
      const known = askedBefore(plan, serving, request);
      const page = await known?.kept(serving.reading, caller);
      if (known && page) return this.#replyOf({ page }, { prepared: known, planMs: 0 });
    }
    const elsewhere = replicas && { ...replicas, caller: caller ?? NOBODY };
    return withDeadline({ signal: call.signal, timeoutMs, since }, (deadline) => {
      const where = { call: { ...deadline, callers: new Callers(caller) }, elsewhere };
      const answered = this.#retried(() => this.#answer(plan, request, where), where.call);
      return waitOrStop(answered, deadline.signal);
    });
  }

  async #answer<Read extends AnswerMeta, Own>(
    plan: Ask<Read, Own>,
    request: EngineRequest,
    { call, elsewhere }: ReadPlace,
  ): Promise<Own & AnswerBase> {
    const serving = this.#served.current;
    const { catalogue } = serving;
    const { grant, notes } = request;
    const planned = planTimed(() => plan(serving, request));
    const { prepared: asked } = planned;
    if (notes !== undefined) notes.asked = { by: plan, catalogue, grant, asked };
    const replicated =
      elsewhere && (await this.#replicated?.read(serving, { ...elsewhere, asked, call }));
    const read = replicated ?? { page: await asked.read(serving.reading, call) };
    return this.#replyOf(read, planned);
  }

  #replyOf<Read extends AnswerMeta, Own>(
    { page, state }: { readonly page: Read; readonly state?: AnswerState },
    { prepared: { answer, list }, planMs }: ReturnType<typeof planTimed<Asked<Read, Own>>>,
  ): Own & AnswerBase {
    return {
      ...answer(page, this.#maxReplyBytes),
      version: this.#published(page.version),
      milliseconds: { plan: planMs, ...page.milliseconds },
      deprecations: deprecationsOf(list),
      approximate: list.facts.approximate,
      ...(state !== undefined && { state }),
    };
  }
}

interface ReadPlace {
  readonly call: ReadCall;
  readonly elsewhere: Omit<ReplicatedRead<unknown>, 'asked' | 'call'> | undefined;
}
