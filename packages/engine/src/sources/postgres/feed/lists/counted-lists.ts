import type { Condition } from '../../../../planning/condition.ts';
import { ConditionNames } from './condition-names.ts';
import { ListLog } from '../changes/list-log.ts';
import type { RelationLog } from '../changes/relation-log.ts';
import type { RelationSchema } from '../relations/relation-schema.ts';
import { type ComparedRelation, RowCondition } from '../changes/row-condition.ts';

/**
 * So many conditions are decided on for each row of a relation that is written, each in less than a
 * microsecond.
 */
const MOST_CONDITIONS = 16;

/** A relation whose rows are counted. */
export interface CountedRelation {
  readonly log: RelationLog;
  readonly schema: ComparedRelation & Pick<RelationSchema, 'isFull'>;
}

/**
 * The totals of filtered lists that follow the changes of their relations. Where a relation has too
 * many, the one unused for longest goes.
 */
export class CountedLists {
  /** By the log of their relation, and by what names a condition. The last one was used last. */
  readonly #lists = new WeakMap<RelationLog, Map<string, ListLog>>();
  readonly #names = new ConditionNames();

  /** The changes of the rows that meet a condition; undefined where they are not followed. */
  get({ log }: Pick<CountedRelation, 'log'>, condition: Condition): ListLog | undefined {
    const lists = this.#lists.get(log);
    if (lists === undefined) return undefined;
    const name = this.#names.of(condition);
    const list = lists.get(name);
    if (list === undefined) return undefined;
    lists.delete(name);
    lists.set(name, list);
    return list;
  }

  /**
   * Follows the rows that meet a condition from now on. Returns whether that is possible: where the
   * change log has whole rows, and the condition can be decided.
   */
  begin(relation: CountedRelation, condition: Condition): boolean {
    if (this.get(relation, condition) !== undefined) return true;
    const { log, schema } = relation;
    const decided = schema.isFull ? RowCondition.of(condition, schema) : undefined;
    if (decided === undefined) return false;
    const list = new ListLog(log, { condition: decided, key: undefined });
    log.addList(list);
    const lists = this.#lists.get(log) ?? new Map<string, ListLog>();
    this.#lists.set(log, lists.set(this.#names.of(condition), list));
    const [oldest] = lists;
    if (lists.size > MOST_CONDITIONS && oldest !== undefined) {
      log.removeList(oldest[1]);
      lists.delete(oldest[0]);
    }
    return true;
  }
}
