import { expect, it } from 'vitest';

import { saferSearchPath } from './connect.ts';

it.each(['"$user", public', 'pg_catalog, app', '"pg_catalog"', ''])(
  'A search path in which nothing comes before the built-in schema stays as it is: %s',
  (path) => {
    expect(saferSearchPath(path)).toBeUndefined();
  },
);

it.each([
  ['app, pg_catalog', '"app"'],
  ['"$user",PG_CATALOG , "My ""own"" schema, too"', '"$user", "My ""own"" schema, too"'],
  ['App, "pg_catalog", public, pg_catalog', '"app", "public"'],
])(
  'A search path in which another schema comes before the built-in one loses that: %s',
  (path, safer) => {
    expect(saferSearchPath(path)).toBe(safer);
  },
);
