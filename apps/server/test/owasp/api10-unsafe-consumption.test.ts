import { describe, expect, it } from 'vitest';

import { openShop, sha256 } from './shop.ts';

// The engine's tests decide what each name and each cell becomes, on every database;
// unusual-names.test.ts sends names of prototypes.

const SQL = `
  create table cells (id integer primary key, t text, r real, j json, d date, n int, b blob);
  insert into cells (id, t) values
    (1, replace(hex(zeroblob(524288)), '00', 'ab')), (2, cast(x'61ff62c3' as text)), (3, 'a' || char(0) || 'b'),
    (4, '"\\</script>' || char(1, 8232, 127, 65279)), (5, x'00ff'), (6, char(55357));
  insert into cells (id, r) values (10, 9e999), (11, -9e999), (12, 5e-324), (13, 1.7976931348623157e308), (14, 'NaN'), (15, -0.0);
  insert into cells (id, j) values (20, '{bad'), (21, '{"a":1,"a":2}'), (22, '{"__proto__":{"x":1}}'), (23, '1e999'),
    (24, '[12345678901234567890.10]'), (25, ''), (26, replace(hex(zeroblob(400)), '00', '[') || '1');
  insert into cells (id, d) values (30, '2026-02-31'), (31, 'yesterday'), (32, -1), (33, 9e99), (34, '0000-00-00');
  insert into cells (id, n) values (40, 9223372036854775807), (41, 'x'), (42, 1.5), (43, x'01');`;

const shop = await openShop({
  sql: SQL,
  settings: `roles: { all: { models: all } }\ntokens: [{ name: all, role: all, sha256: ${sha256('all-token')} }]\n`,
});

describe('a cell that is hostile', () => {
  it('spoils no page that it is on', async () => {
    const reply = await shop.ask('all-token', {
      query_model: 'cells',
      query_attributes: ['id', 't', 'r', 'j', 'd', 'n', 'b'],
    });
    expect(reply.statusCode).toBe(200);
    expect(new TextDecoder('utf-8', { fatal: true }).decode(reply.rawPayload)).toBe(reply.body);
    const { result, page } = JSON.parse(reply.body) as {
      result: object[];
      page: { total: string };
    };
    expect(result).toHaveLength(Number(page.total));
  });
});
