import type { Relation } from '../../catalogue/relation.ts';
import type {
  AskedRecord,
  BoundedPage,
  BoundedRows,
  FacetsRead,
  KeysRead,
  PageRows,
  QueryPage,
  RecordReading,
  RowsRead,
  SortEstimate,
} from '../source.ts';
import type { FacetStatements } from '../../sql/facet-statements.ts';
import type {
  KeysStatement,
  RelationPath,
  RowsStatement,
  WholeListStatements,
} from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { RecordLines } from '../whole-list.ts';
import type { StatementReport } from './statement-report.ts';

/** What the server asks a reader process, one request at a time. */
export type ReaderRequest =
  | { readonly kind: 'page'; readonly page: QueryPage }
  | { readonly kind: 'batch'; readonly pages: readonly QueryPage[] }
  | { readonly kind: 'bounded'; readonly page: BoundedPage }
  | { readonly kind: 'record'; readonly asked: AskedRecord }
  | { readonly kind: 'facets'; readonly facets: FacetStatements }
  | { readonly kind: 'rows'; readonly rows: RowsStatement }
  | { readonly kind: 'row'; readonly row: Statement }
  | { readonly kind: 'count'; readonly count: Statement }
  | { readonly kind: 'list'; readonly list: WholeListStatements }
  | { readonly kind: 'keys'; readonly keys: KeysStatement }
  | { readonly kind: 'sort'; readonly keys: KeysStatement }
  | { readonly kind: 'introspect' }
  | { readonly kind: 'ping' };

/** A request, and which generation of the file it is about: an older connection is opened again. */
export interface ReaderMessage {
  readonly generation: number;
  readonly request: ReaderRequest;
  /** Whether the statements that it takes are reported. Default: they are not. */
  readonly traced?: boolean;
}

/** What the reader finds, by the kind of the request. It knows no version. */
export interface ReaderValues {
  readonly page: PageRows;
  readonly batch: PageRows[];
  readonly bounded: BoundedRows;
  readonly record: RecordReading;
  readonly facets: Omit<FacetsRead, 'version'>;
  readonly rows: RowsRead;
  readonly row: readonly unknown[] | undefined;
  readonly count: bigint;
  readonly list: undefined;
  readonly keys: KeysRead['rows'];
  readonly sort: SortEstimate;
  readonly introspect: Relation[];
  readonly ping: unknown;
}

/** The relation that a request reads; undefined where what it reads needs no version. */
export function relationOf(request: ReaderRequest): RelationPath | undefined {
  switch (request.kind) {
    case 'page':
    case 'bounded':
      return request.page.query.relation;
    case 'batch':
      return request.pages[0]?.query.relation;
    case 'record':
      return request.asked.query.relation;
    case 'rows':
      return request.rows.relation;
    case 'row':
      return request.row.relation;
    case 'count':
      return request.count.relation;
    case 'facets':
      return request.facets.relation;
    case 'keys':
      return request.keys.relation;
    case 'list':
      return request.list.relation;
    default:
      return undefined;
  }
}

/** Why a request failed. */
export interface ReaderError {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly errcode: number | undefined;
  /** Node's code. */
  readonly code: string | undefined;
  /** Whether the statement did not even begin to run. */
  readonly preparing: boolean;
}

/** What the reader found in one snapshot of the file. */
export interface ReaderFinding {
  readonly value: unknown;
  /** Whether what was read has the version of the file. */
  readonly versioned: boolean;
}

/** What a reader finds of a whole list before it is through. */
export type ListProgress =
  | { readonly total: bigint; readonly versioned: boolean }
  | { readonly lines: RecordLines };

/** Sent while a request is under way. The reader goes on when the server has taken it. */
export interface ReaderProgress {
  readonly progress: ListProgress;
}

/** The server has taken the last progress. */
export interface ProgressTaken {
  readonly taken: true;
}

/** What the reader answers, with its statements where the message asked for them. */
export type ReaderReply = { readonly report?: StatementReport } & (
  | ({ readonly ok: true } & ReaderFinding)
  | ({ readonly ok: false } & ReaderError)
);
