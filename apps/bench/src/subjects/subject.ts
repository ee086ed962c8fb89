import type { Latencies } from '../load/latencies.ts';
import type { Scenario, Turn } from '../scenarios.ts';
import type { PageRequest } from '../tables/bench-database.ts';

/** Who is measured. */
export type SubjectName = 'service' | 'bare' | 'bare-count' | 'static';

/** What they are, for readers. */
export const SUBJECT_LABELS: Record<SubjectName, string> = {
  service: 'the service',
  bare: 'baseline route',
  'bare-count': 'baseline route + count',
  static: 'static reply',
};

/** One share of a scenario's load. */
export interface Work {
  readonly scenario: Scenario;
  /** Which of the scenario's loads it is; the only one where undefined. */
  readonly turn?: Turn | undefined;
  readonly connections: number;
  readonly seconds: number;
  /** Where set, exactly so many requests are sent, however long they take. */
  readonly amount?: number | undefined;
}

/** What came back. */
export interface Outcome {
  /** Good replies. */
  readonly answered: number;
  readonly seconds: number;
  /** Of each good reply; empty where the subject cannot tell. */
  readonly latencies: Latencies;
  /** Replies with another status than 2xx. */
  readonly refused: number;
  /** Requests without a reply. */
  readonly failed: number;
}

/** Something that answers pages, in a process of its own. */
export interface Subject {
  readonly name: SubjectName;
  /** The process to account. */
  readonly pid: number;
  /** Answers one request, for judging. */
  ask(rows: number, request: PageRequest): Promise<string>;
  load(work: Work): Promise<Outcome>;
  stop(): Promise<void>;
}
