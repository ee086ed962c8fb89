import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { type Deadline, remainingMs, withDeadline } from '../../deadline.ts';
import type { KeysRead, Reads, SortEstimate } from '../../sources/source.ts';
import { type Key, rangeFrom } from '../../sql/clauses/seek.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';
import type { KeptTotal } from '../reader.ts';
import { FEWEST_ROWS, keysStatement, MOST_ROWS, walkKeys, WalkPace } from './key-walk.ts';

/** Per index; no more than the database sorts in memory. */
export const SORT_BYTES = 32 * 2 ** 20;

/** In milliseconds. A slower chunk has no index to read from. */
const LONGEST_CHUNK_MS = 2000;

/** `outdated` by a write; `refused` for a large sort or without an index; `failed`: no answer. */
export type KeyReading = 'built' | 'outdated' | 'refused' | 'failed';

export interface KeyReaderParts {
  readonly source: Reads<'keys' | 'sort'>;
  readonly query: PreparedQuery;
  readonly known: KeptTotal;
  readonly step: number;
  readonly keys: Key[];
  readonly call: Deadline;
}

/** Sorting exceeds memory, or no index finds a key. */
class IndexRefusedError extends Error {}

/** Walks along a database index with pauses, else sorts the list once, if it fits into memory. */
export class KeyReader {
  readonly #parts: KeyReaderParts;
  readonly #harmless = new Set<string>();
  #lastChunkMs = 0;

  constructor(parts: KeyReaderParts) {
    this.#parts = parts;
  }

  async read(): Promise<KeyReading> {
    try {
      const whole = await this.#estimateFirst(this.#wholeSize, true);
      // Whether the planner would sort, within memory.
      const sorts = whole.rows > 0 && this.#fits(whole);
      return sorts ? await this.#readSorted(whole) : await this.#walk();
    } catch (error) {
      if (error instanceof IndexRefusedError) return 'refused';
      throw error;
    }
  }

  /** One row more than the list has reads it to its end. */
  get #wholeSize(): number {
    return Number(this.#parts.known.total) + 1;
  }

  #readSorted({ isBounded = false }: SortEstimate): Promise<KeyReading> {
    const { query, step } = this.#parts;
    const longestMs = isBounded ? Infinity : LONGEST_CHUNK_MS;
    const [chunkRows, maySort] = [() => this.#wholeSize, true];
    const read = (statement: KeysStatement): Promise<KeysRead> => this.#timed(statement, longestMs);
    return this.#collect({ query, step, chunkRows, maySort, read });
  }

  async #walk(): Promise<KeyReading> {
    const { query, step } = this.#parts;
    const mostRows = await this.#mostRowsOfChunk();
    const pace = new WalkPace(mostRows);
    const read = async (statement: KeysStatement): Promise<KeysRead> => {
      await sleep(this.#lastChunkMs, undefined, { signal: this.#parts.call.signal });
      await this.#refuseSort(statement, mostRows);
      const keys = await this.#timed(statement);
      pace.note(this.#lastChunkMs);
      return keys;
    };
    return this.#collect({ query, step, chunkRows: () => pace.rows, maySort: false, read });
  }

  /** Fewer where the database holds chunks of wide rows in memory. */
  async #mostRowsOfChunk(): Promise<number> {
    const estimate = await this.#estimateFirst(MOST_ROWS, false);
    if (this.#fits(estimate)) return MOST_ROWS;
    return Math.max(FEWEST_ROWS, Math.floor(memoryOf(estimate) / estimate.rowBytes));
  }

  #estimateFirst(size: number, maySort: boolean): Promise<SortEstimate> {
    const { query, step, source, call } = this.#parts;
    const [range] = query.keyRanges();
    const bindings = { key: [], size, offset: 0n };
    const statement = range && keysStatement({ query, step, maySort }, range, bindings);
    if (statement === undefined) throw new IndexRefusedError('The database has no keys.');
    return source.read({ kind: 'sort', asked: statement }, call);
  }

  async #collect(walk: Parameters<typeof walkKeys>[0]): Promise<KeyReading> {
    const { known, keys } = this.#parts;
    let rows = 0n;
    for await (const chunk of walkKeys(walk)) {
      if (chunk.version !== known.version) return 'outdated';
      if (rows === 0n) await this.#refusePassing(chunk.last);
      for (const key of chunk.keys) keys.push(key);
      rows += BigInt(chunk.rows);
      // Seeking rows behind the last may take a pass over the list.
      if (rows === known.total) break;
    }
    // With one version for all chunks, another number can only be our fault.
    return rows === known.total ? 'built' : 'failed';
  }

  async #refuseSort(statement: KeysStatement, mostRows: number): Promise<void> {
    const { sql } = statement.rows;
    if (this.#harmless.has(sql)) return;
    // The limit is bound, and later chunks have a larger one.
    const bindings = { ...statement.bindings, size: mostRows };
    const { source, call } = this.#parts;
    const estimate = await source.read({ kind: 'sort', asked: { ...statement, bindings } }, call);
    if (!this.#fits(estimate)) throw new IndexRefusedError('The list would have to be sorted.');
    this.#harmless.add(sql);
  }

  /** @throws {IndexRefusedError} where policies keep the key from narrowing the index search */
  async #refusePassing(key: Key | undefined): Promise<void> {
    const { query, source, call } = this.#parts;
    if (query.plan.session === undefined || key === undefined) return;
    const first = await this.#estimateFirst(FEWEST_ROWS, false);
    const walk = { ...this.#parts, maySort: false };
    const asked = keysStatement(walk, rangeFrom(key), { key, size: FEWEST_ROWS, offset: 0n });
    if (asked === undefined) return;
    const { rows, conditions } = await source.read({ kind: 'sort', asked }, call);
    if (conditions !== undefined && rows === 0 && isDeepStrictEqual(conditions, first.conditions))
      throw new IndexRefusedError('No index leads to the keys of the list.');
  }

  #fits(estimate: SortEstimate): boolean {
    if (estimate.isBounded === true) return true;
    const rows = Math.min(estimate.rows, Number(this.#parts.known.total));
    return rows * estimate.rowBytes <= memoryOf(estimate);
  }

  async #timed(statement: KeysStatement, longestMs = LONGEST_CHUNK_MS): Promise<KeysRead> {
    const { source, call } = this.#parts;
    const timeoutMs = Math.min(longestMs, remainingMs(call));
    const started = performance.now();
    const read = await withDeadline({ signal: call.signal, timeoutMs }, (deadline) =>
      source.read({ kind: 'keys', asked: statement }, deadline),
    );
    this.#lastChunkMs = performance.now() - started;
    return read;
  }
}

function memoryOf({ memoryBytes }: SortEstimate): number {
  return Math.min(SORT_BYTES, memoryBytes);
}
