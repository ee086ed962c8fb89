import { onTestFinished } from 'vitest';

import { allEnded } from '../../../truth/all-ended.ts';
import { Random } from '../../../truth/random.ts';
import { Replies } from '../../../truth/replies.ts';
import { read, type Reading, type Received } from './readers.ts';
import { States } from './states.ts';
import { FIRST_WORLD } from './world.ts';
import { write } from './writers.ts';

/** How a trial goes on. */
export interface Course extends Pick<Reading, 'engine' | 'models' | 'requests' | 'mistakes'> {
  /** The URL of a server with the first world, for its superuser. */
  readonly url: string;
  readonly seed: number;
}

/** What came out of a trial. */
export interface Findings extends Received {
  readonly commits: number;
}

/** Changes the world while the engine is asked. */
export async function runTrial({ url, seed, ...course }: Course): Promise<Findings> {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const replies = new Replies();
  ended.signal.addEventListener('abort', () => replies.end());
  const { signal } = ended;
  const common = { states: new States(FIRST_WORLD), random: new Random(seed), replies, signal };
  const writing = write({ ...common, url }).finally(() => ended.abort());
  const reading = read({ ...common, ...course }).finally(() => ended.abort());
  await allEnded<unknown>([reading, writing]);
  return { ...(await reading), commits: await writing };
}
