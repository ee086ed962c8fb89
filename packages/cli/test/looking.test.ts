import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { problem } from './service/answer.ts';
import { cities, linkedCities } from './service/cities.ts';
import { serve } from './service/serve.ts';

it('lists the models as a table for people', async () => {
  const { url } = await serve(cities(42));
  const { stdout, stderr, exitCode } = await dq(['models'], { url, columns: 100 });
  expect(stdout).toBe(
    [
      'model   attributes  key  largest page  description',
      'cities           7  id            300  Places where people live',
      '',
    ].join('\n'),
  );
  expect([stderr, exitCode]).toEqual(['', 0]);
});

it('prints the catalogue as JSON in a pipe, and on a terminal where it is asked for', async () => {
  const model = cities(42);
  const { url } = await serve(model);
  const piped = await dq(['models'], { url });
  expect(JSON.parse(piped.stdout)).toEqual({ models: [model.entry] });
  const asked = await dq(['models', '--json'], { url, columns: 80 });
  expect(asked.stdout).toBe(piped.stdout);
  expect(JSON.parse((await dq(['models', 'cities'], { url })).stdout)).toEqual(model.entry);
});

it('shows one model with its attributes', async () => {
  const { url } = await serve(cities(42));
  const { stdout } = await dq(['models', 'cities'], { url, columns: 300 });
  expect(stdout).toContain(
    'cities: Places where people live\nkey id; order id; at most 300 records per page\n',
  );
  expect(stdout).toMatch(
    /^name +text +no +=, !=, .*is null, contains, .* +values +As its people write it$/m,
  );
});

it('prints one page as a table, and which records of the list it holds', async () => {
  const { url } = await serve(cities(1234));
  const args = ['query', 'cities', '-a', 'name,population,tags', '--page', '400', '--size', '3'];
  const { stdout, stderr } = await dq(args, { url, columns: 80 });
  expect(stdout.split('\n')).toHaveLength(5);
  expect(stdout).toContain('{"rank":1198}');
  expect(stderr).toBe('records 1,198–1,200 of 1,234\n');
  expect((await dq([...args, '--quiet'], { url, columns: 80 })).stderr).toBe('');
});

it('prints records that are wider than the terminal one attribute a line, and a table where they fit', async () => {
  const { url } = await serve(cities(42));
  const args = ['query', 'cities', '-a', 'id,name,population,tags', '--page', '2', '--size', '3'];
  const narrow = await dq(args, { url, columns: 30 });
  const blocks = narrow.stdout.trimEnd().split('\n\n');
  expect(blocks.map((block) => block.split('\n')[0])).toEqual(['record 4', 'record 5', 'record 6']);
  expect(blocks[0]?.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'record',
    'id',
    'name',
    'population',
    'tags',
  ]);
  expect(narrow.stdout).not.toContain('…');
  expect(narrow.stderr).toBe('records 4–6 of 42\n');
  expect((await dq(args, { url, columns: 200 })).stdout.split('\n')).toHaveLength(5);
  expect((await dq(args, { url })).stdout).toMatch(/^\{"result"/);
});

it('says how old a page may be that a replica has answered, and asks for no older state than the position of --at-least', async () => {
  const asked: unknown[] = [];
  const { url } = await serve(cities(42), {
    after: (answer, { headers, path }) => {
      if (!path.endsWith('/query')) return answer;
      asked.push(headers['data-at-least']);
      return { ...answer, headers: { ...answer.headers, 'data-age': '0.25' } };
    },
  });
  const args = ['query', 'cities', '--size', '2', '--at-least', '0/16B3748'];
  const { stderr } = await dq(args, { url, columns: 80 });
  expect(stderr).toBe('records 1–2 of 42; at most 0.25 s old\n');
  expect(asked).toEqual(['0/16B3748']);
  const wrong = await dq(['export', 'cities', '--at-least', 'not one'], { url });
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toMatch(/^dq: --at-least: expected a position such as "0\/16B3748"/);
});

it('fails where the service does not understand the position of --at-least', async () => {
  const { url } = await serve(cities(42), {
    after: (answer, { headers }) =>
      headers['data-at-least'] === undefined ? answer : problem('invalid_position'),
  });
  const { exitCode, stdout, stderr } = await dq(['query', 'cities', '--at-least', 'typo'], { url });
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('position');
});

it('prints the reply of the wire in a pipe, members in the order of the request', async () => {
  const { url } = await serve(cities(42));
  const { stdout, stderr } = await dq(
    ['query', 'cities', '-a', 'population,id', '--size', '2', '--page', '21'],
    { url },
  );
  expect(stdout).toBe(
    '{"result":[{"population":null,"id":"9007199254741033"},{"population":"1000","id":"9007199254741034"}],' +
      '"page":{"page":"21","size":"2","total":"42","has_next":false}}\n',
  );
  expect(stderr).toBe('');
});

