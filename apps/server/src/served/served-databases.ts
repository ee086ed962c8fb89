import type { Engine } from '@proj/engine';

export interface NamedEngine {
  /** Undefined where the settings have `database`. */
  readonly name: string | undefined;
  readonly engine: Engine;
}

/** The databases of a service, one by one. */
export interface OpenDatabases {
  /** Also those that have not answered yet. */
  readonly each: () => readonly NamedEngine[];
  /** Calls back for each that has answered, and for each that does so later. */
  readonly onOpen: (listener: (opened: NamedEngine) => void) => void;
}
