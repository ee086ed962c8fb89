import { QueryFailedError, type QueryFailure } from '../errors.ts';

/**
 * How often the schema is read again for one query. Once for `model_unavailable`, since the missing
 * part may be back; twice for `schema_changed`, since the schema may change again during the second
 * attempt.
 */
const MOST_REFRESHES: Partial<Record<QueryFailure, number>> = {
  model_unavailable: 1,
  schema_changed: 2,
};

/**
 * Attempts a query again after the schema was read again, as long as it fails because of the
 * schema.
 *
 * @param refresh reads the schema again; returns whether the query may be attempted again
 * @throws whatever the last attempt throws; `model_unreadable` in place of a `schema_changed` that
 *   remains
 */
export async function retryAfterRefresh<Value>(
  attempt: () => Promise<Value>,
  refresh: () => Promise<boolean>,
): Promise<Value> {
  for (let refreshes = 0; ; refreshes++) {
    try {
      return await attempt();
    } catch (error) {
      if (refreshes >= mostRefreshes(error)) throw finalFailure(error);
      if (!(await refresh())) throw error;
    }
  }
}

function mostRefreshes(error: unknown): number {
  return error instanceof QueryFailedError ? (MOST_REFRESHES[error.code] ?? 0) : 0;
}

/**
 * The error after the last attempt. If everything that the query names is there and the database
 * still reports something missing, the definition of the relation is broken.
 */
function finalFailure(error: unknown): unknown {
  if (!(error instanceof QueryFailedError) || error.code !== 'schema_changed') return error;
  return new QueryFailedError('model_unreadable', error.message, { cause: error });
}
