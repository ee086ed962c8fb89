import { nameTexts } from '@proj/contract';
import type { Catalogue, CatalogueReport } from '@proj/engine';
import { type AccessSettingsError, reportLine } from '@proj/fastify/settings';

import type { LoadedSettings } from '../settings/file/load.ts';

const MOST_NAMES = 5;

export function reportLines(
  reports: readonly AccessSettingsError[],
  place: LoadedSettings['place'],
): string[] {
  return reports.map((report) => reportLine(report, place));
}

/** One line for each reason to leave relations out, with its remedy for the first. */
export function leftOutLines(reports: readonly CatalogueReport[]): string[] {
  return [...Map.groupBy(reports, ({ problem }) => problem)].map(
    ([problem, group]) =>
      `left out: ${listOf(group.map(({ model }) => model))}: ${problem} ${group[0]?.remedy ?? ''}`,
  );
}

/** @param verbose a line for each view without a version, instead of each reason */
export function unversionedLines(catalogue: Catalogue, verbose: boolean): string[] {
  const reasons = [...catalogue.values()].flatMap(({ name, unversioned: reason }) =>
    reason === undefined ? [] : { name, reason },
  );
  return [...Map.groupBy(reasons, ({ name, reason }) => (verbose ? name : reason)).values()].map(
    (group) =>
      `without a version: ${listOf(group.map(({ name }) => name))}: ${group[0]?.reason ?? ''}.`,
  );
}

/** One line for each reason why replies may show several states. */
export function approximateLines(catalogue: Catalogue): string[] {
  const reasons = [...catalogue.values()].flatMap(({ name, distributed: reason }) =>
    reason === undefined ? [] : { name, reason },
  );
  return [...Map.groupBy(reasons, ({ reason }) => reason)].map(
    ([reason, group]) =>
      `approximate: ${listOf(group.map(({ name }) => name))}: ${reason} ` +
      'Rows and total of a reply may be of different states, and the reply says so.',
  );
}

/** About models whose replies are of one state of several servers. */
export function cutLines(catalogue: Catalogue): string[] {
  const names = [...catalogue.values()].flatMap(({ name, cut }) => (cut === undefined ? [] : name));
  const problem = '503 no_common_state where writers leave none';
  return names.length === 0
    ? []
    : [`distributed: ${listOf(names)}: read in one state of all servers; ${problem}.`];
}

export function listOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more <= 0
    ? nameTexts(names)
    : `${nameTexts(names.slice(0, MOST_NAMES))} and ${more} more (check --verbose lists all)`;
}
