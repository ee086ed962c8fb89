/**
 * What the parts of a request cost, in microseconds. Times of processors, but for `roundTrip`.
 *
 * The service's were measured: `docs/performance/cpu.md`, PostgreSQL, ten rows a page. The
 * database's and the round trip are assumed, for an index in memory, and were not measured.
 */
export interface Costs {
  /** The service, for every request: its token, limits, body, log line and reply. */
  readonly request: number;
  /** The service, for a page that is read: what it costs more than one that is kept. */
  readonly read: number;
  /** The database, for a check of the version, which all waiting requests of a process share. */
  readonly check: number;
  /** The database, for finding a key and reading the rows of a page from there. */
  readonly seek: number;
  /** The database, for each row that is passed over. */
  readonly skip: number;
  /** The database, for each row that a page index is built from. */
  readonly walk: number;
  /** From the service to the database and back. */
  readonly roundTrip: number;
}

export const COSTS: Costs = {
  request: 115,
  read: 230,
  check: 40,
  seek: 100,
  skip: 0.06,
  walk: 0.6,
  roundTrip: 200,
};
