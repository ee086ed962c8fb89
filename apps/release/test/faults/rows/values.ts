import assert from 'node:assert/strict';

import { QUERY, withAttributes, withFilter, withPage } from '../bodies.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';

/** Names and values at the ends of what requests and databases take. */
export const VALUES: readonly FaultRow[] = [
  {
    name: 'page past the end',
    fault: 'a page number written as 1.0, and one far past the end',
    expected: '200: 1.0 is 1 in JSON, and a page past the end is empty with the true total',
    run: async ({ shared }) => {
      const service = await shared();
      demandReply(await service.send(withPage('1.0')), 200);
      const reply = await service.send(withPage('9007199254740991', '1000'));
      demandReply(reply, 200);
      const page = { page: '9007199254740991', size: '1000', total: '1000', has_next: false };
      assert.ok(reply.text.includes(`"result":[],"page":${JSON.stringify(page)}`), reply.text);
    },
  },
  {
    name: 'NUL in a value',
    fault: 'NUL in the value of a filter',
    expected: '400, or on SQLite, whose texts may hold it, a list of nothing',
    run: async ({ shared, database }) => {
      const reply = await (await shared()).send(withFilter('"name"', String.raw`"\u0000"`));
      if (reply.status !== 200 || database.name === 'postgres')
        demandReply(reply, 400, 'invalid_value', 'invalid_text');
      else assert.match(reply.text, /"total":"0"/);
    },
  },
  {
    name: 'SQL in names and values',
    fault: 'SQL in the place of every name and value',
    expected: '400, or a literal match of nothing; the tables are as they were',
    run: async ({ shared }) => {
      const service = await shared();
      for (const sql of [
        `'; drop table items; --`,
        `" or 1=1 --`,
        '`; select 1',
        String.raw`\'; select 1 --`,
        `1) union select 1 --`,
      ]) {
        const text = JSON.stringify(sql);
        demandStatus(await service.send(QUERY.replace('"items"', text)), 400);
        demandStatus(await service.send(withAttributes(`[${text}]`)), 400);
        demandStatus(await service.send(withFilter(text, '1')), 400);
        const reply = await service.send(withFilter('"name"', text));
        demandReply(reply, 200);
        assert.match(reply.text, /"total":"0"/);
      }
      await demandItems(service);
    },
  },
  {
    name: 'extreme values',
    fault: 'values at the ends of their types',
    expected: 'every digit, as the wire says for the type',
    run: async ({ database, serve, atEnd }) => {
      const type = database.name === 'sqlite' ? 'integer' : 'bigint';
      await database.run(
        `create table extremes (id integer primary key, big ${type}, ` +
          `exact ${database.name === 'sqlite' ? 'text' : 'decimal(38, 10)'})`,
      );
      atEnd(async () => database.run('drop table extremes'));
      const exact = '1234567890123456789012345678.0123456789';
      await database.run(
        `insert into extremes values (1, 9223372036854775807, '${exact}'), (2, ` +
          '-9223372036854775808, null)',
      );
      const service = await serve();
      const reply = await service.ask({
        query_model: 'extremes',
        query_attributes: ['big', 'exact'],
        page: { page: 1, size: 5 },
      });
      assert.ok(
        reply.text.startsWith(
          `{"result":[{"big":"9223372036854775807","exact":"${exact}"},` +
            '{"big":"-9223372036854775808","exact":null}]',
        ),
        reply.text,
      );
    },
  },
  {
    name: 'odd names',
    fault: 'names with quotes, dots, keywords, letters of every script and emoji',
    expected: 'each is served under its own name',
    run: async (stage) => {
      // MariaDB has no names with characters beyond 16 bits.
      const emoji = stage.database.name === 'mariadb' ? [] : ['🙂'];
      const names = [
        `a"b`,
        `it's`,
        'a.b',
        'select',
        'Straße',
        '表',
        'x y',
        'back\\slash',
        ...emoji,
      ];
      const quote = stage.database.name === 'mariadb' ? '`' : '"';
      const quoted = names.map((name) => quote + name.replaceAll(quote, quote + quote) + quote);
      await stage.database.run(
        `create table ${quote}odd ones${quote} (id integer primary key, ` +
          `${quoted.map((name) => `${name} integer`).join(', ')})`,
      );
      stage.atEnd(async () => stage.database.run(`drop table ${quote}odd ones${quote}`));
      const service = await stage.serve();
      const page = { query_model: 'odd ones', query_attributes: names, page: { page: 1, size: 5 } };
      demandReply(await service.ask(page), 200);
    },
  },
];
