import { onTestFinished } from 'vitest';

import type { Fixture } from '../fixtures/fixture.ts';
import { allEnded } from './all-ended.ts';
import { type Calling, type Received, call } from './callers.ts';
import { History } from './history.ts';
import { schemaOf } from './models.ts';
import { type Mismatch, Oracle } from './oracle.ts';
import { Random } from './random.ts';
import { Replies } from './replies.ts';
import { type Store, STORES } from './store.ts';
import { filling, type Transaction } from './transaction.ts';
import { firstOwners, firstTasks } from './transactions.ts';
import { type Pace, write } from './writers.ts';

/** A database whose every state is known. */
export interface Stage {
  /** Where writers write. */
  readonly url: string;
  /** Where engines read. */
  readonly readUrl: string;
  readonly close: () => Promise<void>;
  readonly fixture: Fixture;
  readonly store: Store;
  readonly history: History;
  readonly random: Random;
}

/** What came out of a trial. */
export interface Findings extends Received {
  readonly mismatches: readonly Mismatch[];
  readonly commits: number;
}

/** How a trial goes on, and until when. */
export interface Course extends Pick<Calling, 'engine' | 'hot'> {
  /** When others write; never where undefined. */
  readonly pace: Pace | undefined;
  /** So many end it. */
  readonly requests: number;
  /** So many wrong replies end it at once. */
  readonly mismatches: number;
}

/** Makes the tables of the truth tests in a new database. */
export async function prepareStage(fixture: Fixture, seed: number): Promise<Stage> {
  const store = STORES[fixture.name];
  if (store === undefined) throw new Error(`Nothing is known of writing to ${fixture.name}.`);
  const database = await fixture.create();
  const random = new Random(seed);
  const history = new History();
  const transactions = [
    filling(fixture, 'owners', firstOwners(random)),
    filling(fixture, 'tasks', firstTasks(random)),
  ];
  await database.execute([
    ...schemaOf(fixture),
    ...(store.alterations ?? []),
    ...transactions.flatMap(({ statements }) => statements),
  ]);
  for (const { edits } of transactions) record(history, edits);
  const close = async (): Promise<void> => database.close?.();
  const { url, readUrl = url } = database;
  return { url, readUrl, close, fixture, store, history, random };
}

function record(history: History, edits: Transaction['edits']): void {
  history.begin(edits);
  history.acknowledge();
}

/** Writes and asks the engine, until enough was asked or enough replies were wrong. */
export async function runTrial(
  stage: Stage,
  { engine, hot, pace, requests, mismatches: enough }: Course,
): Promise<Findings> {
  const { history } = stage;
  const ended = new AbortController();
  const { signal } = ended;
  // One that takes too long must not go on beside the next test.
  onTestFinished(() => ended.abort());
  const replies = new Replies();
  signal.addEventListener('abort', () => replies.end());
  const mismatches: Mismatch[] = [];
  const onEnd = (mismatch?: Mismatch): void => {
    replies.note();
    if (mismatch !== undefined) mismatches.push(mismatch);
    if (mismatches.length >= enough || replies.count >= requests) ended.abort();
  };
  const asking = call({
    ...stage,
    engine,
    hot,
    oracle: new Oracle(history),
    replies,
    signal,
    onEnd,
  }).finally(() => ended.abort());
  const writing =
    pace === undefined
      ? Promise.resolve(0)
      : write({ ...stage, pace, replies, signal }).finally(() => ended.abort());
  await allEnded<unknown>([asking, writing]);
  return { ...(await asking), mismatches, commits: await writing };
}
