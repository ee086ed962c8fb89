import { expect, it } from 'vitest';

import { readerEnvironment } from './reader-environment.ts';

it('a reader inherits the time zone and what starts it quickly, and no secret', () => {
  const environment = { TZ: 'UTC', NODE_COMPILE_CACHE: '/cache', DYNAMIC_QUERY_TOKEN: 'secret' };
  expect(readerEnvironment(environment)).toEqual({ TZ: 'UTC', NODE_COMPILE_CACHE: '/cache' });
});
