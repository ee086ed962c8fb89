import { setTimeout } from 'node:timers/promises';

import { INVARIANT, PAIR, type Seen } from './invariant.ts';
import { type ReadKind, repeated } from './read-kinds.ts';
import type { ScratchSession } from './scratch-session.ts';

/** In milliseconds. */
const BETWEEN_MS = 5;

type Rows = readonly (readonly unknown[])[];

/** Reads a table wrongly on purpose, each part in a transaction of its own. */
class BrokenReader {
  readonly #session: ScratchSession;
  readonly quoted: string;

  constructor(session: ScratchSession, quoted: string) {
    this.#session = session;
    this.quoted = quoted;
  }

  /** @param columns of the rows in two halves, between which others write */
  async halves(columns: string, more = ''): Promise<Rows> {
    const half = (rest: number) =>
      this.#session.rows(`select ${columns} from ${this.quoted} where id % 2 = ${rest} ${more}`);
    const even = await half(0);
    await setTimeout(BETWEEN_MS);
    return [...even, ...(await half(1))];
  }

  async number(sql: string): Promise<number> {
    const [[value] = []] = await this.#session.rows(sql);
    return Number(value);
  }

  total(): Promise<number> {
    return this.number(`select count(*) from ${this.quoted}`);
  }
}

async function brokenList(reader: BrokenReader): Promise<Seen> {
  const rows = await reader.halves('id, amount');
  return { ...columnsOf(rows), total: await reader.total() };
}

/** Read as the servers of a cluster would without one state. */
const BROKEN_READS: Readonly<Record<ReadKind, (reader: BrokenReader) => Promise<Seen>>> = {
  pages: brokenList,
  exports: brokenList,
  facets: async (reader) => {
    const counted = async (column: string): Promise<number[]> => {
      const rows = await reader.halves(`${column}, count(*)`, `group by ${column}`);
      return rows.flatMap(([value, count]) => repeated(Number(value), Number(count)));
    };
    const [ids, amounts] = [await counted('id'), await counted('amount')];
    return { ids, amounts, total: await reader.total() };
  },
  groups: async (reader) => {
    const rows = await reader.halves('id, sum(amount)', 'group by id');
    const total = await reader.number(`select count(distinct id) from ${reader.quoted}`);
    return { ...columnsOf(rows), total };
  },
  containing: async (reader) => {
    const id = 1 + Math.floor(Math.random() * INVARIANT.records);
    const ids = `${id}, ${id + PAIR}`;
    const named = await reader.number(`select id from ${reader.quoted} where id in (${ids})`);
    return { ...(await brokenList(reader)), named };
  },
};

export function readBrokenOnce(
  kind: ReadKind,
  session: ScratchSession,
  quoted: string,
): Promise<Seen> {
  return BROKEN_READS[kind](new BrokenReader(session, quoted));
}

function columnsOf(rows: Rows): Pick<Seen, 'ids' | 'amounts'> {
  return {
    ids: rows.map(([id]) => Number(id)),
    amounts: rows.map(([, amount]) => Number(amount)),
  };
}
