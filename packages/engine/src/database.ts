// All that a database's package may import: what it implements, and the values and tools it needs.
export type { DateUnit, Operator, WireType } from '@proj/contract';
export type { AskedSession, SessionProblem, SessionRole } from './catalogue/database-session.ts';
export type { Field, FilterValue, StoredAs } from './catalogue/field.ts';
export type {
  Column,
  Extreme,
  Extremes,
  KeyCandidate,
  Relation,
  RelationPath,
} from './catalogue/relation.ts';
export { STORED_AS, STORED_TYPES } from './catalogue/field.ts';
export { QueryFailedError, RefusedConnectionError, SettingsError } from './errors.ts';
export { ownProgram } from './own-program.ts';
export type { DatabaseKind } from './sources/database-kind.ts';
export type { LogState } from './sources/log-position.ts';
export type { ReadCall } from './sources/read-call.ts';
export type { Asked, Found, Read, ReadKind } from './sources/read.ts';
export type { RowsRead, Versioned, Snapshot } from './sources/reads/snapshot.ts';
export type { SourceSettings } from './sources/source-settings.ts';
export type { ServerLog, SnapshotTerms, SortEstimate, Source } from './sources/source.ts';
export { oneLine, sqlBlock } from './sources/text/sql-block.ts';
export { SEVERAL_SERVERS, Versions, WHOLE_DATABASE } from './sources/versions.ts';
export { columnOf } from './sql/clauses/relation-rows.ts';
export { cutPage } from './sql/clauses/page-clauses.ts';
export { compile, compilerOf } from './sql/compile/compile.ts';
export type { Clauses, Dialect } from './sql/dialect.ts';
export type { PageRange, RowsStatement, WholeListStatements } from './sql/query-statements.ts';
export { COUNT, LIMIT, OFFSET, bind } from './sql/statement.ts';
export type { Expression, Statement, StatementSession, Template } from './sql/statement.ts';
export * as Deadlines from './deadline.ts';
export * as Decimals from './decimals.ts';
export * as Facets from './sources/toolkit/facets.ts';
export * as Files from './sources/toolkit/files.ts';
export * as Introspection from './sources/toolkit/introspection.ts';
export * as Lists from './sources/reads/whole-list.ts';
export * as Moments from './moment-text.ts';
export * as Pools from './sources/toolkit/pools.ts';
export * as Reads from './sources/toolkit/reads.ts';
export * as Texts from './sources/toolkit/texts.ts';
export * as Tracing from './tracing.ts';
export * as Zones from './sources/toolkit/zones.ts';
