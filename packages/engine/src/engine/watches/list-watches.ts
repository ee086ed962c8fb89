import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { withDeadline, waitOrAbort } from '../../deadline.ts';
import type {
  Answer,
  Call,
  ListWatch,
  TakeState,
  WatchCall,
  WatchedLists,
} from '../../engine-types.ts';
import { QueryFailedError } from '../../errors.ts';
import type { PublishedVersions } from '../../reading/sharing/data-version.ts';
import type { Source } from '../../sources/source.ts';
import { isOfOneRelation, WHOLE_DATABASE } from '../../sources/versions.ts';
import { inBackground } from '../../tracing.ts';
import type { EngineRequest } from '../answer.ts';
import type { Serving } from '../served-catalogue.ts';
import { type FollowedWatch, FollowedWatches, type FoundState } from './followed-watches.ts';
import { type WatchRequest, type PlannedWatch, planWatched } from './plan-watch.ts';
import { type ReadState, WatchedList } from './watched-list.ts';

/** Lists are looked at at multiples of this, to share checks. */
const TICK_MS = 100;

/** After so many ticks without a version, it counts as never known. */
const MOST_UNKNOWN = 5;

/** All watches take the turns of one caller. */
const CALLER = 'watches';

export interface ListWatchesParts {
  readonly source: Pick<Source, 'versions' | 'changes'>;
  readonly serving: () => Serving;
  readonly ask: (request: EngineRequest, call: Call) => Promise<Answer>;
  readonly published: PublishedVersions;
  readonly checkMs: number;
  readonly readMs: number;
  readonly timeoutMs: number;
}

