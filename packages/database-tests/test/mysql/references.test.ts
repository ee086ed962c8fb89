import { catalogueEntry, EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

const sqlOf = (name: string): string => `
  create database elsewhere;
  create table elsewhere.countries (code int primary key);
  create table towns (id int primary key);
  create table cities (
    id int primary key, country int, town int,
    foreign key (country) references elsewhere.countries (code),
    foreign key (town) references towns (id)
  );
  create user reader@'%';
  grant select on ${name}.* to reader@'%';`;

describeMariadb('the references of tables of MariaDB', () => {
  const mariadb = useMariadb(sqlOf);

  it('stay within the database, and are there for an account that may only read', async () => {
    const engine = await open(mariadb().url.replace('root@', 'reader@'));
    expect(catalogueEntry(engine.catalogue, EVERYTHING, 'cities')?.references).toEqual([
      { name: 'town', inverse: 'cities', attributes: ['town'], model: 'towns', key: ['id'] },
    ]);
  });
});
