import { ChangingListError } from '../errors.ts';
import type { GridPage, Row } from '../model/client.ts';

/** The rows that a grid asks for, counted from 0; `end` is not among them. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

/** Rows of one state of the list, as far as the service says which that is. */
export interface BlockRows {
  readonly rows: Row[];
  readonly total: bigint | null;
  /** `null` where no number is exact: without a total, and past 2^53 − 1. */
  readonly totalNumber: number | null;
  /** Whether rows follow the block. */
  readonly hasNext: boolean;
  readonly dataVersion: string | null;
}

/** A list that is read in pages. */
export interface PagedList {
  readonly model: string;
  readonly maxPageSize: number;
  /** Reads a page, counted from 1. */
  readonly readPage: (page: number, size: number) => Promise<GridPage>;
}

const MOST_ATTEMPTS = 4;

/**
 * Reads a block of rows. If the block is not one page, the pages that contain its rows are read,
 * cut and joined. If these show different states of the list, all of them are read again.
 *
 * @throws {ChangingListError} where the list changed each time.
 * @throws {DynamicQueryError} as the client.
 */
export async function readRows(list: PagedList, block: Block): Promise<BlockRows> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const pages = await readPages(list, block);
    if (pages !== null) return cut(pages, block);
  }
  throw new ChangingListError(list.model, MOST_ATTEMPTS);
}

interface PageRun {
  readonly pages: readonly GridPage[];
  /** The index of the first row of the first page. */
  readonly offset: number;
}

/** The pages of one state, or `null` where there are two. */
async function readPages(
  { maxPageSize, readPage }: PagedList,
  { start, end }: Block,
): Promise<PageRun | null> {
  const size = Math.max(1, Math.min(end - start, maxPageSize));
  const first = Math.floor(start / size);
  const pages: GridPage[] = [];
  for (let index = first; index * size < end; index++) {
    const page = await readPage(index + 1, size);
    const [before] = pages;
    if (before && !isSameState(before, page)) return null;
    pages.push(page);
    if (!page.hasNext) break;
  }
  return { pages, offset: first * size };
}

function isSameState(one: GridPage, other: GridPage): boolean {
  const known = one.dataVersion !== null && other.dataVersion !== null;
  return one.total === other.total && (!known || one.dataVersion === other.dataVersion);
}

function cut({ pages, offset }: PageRun, { start, end }: Block): BlockRows {
  const records = pages.flatMap(({ records: ofPage }) => ofPage);
  const last = pages.at(-1);
  return {
    rows: records.slice(start - offset, end - offset),
    total: last?.total ?? null,
    totalNumber: last?.totalNumber ?? null,
    dataVersion: last?.dataVersion ?? null,
    hasNext: (last?.hasNext ?? false) || offset + records.length > end,
  };
}
