import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { compile } from '../../sql/compile/compile.ts';
import { sqlBlock } from './sql-block.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';

describe('a text of SQL that is laid out on several lines', () => {
  it('is sent to the database as one line, with its values', () => {
    const inner = sqlBlock`
      select ${1}
      from t
    `;
    const outer = sqlBlock`
      select *
      from (
        ${inner}
      ) as ${sql.id('n')}
      where a in (
        'x  y',
        ${2}
      )
    `;
    expect(compile(outer, plainDialect)).toEqual({
      sql: `select * from (select ? from t) as "n" where a in ('x  y', ?)`,
      parameters: [1, 2],
    });
  });
});
