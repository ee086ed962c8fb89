import { expect, it } from 'vitest';

import { errorOf, settingsFile } from '../settings-files.ts';
import { ordersFile, serviceOf } from './service-of-several.ts';

const errorsIn = (text: string): Promise<string> =>
  errorOf({ flags: { config: settingsFile(text) }, env: {} });

it('a database beside databases is an error, with its place and what to do', async () => {
  expect(
    await errorsIn('database: sqlite:a.db\ndatabases: { shop: { url: sqlite:b.db } }\n'),
  ).toMatch(/settings\.yaml:1: database: there are `databases` too\. Leave one of both out\.$/);
});

it('a database of the environment beside databases is an error that names the variable', async () => {
  const config = settingsFile('databases: { shop: { url: sqlite:b.db } }\n');
  const error = await errorOf({ flags: { config }, env: { DATABASE_URL: 'sqlite:a.db' } });
  expect(error).toBe('DATABASE_URL: database: there are `databases` too. Leave one of both out.');
});

it('what each of several databases has for itself is an error beside them', async () => {
  const text = 'expose: all\nmodels: { a: {} }\ndatabases: { shop: { url: sqlite:b.db } }\n';
  expect(await errorsIn(text)).toMatch(
    /:1: expose: each of `databases` has its own\. Write it below one of them\n.*:2: models: each of/,
  );
});

it('a name with a dot, and no database at all, are errors', async () => {
  expect(await errorsIn('databases: { my.shop: { url: sqlite:b.db } }\n')).toMatch(
    /:1: databases\.my\.shop: expected a name of 1 to 32 letters, digits and _, such as `shop`$/,
  );
  expect(await errorsIn('databases: {}\n')).toMatch(/databases: expected one database at least$/);
});

it('what only PostgreSQL can do is refused for a database that is another', async () => {
  const role = 'r: { models: { shop.orders: {} }, database_session: { role: reader } }';
  const error = await errorsIn(
    `databases:\n  pg: { url: 'postgres://db/a' }\n  shop: { url: sqlite:b.db, follow: true }\nroles:\n  ${role}\n`,
  );
  expect(error).toMatch(/:3: databases\.shop\.follow: only changes of a PostgreSQL server/);
  expect(error).toMatch(
    /:5: roles\.r\.database_session: only PostgreSQL can know who asks\. The role reaches the database `shop`\./,
  );
});

it('two models of one name keep the service from starting, and both are named', async () => {
  const databases = {
    a: { url: ordersFile(1).url, expose: 'all', prefix: 'none' },
    b: { url: ordersFile(2).url, expose: 'all', prefix: 'none' },
  };
  await expect(serviceOf({ databases })).rejects.toThrow(
    /^databases: customers is a model of a and of b\. Leave `prefix` out of one of them, or give one of the models another name with `source`\.\ndatabases: orders is/,
  );
});

it('errors of a database name it and its place', async () => {
  const databases = { a: { url: ordersFile(1).url, models: { nothing: {} } } };
  await expect(serviceOf({ databases })).rejects.toThrow(
    /^a: .*settings\.yaml:\d+: models\.nothing: /,
  );
});
