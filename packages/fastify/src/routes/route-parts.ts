import type { AnsweringEngine } from '@proj/engine';

import type { Bounds } from '../endpoint/bounds.ts';
import type { AccessChecks } from '../reply/lasting-access.ts';
import type { OpenWatches } from '../reply/open-watches.ts';
import type { RunningExports } from '../reply/running-exports.ts';

/** What the routes of the data are made of. */
export interface RouteParts {
  readonly engine: AnsweringEngine;
  readonly bounds: Bounds;
  readonly checks: AccessChecks;
  readonly exports: RunningExports;
  readonly watches: OpenWatches;
  /** Where callers reach the service, without a trailing slash. */
  readonly publicUrl: string | undefined;
}
