import { expect, it } from 'vitest';

import { readerEnvironment } from '../connection.ts';

it('a reader inherits the time zone and what starts it quickly, and no secret', () => {
  const environment = {
    TZ: 'UTC',
    NODE_COMPILE_CACHE: '/cache',
    DYNAMIC_QUERY_ADMIN_TOKEN: 'secret',
  };
  expect(readerEnvironment(environment)).toEqual({
    TZ: 'UTC',
    NODE_COMPILE_CACHE: '/cache',
    NODE_OPTIONS: expect.any(String),
  });
});

it('a reader has options of Node of its own in place of those of the server', () => {
  const { NODE_OPTIONS } = readerEnvironment({ NODE_OPTIONS: '--inspect' });
  expect(NODE_OPTIONS).toBe('--max-semi-space-size=4');
});
