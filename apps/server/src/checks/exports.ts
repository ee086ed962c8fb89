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
    'limits.export_timeout_ms: the SQLite file has no write-ahead log, so nobody can write to it ' +
      `while an export runs. So exports end after limits.query_timeout_ms (${ofQuery}). ` +
      'Run `pragma journal_mode = wal` in the database to give them the time of this setting.',
  ];
}
