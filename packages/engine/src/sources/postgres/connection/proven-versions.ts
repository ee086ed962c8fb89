import { LRUCache } from 'lru-cache';

import type { Versions } from '../../versions.ts';
import type { Row } from './connection.ts';
import type { SessionStatement } from './running-work.ts';

/** So many definitions of relations are kept. */
const MOST = 1000;

/** A version of which the last reads proved that a relation is defined as it was. */
interface Proven {
  readonly version: string;
  readonly breaks: number;
  /** How many reads in a row had it. */
  readonly times: number;
}

/**
 * Leaves the proof of a definition out of statements, which takes longer to plan than all else in a
 * page. A version names a snapshot, and the catalogue is a part of it: what was proven of one read
 * holds for all that have the same version. The proof is left out while nobody writes, and a
 * statement whose version is another one is sent again with it.
 */
export class ProvenVersions {
  readonly #versions: Versions;
  readonly #proven = new LRUCache<string, Proven>({ max: MOST });

  constructor(versions: Versions) {
    this.#versions = versions;
  }

  /**
   * The row that answers a statement, of which the version is the third value.
   *
   * @param ask sends a statement
   */
  async read(
    session: SessionStatement,
    ask: (session: SessionStatement) => Promise<Row>,
  ): Promise<Row> {
    const { sql, proof } = session.statement;
    if (proof === undefined) return ask(session);
    const { breaks } = this.#versions;
    const last = this.#proven.get(proof);
    if (last !== undefined && last.breaks === breaks && last.times > 1) {
      const unproven = { ...session.statement, sql: sql.replace(proof, () => 'true') };
      const row = await ask({ ...session, statement: unproven });
      if (row[VERSION] === last.version) return row;
    }
    const row = await ask(session);
    const version = row[VERSION] ?? undefined;
    if (version === undefined) {
      this.#proven.delete(proof);
    } else {
      const times = last?.breaks === breaks && last.version === version ? last.times + 1 : 1;
      this.#proven.set(proof, { version, breaks, times });
    }
    return row;
  }
}

const VERSION = 2;
