import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { RunningService } from '@proj/test-servers';
import { beforeAll } from 'vitest';

import { startService, TOKEN } from '../support/service.ts';
import { makeFolder } from '../support/temporary-folder.ts';

interface CitiesService {
  readonly origin: string;
  readonly token: string;
}

/** The relation of the demo. */
const SETTINGS = `expose: all
models:
  cities:
    relations:
      country: { attributes: [country_code], model: countries, key: [code] }
`;

/** A service over the 42 cities of the examples. */
export function serveCities(): () => CitiesService {
  let service: RunningService | undefined;
  beforeAll(async () => {
    const path = join(await makeFolder(), 'cities.db');
    const database = new DatabaseSync(path);
    database.exec(`create table countries (code text primary key, name text);
      insert into countries values ('CH', 'Switzerland'), ('LI', 'Liechtenstein');
      create table cities (id integer primary key, name text, population integer,
        country_code text);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 42)
      insert into cities select i, 'City ' || i, case when i % 7 != 1 then i * 1000 end,
        iif(i % 2, 'LI', 'CH') from n`);
    database.close();
    service = await startService({ database: `sqlite:${path}`, settings: SETTINGS });
  });
  return () => {
    if (service === undefined) throw new Error('The service is not there yet: ask within a test.');
    return { origin: service.origin, token: TOKEN };
  };
}
