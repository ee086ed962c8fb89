import { isDeepStrictEqual } from 'node:util';

import { DATABASES, type DatabaseName } from '../databases/database.ts';
import type { machineFacts } from '../machine.ts';
import type { Scenario } from '../scenarios.ts';
import type { Trial } from '../under-writes/trials.ts';
import { ratio } from './format.ts';

/** Who is measured, and what they are for readers. */
export const SUBJECT_LABELS = {
  service: 'the service',
  bare: 'baseline route',
  'bare-count': 'baseline route + count',
  static: 'static reply',
};
export type SubjectName = keyof typeof SUBJECT_LABELS;

/** What one subject did in one scenario, all rounds together. */
export interface Measurement {
  readonly scenario: Scenario;
  readonly subject: SubjectName;
  readonly answered: number;
  readonly seconds: number;
  /** In milliseconds. */
  readonly p50: number | undefined;
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

export interface Results {
  readonly facts: ReturnType<typeof machineFacts>;
  readonly connections: number;
  readonly seconds: number;
  readonly measurements: readonly Measurement[];
  readonly writes: readonly WriteRecord[];
  readonly coldStarts: readonly ColdStart[];
  readonly fullReads: readonly FullRead[];
  /** Pages that were read while others wrote. */
  readonly trials: readonly TrialResult[];
}

/** All that was measured in one scenario. */
export interface ScenarioGroup {
  readonly scenario: Scenario;
  readonly of: Partial<Record<SubjectName, Measurement>>;
}

/** Puts the measurements of each scenario together, in the order in which they were taken. */
export function groupByScenario(measurements: readonly Measurement[]): ScenarioGroup[] {
  return [...Map.groupBy(measurements, ({ scenario }) => scenario)].map(([scenario, members]) => ({
    scenario,
    of: Object.fromEntries(members.map((member) => [member.subject, member])),
  }));
}

/** The databases that were measured, in their order. */
export function databasesOf(groups: readonly ScenarioGroup[]): DatabaseName[] {
  return DATABASES.filter((database) =>
    groups.some(({ scenario }) => scenario.database === database),
  );
}

/** The group whose scenario has all these values. */
export function findGroup(
  groups: readonly ScenarioGroup[],
  wanted: Partial<Scenario>,
): ScenarioGroup | undefined {
  return groups.find(({ scenario }) => isDeepStrictEqual({ ...scenario, ...wanted }, scenario));
}

/**
 * How often the service answers while another subject answers once.
 *
 * @param beside where the other one was measured. Default: in the same scenario
 */
export function rateRatio(
  group: ScenarioGroup | undefined,
  other: SubjectName,
  beside = group,
): number | undefined {
  return ratio(rateOf(group?.of.service), rateOf(beside?.of[other]));
}

/** How many times the median latency of another subject the service's is. */
export function latencyRatio({ of }: ScenarioGroup, other: SubjectName): number | undefined {
  return ratio(of.service?.p50, of[other]?.p50);
}

/** Requests per second. */
function rateOf(measurement: Measurement | undefined): number | undefined {
  return measurement && ratio(measurement.answered, measurement.seconds);
}
