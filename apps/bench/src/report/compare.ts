import { isDeepStrictEqual } from 'node:util';

import { type DatabaseName, DATABASES, type Scenario } from '../scenarios.ts';
import type { SubjectName } from '../subjects/subject.ts';
import { ratio } from './format.ts';
import { type Measurement, rateOf } from './results.ts';

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

/** How often the service answers while another subject answers once. */
export function rateRatio({ of }: ScenarioGroup, other: SubjectName): number | undefined {
  return ratio(of.service && rateOf(of.service), of[other] && rateOf(of[other]));
}

/** How many times the median latency of another subject the service's is. */
export function latencyRatio({ of }: ScenarioGroup, other: SubjectName): number | undefined {
  return ratio(of.service?.p50, of[other]?.p50);
}

/** The group whose scenario has all these values. */
export function findGroup(
  groups: readonly ScenarioGroup[],
  wanted: Partial<Scenario>,
): ScenarioGroup | undefined {
  return groups.find(({ scenario }) => isDeepStrictEqual({ ...scenario, ...wanted }, scenario));
}

/** The databases that were measured, in their order. */
export function databasesOf(groups: readonly ScenarioGroup[]): DatabaseName[] {
  return DATABASES.filter((database) =>
    groups.some(({ scenario }) => scenario.database === database),
  );
}
