import type { Versions } from '@proj/engine/database';
import { LRUCache } from 'lru-cache';

import type { Row } from './connection.ts';
import type { SessionStatement } from './session.ts';

const MOST = 1000;

interface Proven {
  readonly version: string;
  readonly breaks: number;
  readonly times: number;
}

/**
 * Planning the proof of a definition takes longer than the rest of a page. A version names a
 * snapshot, catalogue included, so one proof holds for all reads of it: after several reads of a
 * version it is left out, and sent where the version then differs.
 */
export class ProvenVersions {
  readonly #versions: Versions;
  readonly #proven = new LRUCache<string, Proven>({ max: MOST });

  constructor(versions: Versions) {
    this.#versions = versions;
  }

  /** Answers a statement whose third value is the version. */
  async read(
    statement: SessionStatement,
    ask: (statement: SessionStatement) => Promise<Row>,
  ): Promise<Row> {
    const { sql, proof } = statement;
    if (proof === undefined) return ask(statement);
    const { breaks } = this.#versions;
    const last = this.#proven.get(proof);
    if (last !== undefined && last.breaks === breaks && last.times > 1) {
      const row = await ask({ ...statement, sql: sql.replace(proof, () => 'true') });
      if (row[VERSION] === last.version) return row;
    }
    const row = await ask(statement);
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
