import type { EngineSettings } from '@proj/engine';

import { accelerationOf } from './acceleration.ts';
import { followOf } from './follow.ts';
import { modelSettings } from './model-settings.ts';
import type { Settings } from './schema.ts';

/** What of the settings the engine needs. */
export function engineSettings({
  database,
  pooler,
  follow,
  expose,
  models,
  limits,
  acceleration,
}: Settings): EngineSettings {
  return {
    database,
    pooler,
    follow: followOf(follow),
    expose,
    models: modelSettings(models),
    maxPageSize: limits.max_page_size,
    maxReplyBytes: limits.max_reply_bytes,
    queryTimeoutMs: limits.query_timeout_ms,
    acceleration: { ...accelerationOf(acceleration), indexBuildMs: limits.index_build_ms },
  };
}
