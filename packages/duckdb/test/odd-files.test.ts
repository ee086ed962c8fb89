import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { execute, newFolder, open, openOver, pageOf } from './opened.ts';

function writeAll(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** What all files of a pattern show, from a row on. */
async function shown(pattern: string, attributes: readonly string[], row = 0): Promise<unknown[]> {
  const engine = await open({ duckdb: { files: { t: { files: pattern, numbersRows: true } } } });
  const known = [...(engine.catalogue.get('t')?.attributes.keys() ?? [])];
  expect(known).toEqual(['row', ...attributes]);
  const query_filter = { attribute: 'row', op: 'gte', value: row };
  const asked = { query_model: 't', query_attributes: attributes, query_filter };
  return (await pageOf(engine, asked)).records;
}

it('a list that cannot be read leaves others alone, and is back with its files', async () => {
  const folder = newFolder();
  writeAll(folder, { 'good.csv': 'id\n1\n', 'bad.csv': 'id\n2\n', 'worse.parquet': '' });
  const files = Object.fromEntries(
    ['good.csv', 'bad.csv', 'worse.parquet', 'gone.json'].map((name) => {
      return [name.split('.')[0], { files: join(folder, name), numbersRows: true }];
    }),
  );
  const engine = await open({ duckdb: { files } });
  const ask = (query_model: string) => pageOf(engine, { query_model, query_attributes: ['id'] });
  const replace = (name: string, text: string | Uint8Array): void => {
    writeFileSync(join(folder, '.new'), text);
    renameSync(join(folder, '.new'), join(folder, name));
  };
  expect([...engine.catalogue.keys()].toSorted()).toEqual(['bad', 'good']);
  expect(await ask('bad')).toEqual({ total: '1', records: [{ id: '2' }] });
  replace('bad.csv', Uint8Array.from([...Buffer.from('id\n3\n'), 0xff, 0x0a]));
  await expect(ask('bad')).rejects.toMatchObject({ code: 'model_unavailable' });
  expect(await ask('good')).toEqual({ total: '1', records: [{ id: '1' }] });
  replace('bad.csv', 'id\n4\n');
  const answered = () => ask('bad').catch(() => undefined);
  await expect.poll(answered).toEqual({ total: '1', records: [{ id: '4' }] });
});

it('empty files have no rows and no columns, and a byte order mark is no part of a name', async () => {
  const folder = newFolder();
  writeAll(folder, {
    'a.csv': '',
    'b.csv': '\uFEFFid,"a ""b"""\r\n1,"x\ny"\r\n',
    'c.csv': 'id\r\n',
  });
  expect(await shown(join(folder, '*.csv'), ['id', 'a "b"'])).toEqual([
    { id: '1', 'a "b"': 'x\ny' },
  ]);
});

it('a CSV file whose lines end in two ways is refused, with what to look for', async () => {
  const folder = newFolder();
  writeAll(folder, { 'a.csv': 'id,b\r\n1,x\r\n2,y\n3,z\r\n', 'b.csv': 'id\n1' });
  await expect(shown(join(folder, '*.csv'), [])).rejects.toThrow(
    /detect the CSV parsing dialect \(Do all lines of each file end in one way\?\)$/m,
  );
});

it.each([
  ['a.csv', '\nid,v\n1,a\n', 'Line: 2'],
  ['a.jsonl', '\uFEFF{"id":1}\n', /Malformed JSON.*supported\.$/],
])('%s that cannot be read from its beginning is refused: %j', async (name, text, reason) => {
  const folder = newFolder();
  writeAll(folder, { [name]: text });
  await expect(shown(join(folder, name), [])).rejects.toThrow(reason);
});

it('names of files may hold what has a meaning in patterns or in SQL', async () => {
  const folder = newFolder();
  const names = ["it's [x]{y}*?.csv", 'é 😀\n.csv', 'a,b;c=d.csv'];
  writeAll(folder, Object.fromEntries(names.map((name) => [name, 'name\nfound\n'])));
  expect(await shown(join(folder, '*.csv'), ['name'])).toHaveLength(names.length);
  expect(await shown(join(folder, 'é ?\n.csv'), ['name'])).toHaveLength(1);
});

it('values that are nested deeply are shown as they are', async () => {
  const folder = newFolder();
  const deep = `${'['.repeat(60)}1.5${']'.repeat(60)}`;
  writeAll(folder, { 'a.jsonl': `{"d":${deep},"s":{"a":{"b":[{"c":{"e":[{"f":2.5}]}}]}}}\n` });
  const engine = await open({
    duckdb: { files: { t: { files: join(folder, 'a.jsonl'), numbersRows: true } } },
  });
  const asked = { query_model: 't', query_attributes: ['d', 's'], page: { page: 1, size: 1 } };
  const { result } = await engine.query(asked, EVERYTHING);
  expect(result).toBe(`[{"d":${deep},"s":{"a":{"b":[{"c":{"e":[{"f":2.5}]}}]}}}]`);
});

it.each([
  ['gone.csv', undefined],
  ['other.csv', Buffer.from('name\ncaf\u00e9\n', 'latin1')],
])('the reason why %s cannot be read says nothing of the ends of lines', async (name, bytes) => {
  const folder = newFolder();
  writeAll(folder, { 'good.csv': 'id\n1\n' });
  if (bytes !== undefined) writeFileSync(join(folder, name), bytes);
  const files = { good: { files: join(folder, 'good.csv') }, t: { files: join(folder, name) } };
  const engine = await open({ duckdb: { files }, models: { good: { key: ['id'] } } });
  const problem = engine.reports.find(({ model }) => model === 't')?.problem;
  expect(problem).toContain('cannot be read');
  expect(problem).not.toContain('lines');
});

it.each([
  ['csv', 'id\n', '1\n', '1.5\n', { id: 1.5 }],
  ['csv', 'id\n', '1\n', 'x\n', { id: 'x' }],
  ['jsonl', '', '{"id":1}\n', '{"id":1.5}\n', { id: 1.5 }],
  ['jsonl', '', '{"id":1}\n', '{"id":{"a":1}}\n', { id: { a: 1 } }],
  ['jsonl', '', '{"id":1}\n', '{"v":2}\n', { id: null, v: '2' }],
  ['jsonl', '', '{"o":{"a":1}}\n', '{"o":{"b":2}}\n', { o: { a: null, b: '2' } }],
])('a line of %s is shown whole, however late, as %j, %j and %j', async (...lines) => {
  const [format, head, line, last, record] = lines;
  const folder = newFolder();
  writeAll(folder, { [`t.${format}`]: head + line.repeat(30_000) + last });
  const records = await shown(join(folder, `*.${format}`), Object.keys(record), 30_000);
  expect(records).toEqual([record]);
});

it('a file with damaged pages is an error of the database, not of the service', async () => {
  const folder = newFolder();
  const path = join(folder, 'a.parquet');
  const rows = "select i as id, 'text ' || hash(i) as v from range(5000) r(i)";
  await execute([`copy (${rows}) to '${path}' (format parquet, compression gzip)`]);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, 40_000, 41_000));
  const engine = await open({ duckdb: { files: { t: { files: path, numbersRows: true } } } });
  const query_sort = [{ attribute: 'v', direction: 'asc' }];
  const asked = pageOf(engine, { query_model: 't', query_attributes: ['v'], query_sort });
  await expect(asked).rejects.toMatchObject({ code: 'database_unavailable' });
});

