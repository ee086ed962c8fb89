import type { EngineSettings } from '@proj/engine';

import { accelerationOf } from './acceleration.ts';
import { followOf } from './follow.ts';
import { modelSettings } from './model-settings.ts';
import { replicasOf } from './replicas.ts';
import type { Settings } from './schema.ts';

/** How a service is spread over processes. */
export interface Spread {
  /** How many processes share what the settings allow. */
  readonly workers: number;
  /** As `EngineSettings.takeBuildTurn`. */
  readonly takeBuildTurn: EngineSettings['takeBuildTurn'];
}

/** What of the settings the engine of one process needs. */
export function engineSettings(
  { database, pooler, follow, replicas, expose, models, limits, acceleration }: Settings,
  { workers, takeBuildTurn }: Spread = { workers: 1, takeBuildTurn: undefined },
): EngineSettings {
  const { memoryBytes, ...paths } = accelerationOf(acceleration);
  return {
    database,
    pooler,
    follow: followOf(follow),
    replicas: replicasOf(replicas),
    expose,
    models: modelSettings(models),
    maxPageSize: limits.max_page_size,
    maxUpTo: limits.max_up_to,
    maxReplyBytes: limits.max_reply_bytes,
    queryTimeoutMs: limits.query_timeout_ms,
    acceleration: {
      ...paths,
      memoryBytes: memoryBytes / workers,
      indexBuildMs: limits.index_build_ms,
    },
    processes: workers,
    takeBuildTurn,
  };
}
