import type { Filter } from '@proj/contract';
import { type Engine, EVERYTHING, Grant } from '@proj/engine';
import { eachNth, type TestDatabase, workerPostgres } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { lackedCharacter } from '../../../engine/src/catalogue/field.ts';
import { encodingOf } from '../../../postgres/src/values/encodings.ts';
import { askFacets, checkValues } from '../databases/checked-facets.ts';
import { idsOf } from '../lists.ts';
import { ask, open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { urlOf, usePostgres } from './server.ts';

/** Every one of these encodings has the texts, and lacks each of the others. */
const [TEXTS, LACKED] = [
  ['a', 'Ä', 'ä', '?', 'aä'],
  ['京', 'a京', '😀', 'Ж'],
] as const;

const tableOf = (texts: readonly string[], mood: string): string => `set client_encoding = 'UTF8';
  create type mood as enum ('a', '${mood}');
  create table texts (id int primary key, t text, fixed char(4), short name, mood mood);
  insert into texts select place, t, t, t, '${mood}'
    from unnest(array[${texts.map((text) => `'${text}'`).join(', ')}]) with ordinality as u (t, place);
  insert into texts values (99);
  create table named (name text primary key);
  insert into named select t from texts where t is not null;
  create index on texts (t);`;

const TABLE = tableOf(TEXTS, 'ä');

/** For an encoding whose characters have several bytes. */
const JAPANESE = tableOf(['a', '京', 'Ж', 'a京', '東京'], '京');

/** As JSON writes them; every one of these encodings lacks the fourth to the seventh. */
const ESCAPED = [
  'Ä',
  String.raw`\u00c4`,
  String.raw`\\u4eac`,
  String.raw`\u4eac`,
  String.raw`\uD83D\ude00`,
  String.raw`\ud83d`,
  String.raw`\u0000`,
  String.raw`\u0061`,
];

const DOCUMENTS = `set client_encoding = 'UTF8';
  create table documents (id int primary key, j json, a json);
  insert into documents values ${ESCAPED.map(
    (text, index) => `(${index + 1}, '{"t":"${text}"}', '["${text}","red"]')`,
  ).join(', ')};`;

const ALL = [1, 2, 3, 4, 5];

const LOOKING = ['contains', 'starts_with', 'ends_with'];

const ONE_OPERAND = [
  'eq',
  'ne',
  'is_distinct',
  'lt',
  'gte',
  ...LOOKING.flatMap((op) => [op, `i${op}`]),
];

async function openIn(
  server: TestDatabase,
  encoding: string,
  sql: string = TABLE,
): Promise<Engine> {
  const name = encoding.toLowerCase();
  const { major } = await workerPostgres();
  const provider = major >= 15 ? 'locale_provider libc' : '';
  await server.client(
    `create database ${name} template template0 locale 'C' ${provider} encoding '${encoding}'`,
  );
  await server.client(`\\connect ${name}\n${sql}`);
  return open(urlOf(server, 'postgres', name));
}

function policyOf(rowPolicy: Filter): Grant {
  return new Grant(new Map([['texts', { attributes: 'all', rowPolicy }]]));
}

const found = (engine: Engine, filter: Filter, grant = EVERYTHING): Promise<unknown[]> =>
  idsOf(engine, 'texts', filter, grant);

describe('a database of PostgreSQL whose encoding lacks characters', () => {
  const postgres = usePostgres();

  describe.each(eachNth(3, ['LATIN1', 'WIN1252', 'LATIN9']))('%s', (encoding) => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openIn(postgres(), encoding);
    });

    it.each(
      // Another number than that of encodings: each is tried with all of them in the end.
      eachNth(
        4,
        ['t', 'fixed', 'short'].flatMap((name) => LACKED.map((lacked) => [lacked, name])),
      ),
    )(
      'finds no text by a filter with %s in column %s, and NULL by none but is_distinct',
      async (lacked = '', attribute = '') => {
        const by = (op: string, value: unknown): Promise<unknown[]> =>
          found(engine, { attribute, op, value } as Filter);
        for (const op of LOOKING)
          for (const each of [op, `i${op}`]) {
            expect([each, await by(each, lacked)]).toEqual([each, []]);
            const not = { not: { attribute, op: each, value: lacked } } as Filter;
            expect([each, await found(engine, not)]).toEqual([each, ALL]);
          }
        expect(await by('eq', lacked)).toEqual([]);
        expect(await by('in', [lacked, `${lacked}?`])).toEqual([]);
        expect(await by('in', [lacked, 'ä', 'a'])).toEqual([1, 3]);
        expect(await by('ne', lacked)).toEqual(ALL);
        expect(await by('not_in', [lacked])).toEqual(ALL);
        expect(await by('not_in', [lacked, 'ä'])).toEqual([1, 2, 4, 5]);
        expect(await by('is_distinct', lacked)).toEqual([...ALL, 99]);
        const not = { not: { attribute, op: 'in', value: [lacked] } } as Filter;
        expect(await found(engine, not)).toEqual(ALL);
      },
    );

    it('finds no member of an enumeration by a name that it cannot have', async () => {
      const attribute = 'mood';
      expect(await found(engine, { attribute, op: 'eq', value: '京' })).toEqual([]);
      expect(await found(engine, { attribute, op: 'in', value: ['京', 'ä'] })).toEqual(ALL);
      expect(await found(engine, { attribute, op: 'ne', value: '京' })).toEqual(ALL);
      expect(await found(engine, { attribute, op: 'is_distinct', value: '京' })).toEqual([
        ...ALL,
        99,
      ]);
    });

    it('refuses a bound that its order has no place for, and names the encoding', async () => {
      for (const [op, value, at] of [
        ['lt', 'a京', ''],
        ['gte', '京', ''],
        ['between', ['a', '京'], '/1'],
      ] as const) {
        const asked = found(engine, { attribute: 't', op, value });
        const pointer = `/query_filter/value${at}`;
        const detail = `${pointer}: expected characters of ${encoding}, which orders this attribute and has no "京".`;
        await expect(asked).rejects.toMatchObject({
          errors: [{ pointer, code: 'invalid_value', detail }],
        });
      }
    });

    it('orders the texts that it has', async () => {
      expect(await found(engine, { attribute: 't', op: 'gt', value: 'a' })).toEqual([2, 3, 5]);
    });

    it('shows no record by a row policy with a text that it cannot have', async () => {
      const all: Filter = { attribute: 'id', op: 'gt', value: 0 };
      const own = policyOf({ attribute: 't', op: 'eq', value: '京' });
      expect(await found(engine, all, own)).toEqual([]);
      const others = policyOf({ attribute: 't', op: 'not_in', value: ['京', 'ä'] });
      expect(await found(engine, all, others)).toEqual([1, 2, 4, 5]);
    });

    it('counts in facets by filters with such texts, and has no page for a record with one', async () => {
      const lacked: Filter = { attribute: 't', op: 'contains', value: '京' };
      const facet = { attribute: 't', values: 10 };
      const none = await askFacets(engine, { model: 'texts', facets: [facet], filter: lacked });
      expect(none).toMatchObject({ total: '0', facets: [{ distinct: '0' }] });
      const own = { ...facet, query_filter: { not: lacked } };
      const { facets } = await askFacets(engine, { model: 'texts', facets: [own] });
      expect(facets).toMatchObject([{ distinct: '5' }]);
      const containing = { query_model: 'named', query_attributes: ['name'] };
      const page = { size: 2, containing: { name: '京' } };
      await expect(engine.query({ ...containing, page }, EVERYTHING)).rejects.toMatchObject({
        errors: [{ code: 'record_not_in_list' }],
      });
    });

    it('reads no place of a json with an escape of a character that it lacks, and finds its other elements', async () => {
      const url = urlOf(postgres(), 'postgres', encoding.toLowerCase());
      await postgres().client(`\\connect ${encoding.toLowerCase()}\n${DOCUMENTS}`);
      const attributes = { id: {}, a: {}, t: { json: 'j', path: ['t'], type: 'text' } } as const;
      const read = await open(url, { models: { documents: { attributes } } });
      const { records } = await ask(read, { model: 'documents', attributes: ['id', 't'] });
      expect(records.map(({ t }) => t)).toEqual(['Ä', 'Ä', '\\u4eac', null, null, null, null, 'a']);
      const by = (attribute: string, op: string, value: unknown): Promise<unknown[]> =>
        idsOf(read, 'documents', { attribute, op, value });
      expect(await by('t', 'eq', 'Ä')).toEqual([1, 2]);
      expect(await by('t', 'is_null', true)).toEqual([4, 5, 6, 7]);
      expect(await by('a', 'has', 'Ä')).toEqual([1, 2]);
      expect(await by('a', 'has', 'red')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });
  });

  describe.each(eachNth(2, ['EUC_JP', 'EUC_JIS_2004']))('of several bytes: %s', (encoding) => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openIn(postgres(), encoding, JAPANESE);
    });
    const answers = (filter: Filter, grant = EVERYTHING): Promise<string> =>
      outcome(found(engine, filter, grant));
    const by = (op: string, value: unknown, attribute = 't'): Promise<unknown[]> =>
      found(engine, { attribute, op, value } as Filter);

    it.each(eachNth(3, ['t', 'fixed', 'short']))(
      'answers with data_error where a filter has a character that it lacks, in column %s',
      async (attribute) => {
        for (const lacked of ['😀', '한', 'a😀', '京😀'])
          for (const [op, value] of [
            ...ONE_OPERAND.map((each) => [each, lacked] as const),
            ['in', ['a', lacked]] as const,
            ['not_in', [lacked]] as const,
            ['between', ['a', lacked]] as const,
          ]) {
            const filter = { attribute, op, value } as Filter;
            expect([op, lacked, await answers(filter)]).toEqual([op, lacked, 'data_error']);
            expect([op, await answers({ not: filter })]).toEqual([op, 'data_error']);
          }
      },
    );

    it('answers with data_error to such a character in enumerations, row policies, facets and records', async () => {
      expect(await answers({ attribute: 'mood', op: 'eq', value: '😀' })).toBe('data_error');
      const lacked: Filter = { attribute: 't', op: 'eq', value: '😀' };
      expect(await answers({ attribute: 'id', op: 'gt', value: 0 }, policyOf(lacked))).toBe(
        'data_error',
      );
      const facets = [{ attribute: 't', values: 10 }];
      expect(await outcome(askFacets(engine, { model: 'texts', facets, filter: lacked }))).toBe(
        'data_error',
      );
      const containing = { query_model: 'named', query_attributes: ['name'] };
      const page = { size: 2, containing: { name: '😀' } };
      expect(await outcome(engine.query({ ...containing, page }, EVERYTHING))).toBe('data_error');
    });

    it('finds the texts that it has, also after such an answer', async () => {
      expect(await answers({ attribute: 't', op: 'eq', value: '😀' })).toBe('data_error');
      expect(await by('eq', '京')).toEqual([2]);
      expect(await by('in', ['京', 'Ж'])).toEqual([2, 3]);
      expect(await by('contains', '京')).toEqual([2, 4, 5]);
      expect(await by('starts_with', 'a')).toEqual([1, 4]);
      expect(await by('ne', 'Ж')).toEqual([1, 2, 4, 5]);
      expect(await by('eq', '京', 'fixed')).toEqual([2]);
      expect(await by('eq', '京', 'mood')).toEqual(ALL);
    });
  });

  it('compares in SQL_ASCII the bytes of UTF-8, whatever they mean', async () => {
    const engine = await openIn(postgres(), 'SQL_ASCII');
    await postgres().client(
      `\\connect sql_ascii\nset client_encoding = 'UTF8'; insert into texts (id, t) values (6, '京'), (7, 'a京😀');`,
    );
    const by = (op: string, value: unknown): Promise<unknown[]> =>
      found(engine, { attribute: 't', op, value } as Filter);
    expect(await by('eq', 'ä')).toEqual([3]);
    expect(await by('in', ['京', 'Ä', 'Ж'])).toEqual([2, 6]);
    expect(await by('ne', 'Ж')).toEqual([...ALL, 6, 7]);
    expect(await by('contains', '京')).toEqual([6, 7]);
    expect(await by('starts_with', 'a京')).toEqual([7]);
    expect(await by('ends_with', '😀')).toEqual([7]);
    expect(await by('icontains', 'A京')).toEqual([7]);
    expect(await by('gte', '京')).toEqual([6]);
    const { facets } = await askFacets(engine, {
      model: 'texts',
      facets: [{ attribute: 't', values: 9 }],
    });
    for (const facet of facets) await checkValues({ engine, model: 'texts' }, facet, 'text');
    await postgres().client(
      `\\connect sql_ascii\ninsert into texts (id, t) values (8, convert_from('\\xe4', 'SQL_ASCII'))`,
    );
    const all = ask(engine, { model: 'texts', attributes: ['id', 't'] });
    expect(await outcome(all)).toBe('data_error');
    expect(await by('gte', 'ä')).toEqual([3, 6, 8]);
  });
});

