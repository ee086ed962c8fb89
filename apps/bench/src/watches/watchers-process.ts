import { createClient } from '@proj/client';

import { answerParent, childInput } from '../processes/child.ts';
import { rangeOf, type WatcherEvents } from './watched-lists.ts';

/** What the process watches. */
export interface WatchersInput {
  readonly origin: string;
  readonly token: string;
  readonly model: string;
  readonly lists: number;
  readonly watchers: number;
  readonly everyMs: number;
}

/** What it is asked for: the latest total of each watcher, or all events, which ends it. */
export type WatchersQuestion = 'totals' | 'events';

const { origin, token, model, lists, watchers, everyMs } = childInput() as WatchersInput;

const client = createClient({ baseUrl: origin, token });
const leaving = new AbortController();

interface Watcher {
  readonly list: number;
  readonly totals: number[];
  readonly at: number[];
}

function open(index: number): { watcher: Watcher; first: Promise<void>; ended: Promise<void> } {
  const list = index % lists;
  const { from, to } = rangeOf(list, lists);
  const watcher: Watcher = { list, totals: [], at: [] };
  const first = Promise.withResolvers<void>();
  const follow = async (): Promise<void> => {
    const states = client.watch(
      {
        model,
        attributes: ['id'],
        filter: {
          and: [
            { attribute: 'amount', op: 'gte', value: String(from) },
            { attribute: 'amount', op: 'lt', value: String(to) },
          ],
        },
      },
      { everyMs, signal: leaving.signal },
    );
    for await (const { total } of states) {
      watcher.totals.push(Number(total));
      watcher.at.push(performance.timeOrigin + performance.now());
      first.resolve();
    }
  };
  const ended = follow();
  ended.catch((error: unknown) => first.reject(error as Error));
  return { watcher, first: first.promise, ended };
}

/** So many are opened at once. */
const AT_ONCE = 20;

const opened: ReturnType<typeof open>[] = [];
for (let index = 0; index < watchers; index += AT_ONCE) {
  const some = Array.from({ length: Math.min(AT_ONCE, watchers - index) }, (_, place) =>
    open(index + place),
  );
  opened.push(...some);
  await Promise.all(some.map(({ first }) => first));
}

answerParent('ready', async (question): Promise<number[] | WatcherEvents[]> => {
  if ((question as WatchersQuestion) === 'totals')
    return opened.map(({ watcher }) => watcher.totals.at(-1) ?? Number.NaN);
  leaving.abort();
  await Promise.allSettled(opened.map(({ ended }) => ended));
  return opened.map(({ watcher: { list, totals, at } }) => ({
    list,
    totals: Float64Array.from(totals),
    at: Float64Array.from(at),
  }));
});
