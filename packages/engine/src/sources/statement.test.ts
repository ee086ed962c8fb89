import { describe, expect, it } from 'vitest';

import { fill, LIMIT, OFFSET } from './statement.ts';

describe('a template', () => {
  it('becomes a statement when its slots are filled, and keeps its other parameters', () => {
    const bytes = Buffer.from('slot');
    const template = {
      sql: 'select',
      parameters: ['a', null, bytes, { slot: 'key', index: 1 }, LIMIT, OFFSET, LIMIT],
    };
    expect(fill(template, { limit: 10, offset: 20n, key: ['x', 'y'] })).toEqual({
      sql: 'select',
      parameters: ['a', null, bytes, 'y', 10, 20n, 10],
    });
  });

  it('can travel to another process before it is filled', () => {
    const template = structuredClone({ sql: 'select', parameters: [LIMIT, OFFSET] });
    expect(fill(template, { limit: 1, offset: 2n }).parameters).toEqual([1, 2n]);
  });
});