describe('the characters of an encoding of PostgreSQL', () => {
  /** Those of the bytes beyond ASCII, by PostgreSQL's own conversion. */
  const postgres =
    usePostgres(`create function codes(encoding text) returns int[] language plpgsql as $$
      declare found int[];
      begin
        for byte in 128..255 loop
          begin
            found := found || ascii(
              convert_from(convert(set_byte('\\x00', 0, byte), encoding, 'UTF8'), 'UTF8'));
          exception when others then null;
          end;
        end loop;
        return found;
      end $$`);

  it('are known where each of them has one byte, and only then', async () => {
    const own = await postgres().client(
      `select json_object_agg(name, codes(name)) from (
        select pg_encoding_to_char(n) as name from generate_series(1, 34) as n
        where pg_encoding_max_length(n) = 1) as encodings`,
    );
    const encodings = Object.entries(JSON.parse(own) as Record<string, number[]>);
    expect(encodings).toHaveLength(27);
    for (const [name, codes] of encodings) {
      const encoding = encodingOf(name);
      const known = Array.from({ length: 0x3000 }, (_, index) => index + 0x80).filter(
        (code) => lackedCharacter(String.fromCodePoint(code), encoding) === undefined,
      );
      expect([name, known]).toEqual([name, codes.toSorted((one, other) => one - other)]);
    }
    for (const name of ['UTF8', 'SQL_ASCII', 'EUC_JP', 'EUC_KR'])
      expect(encodingOf(name)).toBeUndefined();
  });
});
