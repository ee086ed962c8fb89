import type { Field } from '@proj/engine/database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { mysqlDialect } from '../dialect.ts';
import { mysqlGroups } from './groups.ts';

const AT: Field = {
  name: 'at',
  column: 'at',
  type: 'timestamp_tz',
  items: undefined,
  databaseType: 'timestamp',
};

it('timestamps of a zone group by the number of their day, which is made a date once', () => {
  const cut = mysqlGroups.cut(sql.id('at'), AT, { unit: 'day', zone: 'Europe/Paris' });
  const [by, value] = [cut.by, cut.value ?? cut.by].map(
    (one) => one.compile(mysqlDialect.kysely).sql,
  );
  expect(by).toMatch(/^\(unix_timestamp\(`at`\) \+ .*\) div 86400 \+ 719527$/);
  expect(value).toBe(`from_days(${by})`);
});
