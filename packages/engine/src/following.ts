// What a database whose log is followed may import beside `database.ts`.
export type { Attribute, OrderTerm } from './catalogue/model.ts';
export { conjunctsOf, leavesOf, type Comparison, type Condition } from './planning/condition.ts';
export type {
  Checkpoints,
  FollowedIndex,
  FollowedOrder,
  RowPlace,
  WantedKeys,
} from './sources/following/followed-moment.ts';
export type { KeyRows } from './sources/reads/snapshot.ts';
export type {
  FeedStatus,
  FeedWatch,
  FollowGap,
  FollowReport,
} from './sources/following/feed-watch.ts';
export type { FollowSettings } from './sources/source-settings.ts';
export type {
  Changes,
  CountOutcome,
  FollowedChanges,
  FollowedState,
  FollowedStates,
  KeySnapshot,
  MomentWork,
  RelationMoment,
} from './sources/source.ts';
export { listedAs } from './sql/clauses/relation-rows.ts';
export { compileCondition } from './sql/clauses/condition.ts';
export type { OrderedField } from './sql/clauses/page-clauses.ts';
