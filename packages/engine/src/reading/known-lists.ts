import type { PageRows, ReadCall, RecordRows } from '../sources/source.ts';
import type { HitCounter } from './cache-stats.ts';
import type { ListQuestion, PageQuestion, RecordQuestion } from './reader.ts';

/** A total at one data version. */
export interface KeptTotal {
  readonly total: bigint;
  readonly version: string;
  /** Whose request found it. */
  readonly foundFor?: string | undefined;
}

export interface FoundTotal {
  readonly total: bigint | undefined;
  readonly version: string | undefined;
  readonly foundFor?: string | undefined;
}

/** `long` passes over many rows, so another `quick` path goes first; `unknown`: no total now. */
export type KnownPath = 'quick' | 'long' | 'unknown';

/** Reads pages without a count: the data is unchanged, or its changes are followed. */
export interface KnownLists {
  readonly counter: HitCounter;
  /** Undefined where the list's total cannot be kept here. No side effect. */
  pathTo(question: PageQuestion): KnownPath | undefined;
  /** Whose request found the total. No side effect. */
  foundFor?(question: PageQuestion): string | undefined;
  /** Undefined where the rows are of another state than the total. */
  page(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined>;
  record(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined>;
  /** @returns resolves when the total was read, as a rule; undefined if not worth waiting */
  want(question: ListQuestion, call: ReadCall): Promise<void> | undefined;
  learn(question: ListQuestion, found: FoundTotal): void;
}
