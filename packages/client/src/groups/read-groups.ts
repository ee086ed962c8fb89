import {
  type Export,
  type ExportFile,
  readExport,
  readExportFile,
  type ReadExportParts,
} from '../export/read-export.ts';
import { checkArguments } from '../options/checks/check-arguments.ts';
import type { CollectOptions, WalkOptions } from '../options/walk-options.ts';
import type { ExportFileOptions } from '../options/list-query.ts';
import { type AnyGroupsQuery, groupList } from '../options/groups-query.ts';
import type { RequestOptions } from '../options/client-options.ts';
import type { ReadQuery } from '../query/read-query.ts';
import { collectAll, type Collected } from '../walk/collect-all.ts';
import { type Page, readPage } from '../walk/page.ts';
import { type ReadPages, walkRecords } from '../walk/walk.ts';

/** Groups of a model's records, read as a list is. Making it sends nothing. */
export interface Groups<Group> {
  /**
   * Reads one page. Its total is the exact number of groups.
   *
   * @throws {DynamicQueryError | RangeError} as `query` of the client.
   */
  page(number: number | bigint, options?: RequestOptions): Promise<Page<Group>>;
  /** As `pages` of the client. */
  pages(options?: WalkOptions): AsyncIterable<Page<Group>>;
  /** As `records` of the client. */
  records(options?: WalkOptions): AsyncIterable<Group>;
  /** As `all` of the client. */
  all(options?: CollectOptions): Promise<Collected<Group>>;
  /** As `export` of the client. */
  export(options?: RequestOptions): Promise<Export<Group>>;
  /** As `exportFile` of the client. */
  exportFile(options: ExportFileOptions): Promise<ExportFile>;
}

export interface ReadGroupsParts {
  readonly read: ReadQuery;
  readonly pages: ReadPages;
  readonly exporting: ReadExportParts;
}

const DEFAULT_SIZE = 100;

export function readGroups<Group>(
  { read, pages, exporting }: ReadGroupsParts,
  query: AnyGroupsQuery,
): Groups<Group> {
  const list = groupList(query);
  const paged = { ...list, size: query.size ?? DEFAULT_SIZE };
  return {
    page: async (page, request = {}) => {
      checkArguments('at', page, request);
      return readPage<Group>(read, { ...paged, page }, { signal: request.signal });
    },
    pages: (walk = {}) => {
      checkArguments('groups().pages', walk);
      return pages<Group, bigint>(paged, walk);
    },
    records: (walk = {}) => {
      checkArguments('groups().records', walk);
      return walkRecords(pages<Group, bigint>(paged, walk), walk);
    },
    all: async (collect = {}) => {
      checkArguments('groups().all', collect);
      return collectAll((walk) => pages<Group, bigint>(paged, walk), collect);
    },
    export: async (request = {}) => {
      checkArguments('groups().export', request);
      return readExport<Group>(exporting, list, request);
    },
    exportFile: async (file) => {
      checkArguments('groups().exportFile', file);
      return readExportFile(exporting, list, file);
    },
  };
}
