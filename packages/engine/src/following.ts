export type { Attribute, OrderTerm } from './catalogue/model.ts';
export { conjunctsOf, leavesOf } from './planning/condition.ts';
export type { Comparison, Condition } from './planning/condition.ts';
export type {
  Checkpoints,
  FollowedIndex,
  FollowedOrder,
  KeyRows,
  RowPlace,
  WantedKeys,
} from './sources/followed.ts';
export type { FeedStatus, FeedWatch } from './sources/following/feed-watch.ts';
export type { FollowGap, FollowReport } from './sources/following/follow-report.ts';
export type { FollowedState, FollowedStates, ListCount, RelationMoment } from './sources/source.ts';
export { listedAs } from './sql/clauses/column-of.ts';
export { compileCondition } from './sql/clauses/condition.ts';
export type { OrderedField } from './sql/clauses/page-clauses.ts';
export type { FollowSettings } from './sources/source-settings.ts';
export type { Changes } from './sources/source.ts';
export type { FollowedChanges } from './sources/source.ts';
export type { KeySnapshot } from './sources/source.ts';
export type { MomentWork } from './sources/source.ts';
