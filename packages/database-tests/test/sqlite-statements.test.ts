import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { buildCatalogue } from '../../engine/src/catalogue/build/build.ts';
import { EVERYTHING } from '../../engine/src/catalogue/grant.ts';
import type { QueryStatements } from '../../engine/src/sql/query-statements.ts';
import { bind, LIMIT, OFFSET, type Template } from '../../engine/src/sql/statement.ts';
import { sqliteDialect } from '../../sqlite/src/dialect.ts';
import { introspect } from '../../sqlite/src/introspection/introspect.ts';
import { Session } from '../../sqlite/src/reads/session.ts';
import { compileQuery } from '../../engine/src/sql/compile/compile.ts';
import { planQuery } from '../../engine/src/planning/plan.ts';
import { MAX_REPLY_BYTES } from '../../engine/src/reply-memory.ts';

const SCRIPT = `
  create table cities (id integer primary key, name text not null unique collate nocase, area real, open boolean, photo blob, extra json);
  insert into cities values (3, 'Bern', 51.62, 1, x'00ff', '{"a":1.50}'), (1, 'Aarau', 12.34, 0, null, null), (2, 'Chur', 28.09, null, x'', '[1]');
  create table pairs (a int not null, b int not null, primary key (a, b)) without rowid;
  insert into pairs values (2, 1), (1, 2), (1, 1);
  create view shouted as select upper(name) as loud, id from cities;
  create table "odd ""name"".x" ("it's" text, "say ""x""" text, "a.b" text, "😀" text, "__proto__" text, "select" text);
  insert into "odd ""name"".x" values ('1', '2', '3', '4', '5', '6');
`;

const TEXT = `case typeof("c0") when 'text' then "c0" when 'integer' then cast("c0" as text) when 'real' then dynamic_query_decimal("c0") when 'blob' then dynamic_query_base64("c0") end`;

let connection: Session;

beforeAll(() => {
  const path = databaseFile(SCRIPT);
  connection = new Session(path, 1);
  return () => connection.database.close();
});

interface Question {
  readonly model: string;
  readonly attributes: readonly string[];
}

function compile({ model, attributes }: Question): QueryStatements {
  const page = { page: 1, size: 2 };
  const models = { shouted: { key: ['loud', 'id'] } };
  const { catalogue } = buildCatalogue(introspect(connection.database), {
    expose: 'all',
    models,
    maxPageSize: 10_000,
  });
  const planning = planQuery(
    { query_model: model, query_attributes: attributes, page },
    catalogue,
    EVERYTHING,
  );
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return compileQuery(planning.plan, sqliteDialect, {
    shortPageProof: true,
    readBackwards: true,
    maxReplyBytes: MAX_REPLY_BYTES,
  });
}

function run(
  template: Template,
  { limit = 10, offset = 0n }: { limit?: number; offset?: bigint } = {},
): unknown {
  const { sql, parameters } = bind(template, { limit, offset });
  const row: unknown = connection.prepare(sql).get(...(parameters as (number | bigint)[]));
  return (row as unknown[])[0];
}

describe('the statements for SQLite', () => {
  it('select, order and cut the page inside, and make JSON of it outside', () => {
    const { rows, count } = compile({ model: 'cities', attributes: ['name'] });
    expect(rows).toEqual({
      relations: [['cities']],
      sql: `select case when octet_length("json") <= 67108864 then "json" end, "rows" from (select json_group_array(json_object('name', ${TEXT})) as "json", count(*) as "rows" from (select "t"."name" as "c0" from "cities" as "t" order by "t"."id" asc limit ? offset ?))`,
      parameters: [LIMIT, OFFSET],
    });
    expect(count).toEqual({
      relations: [['cities']],
      sql: 'select count(*) from "cities" as "t"',
      parameters: [],
    });
    expect(run(rows, { limit: 2, offset: 2n })).toBe('[{"name":"Bern"}]');
    expect(run(count)).toBe(3n);
  });

  it('encode each attribute by its type, in the order of the request', () => {
    const { rows } = compile({
      model: 'cities',
      attributes: ['photo', 'open', 'area', 'extra', 'id'],
    });
    expect(rows.sql).toMatch(
      /\(select json_group_array\(json_object\('photo', .*, 'open', .*, 'area', .*, 'extra', .*, 'id', /,
    );
    expect(rows.sql).toContain(
      `(select "t"."photo" as "c0", "t"."open" as "c1", "t"."area" as "c2", "t"."extra" as "c3", "t"."id" as "c4" from "cities" as "t"`,
    );
    expect(run(rows)).toBe(
      `[{"photo":null,"open":false,"area":12.34,"extra":null,"id":"1"},` +
        `{"photo":"","open":null,"area":28.09,"extra":[1],"id":"2"},` +
        `{"photo":"AP8=","open":true,"area":51.62,"extra":{"a":1.50},"id":"3"}]`,
    );
  });

  it('order by every column of a composite key', () => {
    const { rows } = compile({ model: 'pairs', attributes: ['a', 'b'] });
    expect(rows.sql).toMatch(
      /order by "t"\."a" collate BINARY asc.*, "t"\."b" collate BINARY asc.* limit \? offset \?\)\)$/,
    );
    expect(run(rows)).toBe('[{"a":"1","b":"1"},{"a":"1","b":"2"},{"a":"2","b":"1"}]');
  });

  it('order a view by the key that the settings declare', () => {
    const { rows } = compile({ model: 'shouted', attributes: ['loud'] });
    expect(rows.sql).toMatch(/order by "t"\."loud" asc, "t"\."id" asc limit \? offset \?\)\)$/);
    expect(run(rows, { limit: 2 })).toBe('[{"loud":"AARAU"},{"loud":"BERN"}]');
  });

  it('quote every name', () => {
    const attributes = [`it's`, 'say "x"', 'a.b', '😀', '__proto__', 'select', 'rowid'];
    const { rows, count } = compile({ model: 'odd "name".x', attributes });
    expect(rows.sql).toContain(`from "odd ""name"".x" as "t" order by "t"."rowid"`);
    expect(rows.sql).toContain(`json_object('it''s', `);
    expect(rows.sql).toContain(`"t"."say ""x""" as "c1"`);
    expect(run(rows)).toBe(
      `[{"it's":"1","say \\"x\\"":"2","a.b":"3","😀":"4","__proto__":"5","select":"6","rowid":"1"}]`,
    );
    expect(run(count)).toBe(1n);
  });

  it('find the same records from the end of the list, in its order', () => {
    const { rows, reversed } = compile({ model: 'cities', attributes: ['name', 'extra'] });
    expect(reversed?.sql).toContain('order by "t"."id" desc limit ? offset ?');
    expect(run(reversed ?? rows, { limit: 2, offset: 0n })).toBe(
      run(rows, { limit: 2, offset: 1n }),
    );
    expect(run(rows, { limit: 2, offset: 1n })).toBe(
      '[{"name":"Chur","extra":[1]},{"name":"Bern","extra":{"a":1.50}}]',
    );
  });
});

describe('the order of a page', () => {
  it.each(['cities', 'pairs', 'odd "name".x'])(
    'of %s is read from its key, and nothing is sorted',
    (model) => {
      const attribute = { cities: 'name', pairs: 'a' }[model] ?? 'select';
      const { rows } = compile({ model, attributes: [attribute] });
      const steps = connection.database.prepare(`explain query plan ${rows.sql}`).all(2, 0);
      expect(
        steps
          .map(({ detail }) => detail)
          .filter((detail) => String(detail).includes('TEMP B-TREE')),
      ).toEqual([]);
    },
  );
});
