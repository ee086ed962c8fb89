import type { Versions } from '@proj/engine/database';
import { LRUCache } from 'lru-cache';

import type { Row } from './connection.ts';
import type { SessionStatement } from './session.ts';

/** So many definitions of relations are kept. */
const MOST = 1000;

/** The version at which the last reads have proved the definition of a relation. */
interface Proven {
  readonly version: string;
  readonly breaks: number;
  /** How many reads in a row had it. */
  readonly times: number;
}

/**
 * Leaves out of statements the condition which proves that a relation is defined as it was;
 * planning it takes longer than the rest of a page. A version names a snapshot, which includes the
 * system catalogue, so what one read proved holds for every read with the same version. A statement
 * is sent without the proof after several reads with one version. If its own version is another
 * one, it is sent again with the proof.
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
