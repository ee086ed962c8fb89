import { QueryClient } from '@tanstack/preact-query';
import { expect, it } from 'vitest';

import { beginSession, MODELS_KEY } from './begin-session.ts';

it('begins a session with the catalogue that its token was tried on, and reads all else again', () => {
  const cache = new QueryClient();
  cache.setQueryData(['page'], 'of an earlier token');
  const shown: unknown[] = [];
  beginSession(cache, { models: [], signIn: () => shown.push(cache.getQueryData(MODELS_KEY)) });
  expect(shown).toEqual([[]]);
  expect(cache.getQueryState(MODELS_KEY)?.isInvalidated).toBe(false);
  expect(cache.getQueryState(['page'])?.isInvalidated).toBe(true);
});