it('a file whose name is a pattern is read alone', async () => {
  const folder = newFolder();
  for (const name of ['a*', 'ab', 'q?', 'qx', 'b[x]', 'bx', 'd*/x', 'dd/x']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const to = `${join(folder, name)}.csv`;
    await execute([`copy (select '${name}' as name) to '${to.replace('.csv', '.parquet')}'`]);
    writeFileSync(to, `name\n${name}\n`);
  }
  for (const ending of ['csv', 'parquet']) {
    const found = [...(await shown(join(folder, `*.${ending}`), ['name']))];
    expect(found.map((one) => (one as { name: string }).name).toSorted()).toEqual([
      'a*',
      'ab',
      'b[x]',
      'bx',
      'q?',
      'qx',
    ]);
    expect(await shown(join(folder, `d*/*.${ending}`), ['name'])).toHaveLength(2);
  }
});

it('no line of a CSV file is left out, whatever it begins with and however short it is', async () => {
  const folder = newFolder();
  writeAll(folder, {
    'hash.csv': 'id,v\n#1,a\n2,b\n',
    'short.csv': 'name\n"a,b"\nc,d\n',
    'shorter.csv': 'id,name\n1,a\n2,b,c\n',
  });
  const rowsOf = async (name: string, ...attributes: string[]): Promise<unknown[]> =>
    (await shown(join(folder, name), attributes)).map((one) => Object.values(one as object));
  expect(await rowsOf('hash.csv', 'id', 'v')).toEqual([
    ['#1', 'a'],
    ['2', 'b'],
  ]);
  expect(await rowsOf('short.csv', 'name')).toEqual([['a,b'], ['c,d']]);
  expect(await rowsOf('shorter.csv', 'id,name')).toEqual([['1,a'], ['2,b,c']]);
});

