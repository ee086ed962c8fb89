import { beforeRelease } from '@proj/test-servers';

import type { Fixture } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { postgres } from '../fixtures/postgres.ts';
import { sqlite } from '../fixtures/sqlite.ts';
import { followedPostgres } from './followed.ts';
import { standbyOfPostgres } from './standby.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** The kinds of databases, and ways to open them, whose replies are compared with the truth. */
export const TRIED: readonly Fixture[] = [
  ...FIXTURES,
  { ...sqlite, name: 'SQLite without WAL' },
  ...(FIXTURES.includes(postgres) ? [followedPostgres] : []),
  ...(beforeRelease ? [standbyOfPostgres] : []),
];
