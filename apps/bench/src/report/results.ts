import type { DatabaseName, Scenario } from '../scenarios.ts';
import type { SubjectName } from '../subjects/subject.ts';
import type { Trial } from '../under-writes/trials.ts';

/** What one subject did in one scenario, all rounds together. */
export interface Measurement {
  readonly scenario: Scenario;
  readonly subject: SubjectName;
  readonly answered: number;
  readonly seconds: number;
  /** In milliseconds; undefined where the subject cannot tell. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  /** Of the subject's processes at the end; undefined where the system does not tell. */
  readonly rssBytes: number | undefined;
  /** Processor time that the subject's processes took. */
  readonly cpuSeconds: number | undefined;
  readonly refused: number;
  readonly failed: number;
}

/** The writes that really happened beside a scenario. */
export interface WriteRecord {
  readonly scenario: Scenario;
  readonly perSecond: number;
  readonly failed: number;
}

/**
 * The first request for a deep page that a fresh process gets, against OFFSET and count. Times in
 * milliseconds, medians.
 */
export interface ColdStart {
  readonly database: DatabaseName;
  readonly rows: number;
  readonly depth: Scenario['depth'];
  readonly service: number;
  readonly offsetAndCount: number;
}

/** A read of a whole table. Rates in rows per second. */
export interface FullRead {
  readonly database: DatabaseName;
  readonly rows: number;
  readonly sdk: number;
  /** The database's own export; undefined where its program is not installed. */
  readonly export: number | undefined;
}

/** What one trial under writes came to. */
export interface TrialResult {
  readonly trial: Trial;
  /** In milliseconds, at a fixed rate of requests; undefined where none was answered. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  /** With all connections busy. */
  readonly requestsPerSecond: number | undefined;
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  /** What was really written while it was asked at a fixed rate. */
  readonly writes: { readonly perSecond: number; readonly failed: number };
}

/** What the numbers were taken on. */
export interface MachineFacts {
  readonly date: string;
  readonly command: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly databases: readonly string[];
}

export interface Results {
  readonly facts: MachineFacts;
  readonly connections: number;
  readonly seconds: number;
  readonly measurements: readonly Measurement[];
  readonly writes: readonly WriteRecord[];
  readonly coldStarts: readonly ColdStart[];
  readonly fullReads: readonly FullRead[];
  /** Pages that were read while others wrote. */
  readonly trials: readonly TrialResult[];
}

/** Requests per second. */
export function rateOf({
  answered,
  seconds,
}: Pick<Measurement, 'answered' | 'seconds'>): number | undefined {
  return seconds > 0 && answered > 0 ? answered / seconds : undefined;
}
