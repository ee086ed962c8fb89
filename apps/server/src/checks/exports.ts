import type { Engine } from '@proj/engine';

import type { Settings } from '../settings/schema.ts';

/** What an operator should know of the time that exports have, in lines. */
export function exportNotes(
  engine: Pick<Engine, 'exportsHoldUpWrites'>,
  { limits }: Pick<Settings, 'limits'>,
): string[] {
  const { export_timeout_ms: ofExport, query_timeout_ms: ofQuery } = limits;
  if (ofQuery >= ofExport || !engine.exportsHoldUpWrites()) return [];
  return [
    'limits.export_timeout_ms: the file has no write-ahead log, so that nobody can write to it ' +
      `as long as an export lasts. Exports are cut after limits.query_timeout_ms (${ofQuery}). ` +
      'After `pragma journal_mode = wal` they have the time of their own setting.',
  ];
}
