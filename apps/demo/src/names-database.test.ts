import { describe, expect, it } from 'vitest';

import { namesDatabase } from './names-database.ts';

describe('pnpm start', () => {
  it.each([
    ['no arguments', [], {}],
    ['another port', ['--port', '4000'], {}],
    ['the command by name', ['serve', '--port', '4000'], {}],
    ['an empty variable', [], { DATABASE_URL: '' }],
  ])('serves the demo with %s', (_case, args, env) => {
    expect(namesDatabase(args, env)).toBe(false);
  });

  it.each([
    ['a database', ['--database', 'sqlite:/data/shop.db'], {}],
    ['a database in one word', ['serve', '--database=sqlite:/data/shop.db'], {}],
    ['a settings file', ['--config', 'dynamic-query.yaml'], {}],
    ['DATABASE_URL', [], { DATABASE_URL: 'sqlite:/data/shop.db' }],
    ['CONFIG', [], { CONFIG: 'dynamic-query.yaml' }],
    ['another command', ['check'], {}],
    ['a call for help', ['--help'], {}],
  ])('leaves the demo aside with %s', (_case, args, env) => {
    expect(namesDatabase(args, env)).toBe(true);
  });
});
