import type { ExportedList } from '../engine-types.ts';
import type { PreparedExport } from '../sql/prepared/query-preparer.ts';
import { deprecationsOf } from './deprecations.ts';

/** What is known of the list of an export before its first record. */
export function exportedList(
  { query: { plan }, csv }: PreparedExport,
  found: Pick<ExportedList, 'total' | 'version' | 'milliseconds'>,
): ExportedList {
  return {
    ...found,
    csv,
    model: plan.name,
    models: plan.models.map(({ name }) => name),
    columns: plan.attributes.map(({ name, type }) => ({ name, type })),
    deprecations: deprecationsOf(plan),
    approximate: plan.facts.approximate,
  };
}
