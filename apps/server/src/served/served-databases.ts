import type { AnsweringEngine, Engine } from '@proj/engine';

import type { KnownModels } from '../access/check-roles.ts';
import type { LoadedSettings } from '../settings/file/load.ts';
import type { Settings } from '../settings/schema.ts';

/** The engine of one database. */
export interface NamedEngine {
  /** The name of the database; undefined where the settings have `database`. */
  readonly name: string | undefined;
  readonly engine: Engine;
}

/** What a reload finds before it. */
export interface ReloadChange {
  /** The settings of the start. */
  readonly started: Settings;
  /** The settings in force. */
  readonly applied: Settings;
  /** What asks for it, as `ReloadCause`. */
  readonly cause: 'settings' | 'operator';
}

/** Databases with other settings, that were checked and are not served yet. */
export interface PreparedDatabases {
  /** The models that would be served at this moment. */
  readonly known: KnownModels;
  /** Lines that an operator should read. */
  readonly lines: readonly string[];
  /** Whether a schema was read again. */
  readonly rereads: boolean;
  /** Serves them, in one synchronous step. */
  apply(): void;
  /** Gives up what was opened for them. */
  discard(): void;
}

/** The databases of a service. */
export interface ServedDatabases {
  /** What answers callers, over all of them. */
  readonly engine: AnsweringEngine;
  /** Each of them, also those that have not answered yet. */
  readonly each: () => readonly NamedEngine[];
  /** Calls back for each that has answered, and for each that does so later. */
  readonly onOpen: (listener: (opened: NamedEngine) => void) => void;
  /**
   * Lets a request with a token pass.
   *
   * @throws {QueryFailedError} `database_unavailable` where it cannot be known who may ask
   */
  readonly demandServing: () => void;
  /**
   * Checks settings as at the start.
   *
   * @throws {SettingsError} naming what does not fit
   * @throws {QueryFailedError} when a database does not answer that is needed for it
   */
  readonly prepare: (loaded: LoadedSettings, change: ReloadChange) => Promise<PreparedDatabases>;
  /**
   * The latest position in the log of a database that this process has shown a caller, as the
   * callers of other processes are named.
   */
  readonly seenBy: (caller: string) => string | undefined;
  readonly close: () => Promise<void>;
}
