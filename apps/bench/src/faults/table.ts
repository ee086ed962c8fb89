import type { FaultRow } from './fault-row.ts';
import { ACCESS } from './rows/access.ts';
import { DATABASE_FILES } from './rows/database-files.ts';
import { OUTAGES } from './rows/outages.ts';
import { POOLERS } from './rows/poolers.ts';
import { PROCESSES } from './rows/processes.ts';
import { REQUESTS } from './rows/requests.ts';
import { SCHEMA_CHANGES } from './rows/schema-changes.ts';
import { SETTINGS_ROWS } from './rows/settings.ts';
import { SLOW_QUERIES } from './rows/slow-queries.ts';
import { SOCKETS } from './rows/sockets.ts';

/** THE table of faults, in the order in which they are tried. */
export const FAULT_ROWS: readonly FaultRow[] = [
  ...OUTAGES,
  ...SLOW_QUERIES,
  ...SCHEMA_CHANGES,
  ...REQUESTS,
  ...SOCKETS,
  ...ACCESS,
  ...SETTINGS_ROWS,
  ...PROCESSES,
  ...DATABASE_FILES,
  ...POOLERS,
];
