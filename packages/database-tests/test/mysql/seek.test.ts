import { beforeRelease } from '@proj/test-servers';
import { createConnection, type Connection as Client } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { mysqlDialect } from '../../../mysql/src/dialect.ts';
import { openMysql } from '../../../mysql/src/source.ts';
import { type SeekDatabase, seeksFindTheSameRows } from '../seeks.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

const rows = (columns: string): string => `
  insert into seeks
  select seq, ${columns} from (select cast(seq as signed) as seq from seq_1_to_120) as s`;

/** Tables with the columns that the common test sorts by: `few` is never NULL. */
const TABLES = {
  'numbers, texts, times and values of a list': [
    `id bigint primary key, few decimal(10, 2) not null, maybe double, word varchar(20),
     amount bigint unsigned, moment datetime(6), flag enum('sad', 'calm', 'happy'), raw varbinary(9)`,
    `seq % 3 - 0.25, if(seq % 4 > 0, (seq * 7 % 11) / 3 - 1, null),
     case seq % 5 when 0 then null when 1 then 'Word' when 2 then 'wörd' else concat('w', seq % 9) end,
     if(seq % 6 > 0, 18446744073709551615 - seq % 4, null),
     if(seq % 8 > 0, '2026-01-01 00:00:00.123456' + interval seq % 7 day, null),
     elt(seq % 4 + 1, 'sad', 'calm', 'happy', null),
     case seq % 3 when 0 then null when 1 then x'00ff' else x'01' end`,
  ],
  'numbers of other sizes, other character sets and times without a day': [
    `id mediumint primary key, few float not null,
     maybe decimal(38, 10), word varchar(255) character set latin1, amount varchar(20) collate utf8mb4_nopad_bin,
     moment timestamp(3) null, flag time(2), raw uuid`,
    `seq % 7 / 10, if(seq % 4 > 0, 123456789012345678901234567.0000000001 * (seq % 5 - 2), null),
     case seq % 5 when 0 then null when 1 then 'Straße ' when 2 then 'strasse' else char(seq % 9 + 60) end,
     if(seq % 6 > 0, concat('a', repeat(' ', seq % 5)), null),
     if(seq % 8 > 0, '2026-10-25 00:30:00.5' + interval seq % 5 hour, null),
     if(seq % 8 > 0, sec_to_time((seq % 5 - 2) * 90000.25), null),
     if(seq % 3 > 0, concat('123e4567-e89b-', seq % 3, '2d3-a456-42661417400', seq % 7), null)`,
  ],
  'texts that count as equal, dates that no calendar has, and truth values': [
    `id int unsigned primary key, few char(5) not null, maybe varchar(9) collate utf8mb4_unicode_520_ci,
     word varchar(9) collate utf8mb4_uca1400_ai_ci, amount boolean, moment date, flag double,
     raw binary(3)`,
    `elt(seq % 3 + 1, 'a', 'A', 'ä'), elt(seq % 5 + 1, 'ss', 'ß', 's', null, 'ss '),
     elt(seq % 5 + 1, 'co-op', 'coop', 'co op', null, '🎉'), elt(seq % 4 + 1, 0, 1, 7, null),
     elt(seq % 5 + 1, '0000-00-00', '2026-02-00', '2026-02-31', null, '2026-03-01'),
     elt(seq % 5 + 1, -0e0, 0.1, 1e308, null, 4.9e-324), elt(seq % 3 + 1, 'a', 'a\\0', null)`,
  ],
} satisfies Record<string, readonly [string, string]>;

describeMariadb('seeking a key on MariaDB', () => {
  const mariadb = useMariadb();
  let client: Client;
  beforeAll(async () => {
    const uri = mariadb().url;
    client = await createConnection({ uri, dateStrings: true, supportBigNumbers: true });
    await client.query(`set time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'`);
  });
  afterAll(() => client.end());

  async function relations() {
    const source = await openMysql(mariadb().url);
    const found = await source.introspect();
    await source.close();
    return found;
  }

  it.each(Object.entries(TABLES))(
    'finds the same rows as passing over all that come before, by %s',
    async (_name, [columns, values]) => {
      await client.query(`create or replace table seeks (${columns})`);
      await client.query(rows(values));
      const run = async (sql: string, parameters: readonly unknown[]): Promise<unknown[][]> => {
        const bound = parameters.map((value) =>
          typeof value === 'bigint' || Number.isInteger(value) ? String(value) : value,
        );
        const [found] = await client.execute({ sql, rowsAsArray: true }, bound as string[]);
        return found as unknown[][];
      };
      const database: SeekDatabase = {
        dialect: mysqlDialect,
        relations: await relations(),
        rows: async ({ sql, parameters }) => (await run(sql, parameters)).map(([id]) => ({ id })),
        row: async ({ sql, parameters }) => (await run(sql, parameters))[0] ?? [],
        keys: ({ sql, parameters }) => run(sql, parameters),
      };
      await expect(seeksFindTheSameRows(database, beforeRelease ? 40 : 3)).resolves.toBeUndefined();
    },
  );
});
