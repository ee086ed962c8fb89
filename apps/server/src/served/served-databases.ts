import type { Engine } from '@proj/engine';

/** The engine of one database. */
export interface NamedEngine {
  /** The name of the database; undefined where the settings have `database`. */
  readonly name: string | undefined;
  readonly engine: Engine;
}

/** The databases of a service, one by one. */
export interface OpenDatabases {
  /** Each of them, also those that have not answered yet. */
  readonly each: () => readonly NamedEngine[];
  /** Calls back for each that has answered, and for each that does so later. */
  readonly onOpen: (listener: (opened: NamedEngine) => void) => void;
}
