import { onTestFinished } from 'vitest';

import type { FaultDatabase } from '../databases/fault-database.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';

/** Where one row plays: a database, and whatever the row starts; all of it ends with the row. */
export interface Stage {
  readonly database: FaultDatabase;
  /** Starts a service over the database. */
  readonly serve: (options?: Partial<ServiceOptions>) => Promise<Service>;
  /** Does something at the end of the row, last come first. */
  readonly atEnd: (work: () => unknown) => void;
}

/** The stage of the row that runs. */
export function stageOf(database: FaultDatabase): Stage {
  return {
    database,
    atEnd,
    serve: async (options = {}) => {
      const service = await startService({ database: database.url, ...options });
      atEnd(service.stop);
      return service;
    },
  };
}

function atEnd(work: () => unknown): void {
  onTestFinished(async () => void (await work()));
}
