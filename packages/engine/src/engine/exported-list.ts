import type { ExportedColumn, ExportedList } from '../engine-types.ts';
import type { Attribute } from '../catalogue/model.ts';
import type { PreparedExport } from '../sql/prepared/query-preparer.ts';
import type { ListBeginning } from '../sources/reads/whole-list.ts';
import { deprecationsOf } from './answer-kind.ts';

export function exportedList(
  { query: { plan }, csv }: PreparedExport,
  {
    misfit = 0n,
    ...found
  }: Pick<ExportedList, 'total' | 'version' | 'milliseconds'> & Pick<ListBeginning, 'misfit'>,
): ExportedList {
  return {
    ...found,
    misfit: plan.attributes[Number(misfit) - 1]?.name,
    csv,
    model: plan.name,
    models: plan.models.map(({ name }) => name),
    columns: plan.attributes.map(exportedColumn),
    deprecations: deprecationsOf(plan),
    approximate: plan.facts.approximate,
  };
}

const DIGITS = /^(?:numeric|decimal)\((\d+)(?:, *(-?\d+))?\)/;

export function exportedColumn(attribute: Attribute): ExportedColumn {
  const { name, type, items, extremes, databaseType } = attribute;
  const [, precision, scale = '0'] = DIGITS.exec(databaseType) ?? [];
  // SQLite takes any number whatever the type says, and has no NaN.
  const isHeld = !extremes.includes('infinity') || extremes.includes('not_a_number');
  const decimal =
    type === 'decimal' && isHeld && precision !== undefined
      ? { precision: Number(precision), scale: Number(scale) }
      : undefined;
  return { name, type, items, extremes, decimal };
}
