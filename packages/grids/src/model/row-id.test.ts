import type { ModelEntry } from '@proj/client';
import { expect, it } from 'vitest';

import { RowError } from '../errors/row-error.ts';
import { rowFilterOf, rowIdOf } from './row-id.ts';

/** A model whose records nobody can name, for the reason that the service says. */
function keyless(reason: Pick<ModelEntry, 'no_key'>): ModelEntry {
  const more = { description: null, attributes: [], default_sort: [], max_page_size: 10 };
  return { name: 'visits', key: [], ...more, ...reason };
}

const START = 'visits has no key by which a grid can tell its records apart: ';

it.each([
  [
    'a date is a part of it',
    { no_key: 'stored_dates' },
    'a part of its key is a date, which SQLite may store in several forms. ' +
      'An operator can declare another `key` for the model, or `type: text` for the date.',
  ],
  [
    'the role does not see it',
    { no_key: 'not_visible' },
    'the token does not see every part of its key. ' +
      'An operator can let the role see every attribute of the key.',
  ],
  [
    'an older service does not say why',
    {},
    'the token sees no whole key of it. ' +
      'An operator can let the role see every attribute of the key.',
  ],
] as const)(
  'a grid that needs a key gets the reason why the model has none and what to do, where %s',
  (_why, reason, rest) => {
    const error = new RowError(400, START + rest);
    expect(() => rowIdOf(keyless(reason), { note: 'x' })).toThrow(error);
    expect(() => rowFilterOf(keyless(reason), '7')).toThrow(error);
  },
);
