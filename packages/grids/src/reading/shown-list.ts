import {
  type DynamicQueryClient,
  type KnownList,
  type ListChange,
  listChange,
  type WatchOptions,
} from '@proj/client';

import { jsonText } from '../mapping/json-text.ts';
import type { GridList } from '../model/client.ts';

/** How the list that a grid shows has changed since it was read. */
export interface GridChange extends ListChange {
  /** Name of the data model. */
  readonly model: string;
}

/** Called with each change, and with `null` once the grid has read what it shows again. */
export type ChangeListener = (change: GridChange | null) => void;

/** How a grid's list is watched. */
export type GridWatchOptions = Pick<WatchOptions, 'everyMs'>;

/**
 * Calls back when the list that the grid shows, the one that it has read last, is another one by
 * now. It is silent where the service does not watch the list.
 *
 * @returns ends it
 */
export type WatchShown = (listener: ChangeListener, options?: GridWatchOptions) => () => void;

/** What a grid has read last. */
interface Shown {
  readonly list: GridList;
  readonly known: KnownList;
  /** When it was asked for, as a moment of `performance.now()`. */
  readonly askedAt: number;
  /** Where it begins, if the grid keeps the blocks that it has read before; `null` if it is all. */
  readonly block: number | null;
}

/** The list that a grid shows: the one that it has read last. */
export class ShownList {
  readonly #watches = new Set<ListWatch>();
  /** Of several blocks the one that was asked for first: the others are no older. */
  #shown: Shown | undefined;
  #lastAskedAt = 0;
  /** When each block was asked for. */
  readonly #blocks = new Map<number, number>();

  /**
   * Notes what was read. Of two replies, the one that was asked for last is shown. A block that is
   * read again is the first of those that the grid reads anew.
   */
  note(shown: Shown): void {
    const { list, askedAt, block } = shown;
    const isPart = block !== null && isSameList(list, this.#shown?.list);
    const before = isPart ? this.#blocks.get(block) : this.#lastAskedAt;
    if (before !== undefined && askedAt < before) return;
    this.#lastAskedAt = Math.max(this.#lastAskedAt, askedAt);
    if (before !== undefined) this.#blocks.clear();
    if (block !== null) this.#blocks.set(block, askedAt);
    const older = before === undefined && this.#shown;
    const oldest = older && older.askedAt <= askedAt ? older : shown;
    this.#shown = oldest;
    for (const watch of this.#watches) watch.show(oldest);
  }

  /**
   * Calls a listener with the changes of the list, whichever it is, and never where the service
   * does not watch it.
   *
   * @returns ends it
   */
  watch(
    client: Pick<DynamicQueryClient, 'watch'>,
    listener: ChangeListener,
    options: GridWatchOptions,
  ): () => void {
    const watch = new ListWatch(client, listener, options);
    this.#watches.add(watch);
    if (this.#shown) watch.show(this.#shown);
    return () => {
      this.#watches.delete(watch);
      watch.end();
    };
  }
}

/** A state of the list that is watched. */
interface SeenState {
  readonly state: KnownList;
  /** The first one since the list is watched: it need not be another one than before. */
  readonly isFirst: boolean;
  /** When it came, as a moment of `performance.now()`. */
  readonly at: number;
}

/** What a service says that does not watch the list, or not for this caller. */
const REFUSED: ReadonlySet<number | undefined> = new Set([400, 403, 404, 501]);

class ListWatch {
  readonly #client: Pick<DynamicQueryClient, 'watch'>;
  readonly #listener: ChangeListener;
  readonly #options: GridWatchOptions;
  #shown: Shown | undefined;
  #seen: SeenState | undefined;
  #isChanged = false;
  #hasFailed = false;
  #leaving = new AbortController();

  constructor(
    client: Pick<DynamicQueryClient, 'watch'>,
    listener: ChangeListener,
    options: GridWatchOptions,
  ) {
    this.#client = client;
    this.#listener = listener;
    this.#options = options;
  }

  show(shown: Shown): void {
    const isWatched = isSameList(shown.list, this.#shown?.list);
    this.#shown = shown;
    if (!isWatched || this.#hasFailed) this.#follow(shown.list);
    this.#compare();
  }

  end(): void {
    this.#leaving.abort();
  }

  #follow(list: GridList): void {
    this.end();
    this.#seen = undefined;
    this.#hasFailed = false;
    this.#leaving = new AbortController();
    const { signal } = this.#leaving;
    const follow = async (): Promise<void> => {
      for await (const state of this.#client.watch(list, { ...this.#options, signal })) {
        if (signal.aborted) return;
        this.#seen = { state, isFirst: this.#seen === undefined, at: performance.now() };
        this.#compare();
      }
    };
    // The grid stays as it is: a list that is not watched is still a list. What may pass is tried
    // again when the list is read anew.
    follow().catch(({ status }: { readonly status?: number }) => {
      if (!signal.aborted) this.#hasFailed = !REFUSED.has(status);
    });
  }

  #compare(): void {
    const change = this.#shown && this.#seen ? changeOf(this.#shown, this.#seen) : null;
    if (change === null && !this.#isChanged) return;
    this.#isChanged = change !== null;
    this.#listener(change);
  }
}

function isSameList(one: GridList, other: GridList | undefined): boolean {
  return other !== undefined && jsonText(one) === jsonText(other);
}

function changeOf(
  { list: { model }, known, askedAt }: Shown,
  { state, isFirst, at }: SeenState,
): GridChange | null {
  if (at < askedAt) return null;
  // A token that sees no versions gets a further state only where the list has changed.
  const isSilent = state.dataVersion === null && !isFirst;
  const change = listChange(known, state) ?? (isSilent ? { more: null, text: 'changed' } : null);
  return change && { ...change, model };
}