it('partitions are attributes with any value, where all folders have one', async () => {
  const folder = newFolder();
  const values = { 'a%2Fb': 'a/b', "it's": "it's", __HIVE_DEFAULT_PARTITION__: null, '07': '07' };
  for (const value of Object.keys(values)) writeAll(folder, { [`ok/c=${value}/x.csv`]: 'id\n1\n' });
  writeAll(folder, { 'not/c=x=y/x.csv': 'id\n1\n', 'not/c=1/x.csv': 'id\n1\n' });
  const found = await shown(join(folder, 'ok/**/*.csv'), ['id', 'c']);
  const expected = Object.values(values).map((c) => ({ id: '1', c }));
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(await shown(join(folder, 'not/**/*.csv'), ['id'])).toHaveLength(2);
});

it('a partition has the value of its folder, whatever its only file holds', async () => {
  const [folder, id] = [join(newFolder(), 'year=2026'), 'range(9) r(id)'];
  mkdirSync(folder);
  const rows = `select id, 1 as part, 5 + id % 7 as year from ${id}`;
  await execute([`copy (${rows}) to '${folder}/a.parquet'`]);
  const files = join(dirname(folder), '*/*.parquet');
  const engine = await open({ duckdb: { files: { t: { files, numbersRows: true } } } });
  const query_aggregates = [{ name: 'most', op: 'max', attribute: 'year' }];
  for (const query_groups of [['year'], ['part']]) {
    const query_attributes = [...query_groups, 'most'];
    const asked = { query_model: 't', query_attributes, query_groups, query_aggregates };
    expect((await pageOf(engine, asked)).records).toMatchObject([{ most: '2026' }]);
  }
});

it('links to folders are not followed where any folder is meant', async () => {
  const folder = newFolder();
  writeAll(folder, { 'in/a.csv': 'id\n1\n', 'out/b.csv': 'id\n2\n' });
  symlinkSync(join(folder, 'in'), join(folder, 'in/loop'));
  symlinkSync(join(folder, 'out'), join(folder, 'in/other'));
  expect(await shown(join(folder, 'in/**/*.csv'), ['id'])).toEqual([{ id: '1' }]);
});

it('bins of nanoseconds hold all values between the least and the greatest', async () => {
  const engine = await openOver([
    'create table kept (id integer primary key, n timestamp_ns, t time_ns)',
    `insert into kept values (1, '2026-01-31 01:02:03.123456789', '01:02:03.123456789'),
      (2, '2026-02-01 00:00:00.000000001', '23:00:00.000000001'), (3, null, null)`,
  ]);
  const query_facets = ['n', 't'].map((attribute) => ({ attribute, bins: 2 }));
  const { json } = await engine.facets({ query_model: 'kept', query_facets }, EVERYTHING);
  const { facets } = JSON.parse(json) as { readonly facets: readonly object[] };
  for (const facet of facets)
    expect(facet).toMatchObject({
      bins: [{ count: '1' }, { count: '1' }],
      nulls: '1',
      others: '0',
    });
});
