import type { FaultRow } from './fault-row.ts';
import { ACCESS } from './rows/access.ts';
import { DATABASE_FILES } from './rows/database-files.ts';
import { ISSUERS } from './rows/issuers.ts';
import { OUTAGES } from './rows/outages.ts';
import { POOLERS } from './rows/poolers.ts';
import { PROCESSES } from './rows/processes.ts';
import { REFUSED_BODIES } from './rows/refused-bodies.ts';
import { SCHEMA_CHANGES } from './rows/schema-changes.ts';
import { SETTINGS_ROWS } from './rows/settings.ts';
import { SLOW_QUERIES } from './rows/slow-queries.ts';
import { SLOW_READERS } from './rows/slow-readers.ts';
import { SOCKETS } from './rows/sockets.ts';
import { VALUES } from './rows/values.ts';

/** THE table of faults, in the order in which they are tried. */
export const FAULT_ROWS: readonly FaultRow[] = [
  ...OUTAGES,
  ...SLOW_QUERIES,
  ...SCHEMA_CHANGES,
  ...REFUSED_BODIES,
  ...VALUES,
  ...SOCKETS,
  ...SLOW_READERS,
  ...ISSUERS,
  ...ACCESS,
  ...SETTINGS_ROWS,
  ...PROCESSES,
  ...DATABASE_FILES,
  ...POOLERS,
];
