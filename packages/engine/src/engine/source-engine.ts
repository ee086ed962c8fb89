import type { BuiltCatalogue, CatalogueReport } from '../catalogue/build.ts';
import type { Grant } from '../catalogue/grant.ts';
import type { ExposeSettings } from '../catalogue/model-settings.ts';
import type { Catalogue, Model } from '../catalogue/model.ts';
import type { ModelChange } from '../catalogue/refresh.ts';
import { waitOrAbort, waitOrStop, withDeadline } from '../deadline.ts';
import type { Answer, Call, CatalogueCandidate, Engine, EngineSettings } from '../engine-types.ts';
import { ACCELERATION } from '../reading/acceleration.ts';
import type { MechanismStatistics } from '../reading/cache-stats.ts';
import type { IndexBuilds } from '../reading/index-builder.ts';
import { PublishedVersion } from '../reading/published-version.ts';
import { pageQuestion } from '../reading/reader.ts';
import { MAX_REPLY_BYTES, replyTooLarge } from '../reply-limit.ts';
import { Callers } from '../sources/callers.ts';
import type { FeedWatch } from '../sources/feed-watch.ts';
import type { FollowReport } from '../sources/follow-report.ts';
import type { ReadCall, Source } from '../sources/source.ts';
import { publishPlan } from '../tracing.ts';
import { compileKeyCheck } from '../sql/key-check.ts';
import { buildAnswer } from './answer.ts';
import { retryAfterRefresh } from './retry-after-refresh.ts';
import { SchemaWatch } from './schema-watch.ts';
import { ServedCatalogue } from './served-catalogue.ts';

/** Checking a key reads a whole relation, and an operator waits for it. */
const KEY_CHECK_TIMEOUT_MS = 10 * 60_000;

const SCHEMA_CHECK_MS = 30_000;

/** An engine over a source. */
export class SourceEngine implements Engine {
  readonly #source: Source;
  readonly #published: PublishedVersion;
  readonly #queryTimeoutMs: number;
  readonly #maxReplyBytes: number;
  readonly #served: ServedCatalogue;
  readonly #schema: SchemaWatch;

  constructor(source: Source, settings: EngineSettings, built: BuiltCatalogue) {
    const { maxReplyBytes = MAX_REPLY_BYTES, schemaCheckMs = SCHEMA_CHECK_MS } = settings;
    const { takeBuildTurn } = settings;
    const acceleration = { ...ACCELERATION, ...settings.acceleration, takeBuildTurn };
    this.#source = source;
    this.#published = new PublishedVersion(source);
    this.#queryTimeoutMs = settings.queryTimeoutMs;
    this.#maxReplyBytes = maxReplyBytes;
    this.#served = new ServedCatalogue({ source, acceleration, maxReplyBytes }, built, settings);
    this.#schema = new SchemaWatch(() => this.#served.refresh(), { checkMs: schemaCheckMs });
  }

  get catalogue(): Catalogue {
    return this.#served.current.catalogue;
  }

  get reports(): readonly CatalogueReport[] {
    return this.#served.current.reports;
  }

  statistics(): readonly MechanismStatistics[] {
    return this.#served.current.reading.statistics;
  }

  indexBuilds(): IndexBuilds {
    return this.#served.current.reading.indexBuilds;
  }

  get feed(): FeedWatch | undefined {
    return this.#source.feed;
  }

  async query(body: unknown, grant: Grant, { signal, caller }: Call = {}): Promise<Answer> {
    const callers = new Callers(caller);
    return withDeadline({ signal, timeoutMs: this.#queryTimeoutMs }, (deadline) =>
      waitOrStop(this.#query(body, grant, { ...deadline, callers }), deadline.signal),
    );
  }

  prepare(settings: ExposeSettings): Promise<CatalogueCandidate> {
    return this.#served.prepare(settings);
  }

  async isKey(
    model: Model,
    { background = false }: { readonly background?: boolean } = {},
  ): Promise<boolean> {
    const violations = compileKeyCheck(model, this.#source.dialect);
    const yields = background && this.#source.readsHoldUpWrites === true;
    const timeoutMs = yields ? this.#queryTimeoutMs : KEY_CHECK_TIMEOUT_MS;
    return withDeadline(
      { timeoutMs },
      async (call) => (await this.#source.count(violations, call)) === 0n,
    );
  }

  ping(): Promise<void> {
    return this.#source.ping();
  }

  async followReport(): Promise<FollowReport | undefined> {
    const models = [...this.catalogue.values()];
    return this.#source.followReport?.(models.map(({ path }) => path));
  }

  async warnings(): Promise<string[]> {
    return (await this.#source.warnings?.()) ?? [];
  }

  onModelChange(listener: (change: ModelChange) => void): void {
    this.#served.onModelChange(listener);
  }

  async close(): Promise<void> {
    this.#schema.close();
    await this.#served.close();
    await this.#source.close();
  }

  async #query(body: unknown, grant: Grant, call: ReadCall): Promise<Answer> {
    const { generation } = this.#served.current;
    return retryAfterRefresh(
      () => this.#answer(body, grant, call),
      async () => {
        await waitOrAbort(this.#schema.refresh(), call.signal);
        // A grant holds for the catalogue that it was made for, and not for one that was applied
        // meanwhile.
        return this.#served.current.generation === generation;
      },
    );
  }

  async #answer(body: unknown, grant: Grant, call: ReadCall): Promise<Answer> {
    const startedAt = performance.now();
    const { preparer, reading } = this.#served.current;
    const prepared = preparer.prepare(body, grant);
    const endedAt = performance.now();
    const planMs = endedAt - startedAt;
    publishPlan({ startedAt, endedAt, model: prepared.query.plan.model.name });
    const page = await reading.pages.read(pageQuestion(prepared.query, prepared.range), call);
    const { json } = page;
    if (json === undefined) throw replyTooLarge(this.#maxReplyBytes);
    return buildAnswer(prepared, { json, page, planMs, version: this.#published.of(page.version) });
  }
}
