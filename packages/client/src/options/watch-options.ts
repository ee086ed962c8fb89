import { WATCH_EVERY_MS, type RequestedTotal } from '@proj/contract';

import { integerOption } from './integer-option.ts';
import type { AnyModels, AttributeName, ModelName } from './models.ts';
import type { MaybeGrouped, Selection } from './query.ts';
import type { RequestOptions } from './request-options.ts';

export type WatchQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends RequestedTotal = 'exact',
  Named extends string = string,
> = Omit<Selection<Models, Model, Attribute, Total, Named>, 'size'>;

export type AnyWatchQuery = WatchQuery<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

export interface WatchOptions extends RequestOptions {
  /** Minimum milliseconds between two states, 100 to 3,600,000. @default 1000 */
  readonly everyMs?: number;
}

/** @throws {RangeError} when `everyMs` is out of its range */
export function readEveryMs({ everyMs }: WatchOptions): number | undefined {
  const { least, most } = WATCH_EVERY_MS;
  return everyMs === undefined ? undefined : integerOption('everyMs', everyMs, [least, most]);
}
