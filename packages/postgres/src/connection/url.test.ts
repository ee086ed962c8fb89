import { expect, it } from 'vitest';

import { readPostgresUrl } from './url.ts';

it('the URL of PostgreSQL names databases with any characters', () => {
  const { client } = readPostgresUrl(
    'postgres://a:b%2Fc@db/sh%C3%B6p%2F1%23%3F%2525?sslmode=prefer',
  );
  expect(client).toMatchObject({ user: 'a', password: 'b/c', database: 'shöp/1#?%25' });
});
