import type { EngineSettings } from '@proj/engine';

import type { Settings } from './schema.ts';

/** What of the settings the engine needs. */
export function engineSettings({ database, expose, models, limits }: Settings): EngineSettings {
  return { database, expose, models, maxPageSize: limits.max_page_size, queryTimeoutMs: limits.query_timeout_ms };
}
