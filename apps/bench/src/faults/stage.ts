import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FaultDatabase } from './databases/fault-database.ts';
import { type FaultService, type ServiceOptions, startService } from './service.ts';

/** Where one row plays: a database, and whatever the row starts; all of it ends with the row. */
export interface Stage {
  readonly database: FaultDatabase;
  /** Starts a service over the database. */
  readonly serve: (options?: Partial<ServiceOptions>) => Promise<FaultService>;
  /** A service that rows share which only send requests. */
  readonly shared: () => Promise<FaultService>;
  /** A new folder. */
  readonly folder: () => Promise<string>;
  /** Does something at the end of the row, last come first. */
  readonly atEnd: (work: () => unknown) => void;
}

/** A stage, and what clears it. */
export interface OpenStage {
  readonly stage: Stage;
  readonly clear: () => Promise<void>;
}

/** Opens the stage of one row. */
export function openStage(database: FaultDatabase, shared: () => Promise<FaultService>): OpenStage {
  const endings: (() => unknown)[] = [];
  const atEnd = (work: () => unknown): void => void endings.push(work);
  const stage: Stage = {
    database,
    shared,
    atEnd,
    serve: async (options = {}) => {
      const service = await startService({ database: database.url, ...options });
      atEnd(service.stop);
      return service;
    },
    folder: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-fault-'));
      atEnd(async () => rm(folder, { recursive: true, force: true }));
      return folder;
    },
  };
  const clear = async (): Promise<void> => {
    for (const work of endings.toReversed()) await work();
  };
  return { stage, clear };
}
