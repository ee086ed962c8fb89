export { foreignKeyFindings, type BuiltCatalogue } from './catalogue/build/build.ts';
export { whyDistributed } from './catalogue/build/build-model.ts';
export type { ForeignKeyFinding } from './catalogue/build/build-relations.ts';
export { whyNoKey } from './catalogue/build/build-order.ts';
export type {
  AttributeSettings,
  CatalogueReport,
  DeprecationSettings,
  ExposeSettings,
  ModelSettings,
  SortSettings,
} from './catalogue/model-settings.ts';
export { catalogueDocument, catalogueEntry, catalogueTag } from './catalogue/document.ts';
export type {
  AskedSession,
  DatabaseSession,
  SessionProblem,
  SessionRole,
} from './catalogue/database-session.ts';
export { EVERYTHING, Grant } from './catalogue/grant.ts';
export type { GrantedModels, ModelGrant } from './catalogue/grant.ts';
export type { Attribute, Catalogue, Missing, Model, OrderTerm } from './catalogue/model.ts';
export type { ModelChange } from './catalogue/refresh.ts';
export type { Column, KeyCandidate, Relation } from './catalogue/relation.ts';
export { STORED_AS, type StoredAs } from './catalogue/field.ts';
export { suggestion } from './planning/unknown-name.ts';
export { openEngine, readRelations } from './engine.ts';
export { JoinedEngine, type EnginePart } from './engine/joined-engine.ts';
export type { EngineSettings } from './engine-settings.ts';
export type {
  Answer,
  AnsweringEngine,
  AnswerState,
  BodyNotes,
  Call,
  CatalogueCandidate,
  Engine,
  ExportCall,
  ExportedColumn,
  ExportedList,
  ExportSink,
  FacetsAnswer,
  KeyCheck,
  ListWatch,
  TakeState,
  ReplicaCall,
  WatchCall,
  WatchedLists,
  WatchedState,
} from './engine-types.ts';
export { ACCELERATION, type Acceleration } from './reading/acceleration.ts';
export type { MechanismStatistics, SharedSessions } from './reading/cache-stats.ts';
export type { IndexBuilds } from './reading/unchanged/index-builder.ts';
export {
  InvalidPositionError,
  InvalidQueryError,
  QueryFailedError,
  RefusedConnectionError,
  SettingsError,
} from './errors.ts';
export type { QueryFailure } from './errors.ts';
export { ownProgram, takeProgramPart, type ProgramPart } from './own-program.ts';
export { Callers } from './sources/read-call.ts';
export { FairQueue, type Taken } from './sources/pools/fair-queue.ts';
export { kindOf, type DatabaseKind } from './sources/database-kind.ts';
export { mostConnections } from './sources/pools/pool-limits.ts';
export type {
  FeedStatus,
  FeedWatch,
  FollowGap,
  FollowReport,
} from './sources/following/feed-watch.ts';
export type { RecordLines } from './sources/reads/whole-list.ts';
export type {
  ReplicaFault,
  ReplicaReport,
  ReplicaStatus,
  ReplicaWatch,
} from './sources/replica-watch.ts';
export type { CutCounts } from './sources/source.ts';
export type {
  FollowedServer,
  ClusterSettings,
  FollowSettings,
  ReplicaSettings,
  SeenElsewhere,
} from './sources/source-settings.ts';
export { REPLY_COPIES, ReplyMemory, SMALL_REPLY_BYTES } from './reply-memory.ts';
export type { ReplyMemoryLimits, ReplyRead } from './reply-memory.ts';
export { rowPolicyErrors } from './planning/plan-filter.ts';
export { ENGINE_CHANNELS } from './tracing.ts';
export type {
  BackgroundWork,
  DatabaseAddress,
  MechanismUse,
  PlannedQuery,
  TracedStatement,
} from './tracing.ts';
