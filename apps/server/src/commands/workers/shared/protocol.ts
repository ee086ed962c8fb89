import type { Consumption, Usage } from '../../../limits/counts/rate-limit-state.ts';
import type { ReloadCause } from '../../../reload.ts';
import type { SentSettings } from '../../../settings/sent-settings.ts';
import type { MetricObjects } from './merge-metrics.ts';

/** What a worker begins with. */
export interface StartOrder {
  readonly settings: SentSettings;
  /** The token of this run, where the settings have none. */
  readonly temporaryToken: string | undefined;
  /** How many workers there are. */
  readonly workers: number;
  /** Whether it is the first one, which proves declared keys. */
  readonly isFirst: boolean;
  /** Whether it listens while its database is away; one beside others that answer does not. */
  readonly mayWait: boolean;
}

/** What an operator reads when a worker answers. */
export interface Started {
  readonly warnings: readonly string[];
  readonly announcement: string;
}

/** What a worker has checked, and is about to apply. */
export interface PreparedNote {
  /** Lines for the operator. */
  readonly lines: readonly string[];
  /** Whether the schema was read again. */
  readonly rereads: boolean;
  /** How many models are served then. */
  readonly models: number;
}

/** What is to be counted, with the name of its policy: processes share no objects. */
export type SentConsumption = Omit<Consumption, 'policy'> & { readonly policy: string };

/** What the primary process asks of a worker. */
export type ToWorker = {
  readonly start: readonly [StartOrder, Started];
  /** Whether it answers. */
  readonly ping: readonly [undefined, void];
  /** A connection comes with it. False where the worker is about to end and does not read it. */
  readonly take: readonly [undefined, boolean];
  /** Checks settings, which are not in force yet. Undefined where nothing has changed. */
  readonly prepare: readonly [
    { readonly settings: SentSettings; readonly cause: ReloadCause },
    PreparedNote | undefined,
  ];
  readonly commit: readonly [undefined, void];
  readonly discard: readonly [undefined, void];
  readonly drain: readonly [undefined, void];
  /** Answers what is in flight, and ends. */
  readonly stop: readonly [undefined, void];
  readonly metrics: readonly [undefined, MetricObjects];
  /** An address has sent too many invalid tokens. */
  readonly block: readonly [{ readonly owner: string; readonly resetMs: number }, void];
  /** Up to which position it has shown the state to a caller; undefined where it does not know. */
  readonly seen: readonly [string, string | undefined];
};

/** What a worker asks of the primary process. */
export type ToPrimary = {
  /** It is ready for connections. The answer is the origin at which the service is reached. */
  readonly listen: readonly [undefined, string];
  /** It takes connections, and its database is away. */
  readonly waiting: readonly [undefined, void];
  readonly consume: readonly [readonly SentConsumption[], Usage[]];
  /** A slot for a query of a token, beyond those that each worker has. */
  readonly borrow: readonly [
    { readonly token: string; readonly pool: number },
    { readonly granted: boolean; readonly lent: number },
  ];
  readonly giveBack: readonly [string, void];
  /** Whether it may build a page index now. */
  readonly takeTurn: readonly [undefined, boolean];
  readonly endTurn: readonly [undefined, void];
  /** Up to which positions the other workers have; undefined where one of them does not know. */
  readonly seenElsewhere: readonly [string, readonly string[] | undefined];
};
