import { createClient } from '@proj/client';

import type { Service } from '../subjects/service.ts';
import { rangeOf } from '../writers/writer.ts';
import type { WatcherEvents } from './delays.ts';

/** What is watched. */
export interface Watched {
  readonly service: Pick<Service, 'origin' | 'token'>;
  readonly model: string;
  /** Into how many lists the table is divided. */
  readonly lists: number;
  readonly watchers: number;
  /** How many milliseconds are between two events of a watcher at least. */
  readonly every: number;
}

/** Those who watch, and what they were sent so far. */
interface Watchers {
  readonly events: readonly WatcherEvents[];
  readonly stop: () => Promise<void>;
}

/** So many are opened at once. */
const AT_ONCE = 20;

/** Watches lists, as many watchers each. All have had their first event. */
export async function openWatchers(watched: Watched): Promise<Watchers> {
  const { service, model, lists, watchers, every } = watched;
  const client = createClient({ baseUrl: service.origin, token: service.token });
  const leaving = new AbortController();
  const events: { list: number; totals: number[]; at: number[] }[] = [];
  const ended: Promise<void>[] = [];
  const open = async (list: number): Promise<void> => {
    const { from, to } = rangeOf(list, lists);
    const own = { list, totals: [] as number[], at: [] as number[] };
    events.push(own);
    const within = [
      { attribute: 'amount', op: 'gte', value: String(from) },
      { attribute: 'amount', op: 'lt', value: String(to) },
    ] as const;
    const first = Promise.withResolvers<void>();
    const follow = async (): Promise<void> => {
      const listed = { model, attributes: ['id'], filter: { and: within } };
      const options = { everyMs: every, signal: leaving.signal };
      for await (const { total } of client.watch(listed, options)) {
        own.totals.push(Number(total));
        own.at.push(performance.timeOrigin + performance.now());
        first.resolve();
      }
    };
    const following = follow();
    following.catch(first.reject);
    ended.push(following);
    await first.promise;
  };
  for (let index = 0; index < watchers; index += AT_ONCE) {
    const count = Math.min(AT_ONCE, watchers - index);
    await Promise.all(Array.from({ length: count }, (_, place) => open((index + place) % lists)));
  }
  return {
    events,
    stop: async () => {
      leaving.abort();
      await Promise.allSettled(ended);
    },
  };
}
