import { describe, expect, it } from 'vitest';

import { serverOf } from './session.ts';

describe('a server', () => {
  it.each([
    ['8.0.36', 'MySQL 8.0.36', 'set session max_execution_time = 2000', "is_visible = 'YES'"],
    [
      '8.4.3-commercial',
      'MySQL 8.4.3',
      'set session max_execution_time = 2000',
      "is_visible = 'YES'",
    ],
    [
      '10.11.6-MariaDB-0+deb12u1',
      'MariaDB 10.11.6',
      'set session max_statement_time = 2',
      "ignored = 'NO'",
    ],
    [
      '5.5.5-10.6.18-MariaDB',
      'MariaDB 5.5.5',
      'set session max_statement_time = 2',
      "ignored = 'NO'",
    ],
    [
      '8.0.11-TiDB-v8.1.0',
      'TiDB 8.0.11',
      'set session max_execution_time = 2000',
      "is_visible = 'YES'",
    ],
    [
      '8.0.30-Vitess',
      'Vitess 8.0.30',
      'set session max_execution_time = 2000',
      "is_visible = 'YES'",
    ],
  ])('that says %s is %s', (version, name, limit, indexInUse) => {
    const server = serverOf(version);
    expect(server.name).toBe(name);
    expect(server.limitStatements(2)).toBe(limit);
    expect(server.indexInUse).toBe(indexInUse);
  });

  it('has read-only sessions, except TiDB, which may refuse them', () => {
    const readOnly = /read only/;
    for (const version of ['8.0.36', '10.11.6-MariaDB', '8.0.30-Vitess'])
      expect(serverOf(version).required.join()).toMatch(readOnly);
    expect(serverOf('8.0.11-TiDB-v8.1.0').required.join()).not.toMatch(readOnly);
    expect(serverOf('8.0.11-TiDB-v8.1.0').helpful.join()).toMatch(readOnly);
  });
});
