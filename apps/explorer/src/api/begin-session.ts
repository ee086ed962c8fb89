import type { ModelEntry } from '@proj/client';
import type { QueryClient } from '@tanstack/preact-query';

/** The key of the catalogue in the cache. */
export const MODELS_KEY = ['models'] as const;

/** What a session begins with. */
interface Beginning {
  /** The catalogue by which the token was tried, which is not read once more. */
  readonly models: readonly ModelEntry[];
  readonly signIn: () => void;
}

/** Begins a session. What an earlier token was refused is read again; what is shown stays. */
export function beginSession(cache: QueryClient, { models, signIn }: Beginning): void {
  cache.setQueryData(MODELS_KEY, models);
  signIn();
  void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== MODELS_KEY[0] });
}
