import type { FaultRow } from './fault-row.ts';
import { OUTAGES } from './rows/outages.ts';
import { PROCESSES } from './rows/processes.ts';
import { SLOW_QUERIES } from './rows/slow-queries.ts';

/** Faults of the built service under load; the others are in the tests of what meets them. */
export const FAULT_ROWS: readonly FaultRow[] = [...OUTAGES, ...SLOW_QUERIES, ...PROCESSES];