it('takes attributes and orders in the order in which their flags are repeated', async () => {
  const { url, queries } = await serve(cities(3));
  const attributes = ['-a', 'name,id', '-a', 'population'];
  const sort = ['--sort', '-name', '--sort', 'population:nulls-first,id'];
  const { stdout } = await dq(['query', 'cities', ...attributes, ...sort], { url });
  expect(JSON.parse(queries[0] ?? '')).toMatchObject({
    query_attributes: ['name', 'id', 'population'],
    query_sort: [{ attribute: 'name' }, { attribute: 'population' }, { attribute: 'id' }],
  });
  expect(stdout).toMatch(/^\{"result":\[\{"name":[^,]*,"id":[^,]*,"population":/);
});

it.each([
  [['-a', 'name,name'], '--attributes: "name" is named twice. Name each attribute once.'],
  [
    ['--size', '301'],
    '--size: 301 is more than the 300 records that a page of cities can have. Pass --size 300 or less.',
  ],
])('refuses %j before anything is read', async (flags, complaint) => {
  const { url, queries } = await serve(cities(3));
  const { stderr, exitCode } = await dq(['query', 'cities', ...flags], { url });
  expect([stderr, exitCode, queries]).toEqual([`dq: ${complaint}\n`, 2, []]);
});

it('says how many attributes are named, or how many the model has, where a request takes fewer', async () => {
  const { entry, ...model } = cities(1);
  const [first] = entry.attributes;
  const names = Array.from({ length: 301 }, (_, index) => `a${index}`);
  const attributes = names.map((name) => ({ ...first, name })) as typeof entry.attributes;
  const { url } = await serve({ ...model, entry: { ...entry, attributes } });
  const named = await dq(['query', 'cities', '-a', names.slice(1).join(',')], { url });
  expect([named.stderr, named.exitCode]).toEqual([
    'dq: --attributes: 300 are named. Name at most 200.\n',
    2,
  ]);
  const all = await dq(['query', 'cities'], { url });
  expect(all.stderr).toBe(
    'dq: cities has 301 attributes, and a request takes at most 200. Name those you need with --attributes.\n',
  );
});

it('shows what the attributes of a model refer to', async () => {
  const { entry, ...model } = cities(1);
  const references = [{ attributes: ['id', 'name'], model: 'places', key: ['number', 'label'] }];
  const { url } = await serve({ ...model, entry: { ...entry, references } });
  const { stdout } = await dq(['models', 'cities'], { url, columns: 200 });
  expect(stdout).toContain('\nid, name refers to places (number, label)\n');
});

it.each([
  ['query', '--attributes: ', '-a'],
  ['query', '--sort: ', '--sort'],
  ['query', '--filter: column 1: ', '-f', ' is null'],
  ['groups', '--by: ', '--by'],
  ['facets', ''],
])('says in %s %show many relations a path may pass', async (command, place, ...around) => {
  const { url } = await serve(linkedCities());
  const [flag, more = ''] = around;
  const path = 'parent.parent.parent.parent.name';
  const args = flag === undefined ? [path] : [flag, path + more];
  const { stderr, exitCode } = await dq([command, 'cities', ...args], { url });
  expect(stderr).toContain(
    `dq: ${place}"${path}" passes more than 3 relations, the most that a path may.`,
  );
  expect(exitCode).toBe(2);
});

it('shows the relations by which paths lead on, and the names for conditions on related records', async () => {
  const { url } = await serve(linkedCities());
  const { stdout } = await dq(['models', 'cities'], { url, columns: 200 });
  expect(stdout).toContain(
    '\nparent: parent_id refers to cities (id)\n' +
      'parts (some, none): parent_id of cities refers to this\n',
  );
});

it.each([
  ['none', 1, 'records 1–20; more follow\n', { total: null, has_next: true }],
  ['none', 3, 'records 41–42; no more follow\n', { total: null, has_next: false }],
  ['none', 4, 'no records on page 4\n', { total: null, has_next: false }],
  [
    '30',
    2,
    'records 21–40 of at least 31; more follow\n',
    { total: null, total_at_least: '31', has_next: true },
  ],
  ['42', 2, 'records 21–40 of 42\n', { total: '42', has_next: true }],
  ['exact', 2, 'records 21–40 of 42\n', { total: '42', has_next: true }],
])('asks for as much of the total as --total %s says: page %i', async (total, page, line, said) => {
  const { url } = await serve(cities(42));
  const args = ['query', 'cities', '-a', 'id', '--total', total, '--page', String(page)];
  expect((await dq(args, { url, columns: 80 })).stderr).toBe(line);
  const reply: unknown = JSON.parse((await dq(args, { url })).stdout);
  expect(reply).toMatchObject({ page: { page: String(page), size: '20', ...said } });
});

it.each(['0', 'some', '-1', '1.5'])('refuses --total %s', async (total) => {
  const { stderr, exitCode } = await dq(['query', 'cities', '--total', total], { url: 'http://x' });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--total')]);
});

it('says that a page past the end is empty', async () => {
  const { url } = await serve(cities(42));
  const { stderr, exitCode } = await dq(['query', 'cities', '--page', '9'], { url, columns: 80 });
  expect([stderr, exitCode]).toEqual(['no records on page 9; 42 in all\n', 0]);
});

/**
 * ESC, CSI of C1, BEL, BS, CR, a turn of direction, an isolate, and a line end of the data itself.
 */
const HOSTILE = 'a\u001b]0;owned\u0007\u009b31m\b\r\u202e\u2066\n\u007f';

// oxlint-disable-next-line eslint/no-control-regex -- they are what must not be there
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

function hostileCities() {
  const model = cities(2);
  model.records = model.records.map((record) => ({
    ...record,
    name: HOSTILE,
    tags: { [HOSTILE]: HOSTILE },
  }));
  return { ...model, entry: { ...model.entry, description: HOSTILE } };
}

it.each([
  [['query', 'cities']],
  [['query', 'cities', '--json']],
  [['models']],
  [['models', '--json']],
  [['models', 'cities']],
  [['export', 'cities']],
  [['export', 'cities', '--format', 'json']],
  [['export', 'cities', '--format', 'csv']],
  [['types']],
])('lets nothing of the data command the terminal in %j', async (args) => {
  const { url } = await serve(hostileCities());
  const { stdout, exitCode } = await dq(args, { url, columns: 400 });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('owned');
  expect(stdout.replaceAll('\r\n', '\n')).not.toMatch(OBEYED);
});

it('keeps the meaning of JSON that it writes to a terminal, and every byte in a pipe', async () => {
  const model = hostileCities();
  const { url } = await serve(model);
  const shown = await dq(['query', 'cities', '--json'], { url, columns: 80 });
  expect(JSON.parse(shown.stdout).result).toEqual(model.records);
  const lines = (await dq(['export', 'cities'], { url, columns: 80 })).stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(model.records);
  const { stdout } = await dq(['export', 'cities', '-a', 'name', '--format', 'csv'], { url });
  expect(stdout).toBe(`name\r\n"${HOSTILE}"\r\n"${HOSTILE}"\r\n`);
});

it('prints the page that holds a record, and which one it is', async () => {
  const { url } = await serve(cities(1234));
  const key = `id=${9_007_199_254_740_993n + 99n}`;
  const args = ['page-of', 'cities', key, '-a', 'id,name', '--size', '7'];
  const { stdout, stderr, exitCode } = await dq(args, { url, columns: 80 });
  expect(stdout).toContain('9007199254741092');
  expect([stderr, exitCode]).toEqual(['page 15: records 99–105 of 1,234\n', 0]);
  const alone = await dq(args.with(2, key.slice(3)), { url, columns: 80 });
  expect(alone.stdout).toBe(stdout);
  const json = await dq(['page-of', 'cities', key, '--sort', '-id', '--json'], { url });
  expect(JSON.parse(json.stdout)).toMatchObject({ page: { page: '57', total: '1234' } });
});

it('counts the total beside the page of a record no further than --total says', async () => {
  const { url } = await serve(cities(1234));
  const key = `id=${9_007_199_254_740_993n + 99n}`;
  const args = ['page-of', 'cities', key, '-a', 'id', '--size', '7', '--total'];
  const { stderr } = await dq([...args, '1000'], { url, columns: 80 });
  expect(stderr).toBe('page 15: records 99–105 of at least 1,001; more follow\n');
  const json = await dq([...args, '1000', '--json'], { url });
  expect(JSON.parse(json.stdout).page).toMatchObject({ total: null, total_at_least: '1001' });
  const none = await dq([...args, 'none'], { url });
  expect(none.stderr).toContain('Expected exact or a whole number from 1.');
  expect(none.exitCode).toBe(2);
});

it.each([
  [[], "missing required argument 'key'", 2],
  [['name=x'], '"name=x" names no part of the key of cities, which is id.', 2],
  [['id=1', 'id=2'], 'name one record of cities by its key: id=…', 2],
  [['id=7'], 'the list has no record with this key', 1],
  [['id=x'], 'dq: id: expected a whole number; got "x".', 2],
])('says what is wrong with the key %j of a record', async (key, complaint, exitCode) => {
  const { url } = await serve(cities(42));
  const failed = await dq(['page-of', 'cities', ...key], { url });
  expect(failed.stderr).toContain(complaint);
  expect(failed.exitCode).toBe(exitCode);
});
