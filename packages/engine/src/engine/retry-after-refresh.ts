import { QueryFailedError, type QueryFailure } from '../errors.ts';

/** Schema readings per query; for `schema_changed` two, as it may change again meanwhile. */
const MOST_REFRESHES: Partial<Record<QueryFailure, number>> = {
  model_unavailable: 1,
  schema_changed: 2,
};

/**
 * @param refresh returns whether to try again
 * @throws whatever the last attempt throws; `model_unreadable` for a `schema_changed` that remains
 */
export async function retryAfterRefresh<Value>(
  attempt: () => Promise<Value>,
  refresh: () => Promise<boolean>,
): Promise<Value> {
  for (let refreshes = 0; ; refreshes++) {
    try {
      return await attempt();
    } catch (error) {
      const most = error instanceof QueryFailedError ? (MOST_REFRESHES[error.code] ?? 0) : 0;
      if (refreshes >= most) throw finalFailure(error);
      if (!(await refresh())) throw error;
    }
  }
}

/** If all that is named is there, but something is missing, the relation's definition is broken. */
function finalFailure(error: unknown): unknown {
  if (!(error instanceof QueryFailedError) || error.code !== 'schema_changed') return error;
  return new QueryFailedError('model_unreadable', error.message, { cause: error });
}
