import { describe, expect, it } from 'vitest';

import { bind, LIMIT, OFFSET } from './statement.ts';

describe('a template', () => {
  it('becomes a statement when its placeholders are bound, and keeps its other parameters', () => {
    const bytes = Buffer.from('bytes');
    const template = {
      sql: 'select',
      parameters: ['a', null, bytes, { placeholder: 'key', index: 1 }, LIMIT, OFFSET, LIMIT],
    };
    expect(bind(template, { limit: 10, offset: 20n, key: ['x', 'y'] })).toEqual({
      sql: 'select',
      parameters: ['a', null, bytes, 'y', 10, 20n, 10],
    });
  });

  it('has no value for a placeholder of a key that is not bound', () => {
    const template = { sql: 'select', parameters: [{ placeholder: 'key', index: 0 }] };
    expect(bind(template, { limit: 1, offset: 0 }).parameters).toEqual([undefined]);
  });
});
