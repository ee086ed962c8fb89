import type { Fixture } from '../fixtures/fixture.ts';
import { postgres } from '../fixtures/postgres.ts';

/** A PostgreSQL database whose changes an engine follows. */
export const followedPostgres: Fixture = {
  ...postgres,
  name: 'PostgreSQL, followed',
  settings: { follow: true },

  async create() {
    const database = await postgres.create();
    await database.execute(['create publication dynamic_query for all tables']);
    return database;
  },
};
