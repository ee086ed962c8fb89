import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { installedSchema } from '../src/commands/init.ts';
import { ORDERS, sharedDatabase, useOperator } from './operator.ts';

const operator = useOperator();
const { command } = operator;

/** The schema that a settings file names for editors. */
function schemaNamed(file: string): string | undefined {
  return /^# yaml-language-server: \$schema=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1];
}

describe('dynamic-query init', () => {
  const database = sharedDatabase(`${ORDERS}
    create view customers as select distinct customer from orders;
    create table events (id integer primary key, at datetime);
    insert into events (at) values ('2021-01-01 00:00:00'), ('2021-01-02 00:00:00'), (1609459200);
    create table countries (code text primary key, name text);
    insert into countries values ('at', 'Austria'), ('it', 'Italy');
    create table notes (code text primary key);
    insert into notes values ('a'), (null), (null);
    create table days (day date primary key);
    create table staff (
      id integer primary key, boss_id integer references staff, code text, "boss.code" text);`);
  const directory = dirname(database.slice('sqlite:'.length));
  const file = join(directory, 'shop.yaml');
  const copy = join(directory, 'shop.schema.json');
  let [code, said, text] = [-1, '', ''];
  beforeAll(async () => {
    operator.output = '';
    writeFileSync(copy, 'of an older version');
    const args = ['init', '--database', database, '--output', file];
    code = await command(args, {}, 'npx -y pnpm start');
    [said, text] = [operator.output, readFileSync(file, 'utf8')];
  });

  it('writes a file that check accepts, with every attribute by name and what is left out', async () => {
    expect(code).toBe(0);
    expect(text).toContain('expose: listed');
    expect(text).toContain('      note: {} # text, may be null');
    expect(text).toContain('# customers (view) is left out.');
    expect(await command(['check', '--config', file])).toBe(0);
    expect(operator.output).toContain('So exports end after limits.query_timeout_ms (10000).');
  });

  it('gives a relation another name where a column is named like a path along it', () => {
    expect(parse(text)).toMatchObject({
      models: { staff: { relations: { boss_id_staff: { attributes: ['boss_id'] } } } },
    });
  });

  it('says in a comment how a column of SQLite stores its dates', () => {
    const found =
      'found: 2 × YYYY-MM-DD HH:MM:SS, 1 × integer; say what the numbers count with stored_as';
    expect(text).toContain(`at: {} # timestamp, may be null; ${found}`);
  });

  it('proposes the primary key of a SQLite table that could hold NULL and does not, and says of another why its key is the number of the row', () => {
    expect(text).toContain(
      '  countries:\n    key: [ code ] # no row has NULL there, though SQLite allows it; ' +
        'without this line the key is the number of the row\n    attributes:\n      code: {}',
    );
    expect(text).toContain('# int64; the key, as code is NULL in some row\n      code: {}');
    expect(text).toContain('# int64; the key, as day may be NULL\n      day: {}');
  });

  it('puts a copy of the schema beside the file where no package is installed', () => {
    expect(said).toContain(`Wrote ${file}, and ${copy} for editors.`);
    expect(schemaNamed(file)).toBe('./shop.schema.json');
    const packaged = new URL('../settings.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toEqual(
      JSON.parse(readFileSync(packaged, 'utf8')),
    );
  });

  it('names the next command as the operator started this one', () => {
    expect(said).toContain(`, then: npx -y pnpm start check --config ${file}\n`);
  });

  it('does not overwrite a file', async () => {
    expect(await command(['init', '--database', database, '--output', file])).toBe(1);
    expect(operator.output).toContain('it exists already');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('names the schema of the package that is installed in a folder above, and copies none', async () => {
    const below = join(operator.folder, 'deploy/shop');
    const installed = join(operator.folder, 'node_modules/@proj/server');
    for (const made of [below, installed]) mkdirSync(made, { recursive: true });
    writeFileSync(join(installed, 'settings.schema.json'), '{}');
    const above = '../../node_modules/@proj/server/settings.schema.json';
    const there = join(below, 'shop.yaml');
    expect(await command(['init', '--database', database, '--output', there])).toBe(0);
    expect(schemaNamed(there)).toBe(above);
    expect(existsSync(join(below, above))).toBe(true);
    expect(readdirSync(below)).not.toContain('shop.schema.json');
    expect(installedSchema(operator.folder)).toBe(
      './node_modules/@proj/server/settings.schema.json',
    );
  });

  it('writes to standard output, from the database that the environment names', async () => {
    expect(await command(['init', '--output', '-'], { DATABASE_URL: database })).toBe(0);
    expect(operator.output).toContain('orders:');
  });

  it('says what is missing without a database', async () => {
    expect(await command(['init'])).toBe(2);
    expect(operator.output).toBe(
      'dynamic-query: database: none is given. Pass --database sqlite:/path/to/your.db, or set DATABASE_URL.\n',
    );
  });
});
