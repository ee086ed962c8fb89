import type { Engine } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, expect, it } from 'vitest';

import { lackedCharacter } from '../../../engine/src/catalogue/field.ts';
import { encodingOf } from '../../../mysql/src/values/wire-types.ts';
import { idsOf } from '../lists.ts';
import { open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

/** Character sets, and texts that they lack. */
const LACKED: Readonly<Record<string, readonly string[]>> = {
  latin1: ['京', 'a京', '😀', 'Ж'],
  ascii: ['ä', '京', '😀'],
  utf8mb3: ['😀', 'a😀'],
};

const CHARACTER_SETS = [
  'ascii',
  'latin1',
  'utf8mb3',
  'ucs2',
  'latin2',
  'cp1250',
  'cp1251',
  'cp1257',
  'koi8r',
];

const ALL = [1, 2, 3];

describeMariadb('a character set of MariaDB that lacks characters', () => {
  const columns = Object.keys(LACKED).map((name) => `${name} varchar(9) character set ${name}`);
  const mariadb = useMariadb(`create table texts (id int primary key, ${columns.join(', ')});
      insert into texts values (1, 'a', 'a', 'a'), (2, '?', '?', '?'), (3, 'a?', 'a?', 'a?'), (4, null, null, null);`);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(mariadb().url);
  });

  const found = (filter: unknown) => idsOf(engine, 'texts', filter);

  it.each(Object.entries(LACKED).flatMap(([name, texts]) => texts.map((text) => [text, name])))(
    'does not take %s for question marks in %s, whatever the operator',
    async (value = '', attribute = '') => {
      const by = (op: string, operand: unknown) => found({ attribute, op, value: operand });
      for (const op of ['contains', 'starts_with', 'ends_with'])
        for (const each of [op, `i${op}`]) {
          expect([each, await by(each, value)]).toEqual([each, []]);
          const not = { not: { attribute, op: each, value } };
          expect([each, await found(not)]).toEqual([each, ALL]);
        }
      expect(await by('eq', value)).toEqual([]);
      expect(await by('in', [value, 'a'])).toEqual([1]);
      expect(await by('ne', value)).toEqual(ALL);
      expect(await by('not_in', [value, 'a'])).toEqual([2, 3]);
      expect(await by('is_distinct', value)).toEqual([...ALL, 4]);
      for (const [op, operand] of [
        ['lt', value],
        ['lte', value],
        ['gt', value],
        ['gte', value],
        ['between', ['a', value]],
      ] as const)
        await expect(by(op, operand)).rejects.toMatchObject({
          errors: [{ code: 'invalid_value', detail: expect.stringContaining(` ${attribute},`) }],
        });
    },
  );

  it('has the characters that are known of it, and no others', async () => {
    for (const name of eachNth(3, CHARACTER_SETS)) {
      const codes = await mariadb().client(
        `set group_concat_max_len = 1000000;
        select group_concat(seq order by seq) from (
          select seq, convert(char(seq using ucs2) using utf8mb4) as c from seq_128_to_12415
        ) as every
        where cast(convert(convert(c using ${name}) using utf8mb4) as binary) = cast(c as binary)`,
      );
      const encoding = encodingOf(`${name}_bin`);
      const known = Array.from({ length: 0x3000 }, (_, index) => index + 0x80).filter(
        (code) => lackedCharacter(String.fromCodePoint(code), encoding) === undefined,
      );
      expect([name, known.join(',')]).toEqual([name, codes.trim().replace('NULL', '')]);
    }
  });
});
