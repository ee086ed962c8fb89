import { Latencies } from '../load/latencies.ts';
import type { Additions } from '../writers/writer.ts';

/** The totals of a list that a watcher was sent, and when they came. */
export interface WatcherEvents {
  readonly list: number;
  readonly totals: readonly number[];
  readonly at: readonly number[];
}

/** What events are held against. */
export interface WatchedTruth {
  /** How many records each list had before anything was written. */
  readonly bases: readonly number[];
  readonly commits: readonly Additions[];
}

/** What became of the events of all watchers. */
export interface HeldEvents {
  readonly events: number;
  /** Totals that a list did not have yet when they came, or no longer after the event before. */
  readonly wrong: number;
  /** How long after its commit each watcher of its list had an event with it, in milliseconds. */
  readonly delays: Latencies;
}

/** Holds the events of watchers against what was committed to lists that only become longer. */
export function holdEvents(
  watchers: readonly WatcherEvents[],
  { bases, commits }: WatchedTruth,
): HeldEvents {
  const delays = new Latencies();
  let events = 0;
  let wrong = 0;
  for (const { list, totals, at } of watchers) {
    const base = bases[list] ?? 0;
    const { sent = [], done = [] } = commits[list] ?? {};
    let known = 0;
    for (const [index, total] of totals.entries()) {
      const now = at[index] ?? 0;
      const shown = total - base;
      events += 1;
      if (shown < known || shown > sent.length || (shown > 0 && Number(sent[shown - 1]) > now)) {
        wrong += 1;
        continue;
      }
      for (; known < shown; known++) delays.record(Math.max(0, now - Number(done[known])));
    }
  }
  return { events, wrong, delays };
}
