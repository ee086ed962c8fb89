import type { Socket } from 'node:net';

import type { Consumption, Usage } from '../../../limits/counts/rate-limit-state.ts';
import type { ReloadCause, Reloaded } from '../../../reload.ts';
import type { SentSettings } from '../../../settings/sent-settings.ts';
import type { MetricObjects } from './merge-metrics.ts';

export interface StartOrder {
  readonly settings: SentSettings;
  /** The token of this run, where the settings have none. */
  readonly temporaryToken: string | undefined;
  readonly workers: number;
  /** The first one proves declared keys. */
  readonly isFirst: boolean;
  /** Whether it listens while its database is away; not beside others that answer. */
  readonly mayWait: boolean;
}

export interface Started {
  readonly warnings: readonly string[];
  readonly announcement: string;
}

/** With the name of its policy: processes share no objects. */
export type SentConsumption = Omit<Consumption, 'policy'> & { readonly policy: string };

/** The primary process asks a worker. */
export type ToWorker = {
  readonly start: readonly [StartOrder, Started];
  readonly ping: readonly [undefined, void];
  /** Comes with a connection. False where the worker is about to end and does not read it. */
  readonly take: readonly [undefined, boolean];
  /** Checks settings before they are applied. Undefined where nothing has changed. */
  readonly prepare: readonly [
    { readonly settings: SentSettings; readonly cause: ReloadCause },
    Reloaded | undefined,
  ];
  readonly commit: readonly [undefined, void];
  readonly discard: readonly [undefined, void];
  readonly drain: readonly [undefined, void];
  readonly stop: readonly [undefined, void];
  readonly metrics: readonly [undefined, MetricObjects];
  /** An address has sent too many invalid tokens. */
  readonly block: readonly [{ readonly owner: string; readonly resetMs: number }, void];
  /** The position shown to a caller; undefined where unknown. */
  readonly seen: readonly [string, string | undefined];
};

/**
 * Whether a worker has taken it: not one that is about to end. `lost` if it did not arrive. Throws
 * where the worker ended without reading from it.
 */
export type TakeConnection = (connection: Socket) => Promise<boolean | 'lost'>;

/** A worker asks the primary process. */
export type ToPrimary = {
  /** It is ready for connections. Returns the origin of the service. */
  readonly listen: readonly [undefined, string];
  /** It takes connections, and its database is away. */
  readonly waiting: readonly [undefined, void];
  readonly consume: readonly [readonly SentConsumption[], Usage[]];
  /** A query slot of a token, beyond those of each worker. */
  readonly borrow: readonly [
    { readonly token: string; readonly pool: number },
    { readonly granted: boolean; readonly lent: number },
  ];
  readonly giveBack: readonly [string, void];
  /** Whether it may build a page index now. */
  readonly takeTurn: readonly [undefined, boolean];
  readonly endTurn: readonly [undefined, void];
  /** Positions the other workers have shown; undefined where one does not know. */
  readonly seenElsewhere: readonly [string, readonly string[] | undefined];
};