/** Asks for each version once a tick, and reads only lists with changed data. */
export class ListWatches {
  readonly #parts: ListWatchesParts;
  readonly #lists = new Map<string, { readonly list: WatchedList; readonly watch: Watch }>();
  readonly #followed: FollowedWatches;
  readonly #closing = new AbortController();
  /** Ticks belong to no request's trace. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #reads = 0;

  constructor(parts: ListWatchesParts) {
    this.#parts = parts;
    this.#followed = new FollowedWatches({
      changes: parts.source.changes?.followed,
      versionOf: (planned) => this.#versionOf(planned),
      stateOf: (state) => followedState(state, parts.published),
    });
  }

  get watched(): WatchedLists {
    return { lists: this.#lists.size, reads: this.#reads };
  }

  open(asked: WatchRequest, { signal, caller }: WatchCall): Promise<ListWatch> {
    const { timeoutMs } = this.#parts;
    return withDeadline({ signal, timeoutMs }, async (deadline) => {
      const call = { signal: deadline.signal, caller };
      const { opened, answer } = await this.#open(asked, call);
      const { model, models, attributes } = answer.facts;
      return {
        first: opened.first,
        follow: (take) => this.#follow(opened, signal, take),
        facts: { model, models, attributes },
        deprecations: answer.deprecations,
      };
    });
  }

  async #open(
    asked: WatchRequest,
    call: Call & { readonly signal: AbortSignal },
  ): Promise<{ readonly opened: Opened; readonly answer: Answer }> {
    const planned = planWatched(asked, this.#parts.serving());
    let readAt = performance.now();
    let answer = await this.#parts.ask(planned.page, call);
    if (answer.version === undefined && planned.isVersioned) {
      if (!(await this.#hasVersion(planned, call.signal)))
        return this.#open({ ...asked, isUnversioned: true }, call);
      // Without its version, the state would have another id than the same one read later.
      readAt = performance.now();
      answer = await this.#parts.ask(planned.page, call);
    }
    const first = this.#stateOf(answer, { asked, planned, readAt });
    return { opened: { asked, planned, first }, answer };
  }

  close(): void {
    clearInterval(this.#timer);
    const ended = new QueryFailedError('shutting_down', 'The service is stopping.');
    this.#closing.abort(ended);
    for (const { list } of this.#lists.values()) list.end(ended);
  }

  #follow(opened: Opened, signal: AbortSignal, take: TakeState): Promise<void> {
    const { key, everyMs } = opened.planned;
    const list = this.#join(opened);
    const onClose = (): void => this.#dropUnwatched(key, list);
    return list.watch({ take, signal, everyMs, onClose });
  }

  #join({ asked, planned, first }: Opened): WatchedList {
    const known = this.#lists.get(planned.key)?.list;
    if (known?.hasEnded === false) {
      known.join(first);
      return known;
    }
    const watch: Watch = { asked, planned };
    const version = async (): Promise<string | undefined> => this.#versionOf(this.#planned(watch));
    const list = new WatchedList({ version, read: () => this.#read(watch) }, first);
    this.#lists.set(planned.key, { list, watch });
    this.#timer ??= this.#outside(() => setInterval(() => this.#tick(), TICK_MS).unref());
    return list;
  }

  #dropUnwatched(key: string, list: WatchedList): void {
    if (list.isWatched) return;
    if (this.#lists.get(key)?.list === list) this.#lists.delete(key);
    if (this.#lists.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #planned(watch: Watch): PlannedWatch {
    const isOld = watch.planned.catalogue !== this.#parts.serving().catalogue;
    return isOld ? this.#plan(watch, watch.asked.isUnversioned) : watch.planned;
  }

  #plan(watch: Watch, isUnversioned: boolean | undefined): PlannedWatch {
    watch.planned = planWatched({ ...watch.asked, isUnversioned }, this.#parts.serving());
    return watch.planned;
  }

  #read(watch: Watch): Promise<ReadState> {
    const planned = this.#planned(watch);
    this.#reads += 1;
    const { page, relations } = planned;
    return inBackground({ kind: 'watched_list', relations }, async () => {
      const readAt = performance.now();
      const call = { signal: this.#closing.signal, caller: CALLER };
      const answer = await this.#parts.ask(page, call);
      // The writer at the beginning of the watch has ended: versions are back.
      const isBack = answer.version !== undefined && !planned.isVersioned;
      const known = isBack ? this.#plan(watch, false) : planned;
      return this.#stateOf(answer, { asked: watch.asked, planned: known, readAt });
    });
  }

  #tick(): void {
    this.#ticks += 1;
    const followed: FollowedWatch[] = [];
    const versioned = new Map<string | undefined, boolean>();
    for (const { list, watch } of this.#lists.values()) {
      const { planned } = watch;
      // A followed relation has its own version, asked for in each tick.
      const name = planned.followed?.name;
      const hasOwn = versioned.get(name) ?? this.#hasOwnVersion(planned);
      if (name !== undefined) versioned.set(name, hasOwn);
      const otherwise = planned.isVersioned ? this.#parts.checkMs : this.#parts.readMs;
      const everyMs = Math.max(list.everyMs, hasOwn ? TICK_MS : otherwise);
      if (this.#ticks % Math.ceil(everyMs / TICK_MS) !== 0) continue;
      const isFollowed = hasOwn || this.#isFollowed(planned);
      const one = isFollowed ? this.#followedWatch(list, watch) : undefined;
      if (one === undefined) void list.look();
      else followed.push(one);
    }
    this.#followed.look(followed);
  }

  #hasOwnVersion({ relations, isVersioned }: PlannedWatch): boolean {
    const scope = this.#parts.source.versions?.scopeOf?.(relations) ?? WHOLE_DATABASE;
    return isVersioned && isOfOneRelation(scope);
  }

  #isFollowed({ followed }: PlannedWatch): boolean {
    const { changes } = this.#parts.source;
    if (followed?.session === undefined) return false;
    return changes?.followed?.follows(followed.relation, followed.session) === true;
  }

  /** Rows of a list that can no longer be planned are unknown: reading it ends the watch. */
  #followedWatch(list: WatchedList, watch: Watch): FollowedWatch | undefined {
    try {
      const planned = this.#planned(watch);
      return planned.followed && { list, planned, rows: planned.followed };
    } catch {
      return undefined;
    }
  }

  async #versionOf({ isVersioned, relations }: PlannedWatch): Promise<string | undefined> {
    return isVersioned ? this.#parts.serving().reading.currentVersion(relations) : undefined;
  }

  async #hasVersion(planned: PlannedWatch, signal: AbortSignal): Promise<boolean> {
    for (let unknown = 0; unknown < MOST_UNKNOWN; unknown++) {
      if ((await this.#versionOf(planned)) !== undefined) return true;
      await waitOrAbort(sleep(TICK_MS), signal);
    }
    return false;
  }

  #stateOf(
    answer: Answer,
    { asked, planned, readAt }: Readonly<Watch> & { readonly readAt: number },
  ): ReadState {
    const { total, total_at_least: atLeast } = answer.page;
    const version = asked.seesVersion ? answer.version : undefined;
    const tag = answer.tag();
    const list = {
      total,
      ...(atLeast !== undefined && { total_at_least: atLeast }),
      ...(version !== undefined && { version }),
      ...(!planned.isVersioned && { checked_every_ms: this.#parts.readMs }),
    };
    const isSettled = answer.version !== undefined;
    const id = idOf(planned, { list, tag });
    return { id, list, readAt, readBy: performance.now(), tag, isSettled };
  }
}

interface Watch {
  readonly asked: WatchRequest;
  planned: PlannedWatch;
}

interface Opened extends Readonly<Watch> {
  readonly first: ReadState;
}

/** Callers without versions may not learn of hidden changes: only records show visible ones. */
function followedState(
  { planned, found, states: { version, takenAt, takenBy } }: FoundState,
  published: PublishedVersions,
): ReadState | undefined {
  const shown = planned.hasVersion ? published(version) : undefined;
  if (shown === undefined) return undefined;
  const list = { total: String(found.total), version: shown };
  const id = idOf(planned, { list, tag: '' });
  return { id, list, readAt: takenAt, readBy: takenBy, tag: '', isSettled: true };
}

function idOf({ key }: PlannedWatch, { list, tag }: Pick<ReadState, 'list' | 'tag'>): string {
  const state = [key, list, list.version === undefined ? tag : ''];
  return hash('sha256', JSON.stringify(state), 'base64url').slice(0, 22);
}
