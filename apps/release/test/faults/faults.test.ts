import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DATABASES, type FaultDatabase } from '../databases/fault-database.ts';
import { openFaultDatabase } from '../databases/open-fault-database.ts';
import { stageOf } from './stage.ts';
import { FAULT_ROWS } from './table.ts';

/** A row that takes longer has failed, whatever it waits for. */
const LONGEST_ROW_MS = 90_000;

describe.each(DATABASES)('the built service over $title', ({ name }) => {
  let database: FaultDatabase;

  beforeAll(async () => {
    database = await openFaultDatabase(name);
  });
  afterAll(() => database.close());

  const rows = FAULT_ROWS.filter(({ databases }) => databases?.includes(name) !== false);
  for (const { name: row, fault, expected, run } of rows)
    it(
      `${row} – ${fault}: ${expected}`,
      async () => expect(run(stageOf(database))).resolves.toBeUndefined(),
      LONGEST_ROW_MS,
    );
});
