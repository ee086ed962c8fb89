import type { Attribute } from '../../catalogue/model.ts';
import type { Condition } from '../../planning/condition.ts';
import type { Plan } from '../../planning/plan.ts';
import { type CompileOptions, compileQuery, compileSeek } from '../compile/compile.ts';
import { compileKeys, type KeySelection } from '../compile/compile-keys.ts';
import { compileRecordPage, RecordStatements } from '../compile/compile-record.ts';
import { compileMisfit, compileWholeList } from '../compile/compile-whole-list.ts';
import type { Dialect } from '../dialect.ts';
import { callersDialectOf } from '../compile/compile-session.ts';
import {
  type Key,
  type KeyRange,
  rangesAfter,
  rangesOfAll,
  type SeekShape,
} from '../clauses/seek.ts';
import { QueryKeys } from './query-keys.ts';
import type { KeyTemplates, QueryStatements, WholeListStatements } from '../query-statements.ts';
import type { Template } from '../statement.ts';

/** A list's statements, each compiled once, and the keys of facts about it. */
export class PreparedQuery extends QueryKeys {
  readonly plan: Plan;
  readonly #dialect: Dialect;
  readonly #options: CompileOptions;
  readonly #seeks = new Map<string, Template>();
  readonly #keys = new Map<string, KeyTemplates>();
  #statements: QueryStatements | undefined;
  #bounded: QueryStatements | undefined;
  #wholeList: WholeListStatements | undefined;
  #records: RecordStatements | 'none' | undefined;

  constructor(plan: Plan, dialect: Dialect, options: CompileOptions) {
    super(plan);
    this.plan = plan;
    this.#dialect = callersDialectOf(plan, dialect);
    this.#options = options;
  }

  get statements(): QueryStatements {
    this.#statements ??= compileQuery(this.plan, this.#dialect, this.#options);
    return this.#statements;
  }

  get bounded(): QueryStatements {
    const options = { ...this.#options, isBounded: true, readBackwards: false };
    this.#bounded ??= compileQuery(this.plan, this.#dialect, options);
    return this.#bounded;
  }

  get wholeList(): WholeListStatements {
    this.#wholeList ??= compileWholeList(this.plan, this.#dialect);
    return this.#wholeList;
  }

  typedList(isTyped: (attribute: Attribute) => boolean): WholeListStatements {
    return { ...this.wholeList, misfit: compileMisfit(this.plan, this.#dialect, isTyped) };
  }

  /** Undefined without keys, or where statements may see several states. */
  get records(): RecordStatements | undefined {
    const { plan } = this;
    this.#records ??=
      (plan.facts.hasSnapshots ? RecordStatements.of(plan, this.#dialect) : undefined) ?? 'none';
    return this.#records === 'none' ? undefined : this.#records;
  }

  recordPage(record: Condition, size: number): QueryStatements {
    const page = { record, size, maxBytes: this.#options.maxReplyBytes };
    return { ...this.statements, atOnce: compileRecordPage(this.plan, this.#dialect, page) };
  }

  seek(shape: SeekShape): Template {
    const name = `${shape.reachesNulls}${shape.nulls.join()}`;
    const known = this.#seeks.get(name);
    if (known !== undefined) return known;
    const maxBytes = this.#options.maxReplyBytes;
    const compiled = compileSeek(this.plan, this.#dialect, { shape, maxBytes });
    this.#seeks.set(name, compiled);
    return compiled;
  }

  /** All records, or those after a key; none without keys in the database. */
  keyRanges(after?: Key): readonly KeyRange[] {
    const { keys } = this.#dialect;
    if (keys === undefined) return [];
    const { order } = this.plan;
    return after === undefined ? rangesOfAll(order, keys) : rangesAfter(order, after);
  }

  keys(selection: KeySelection): KeyTemplates | undefined {
    const name = JSON.stringify(selection);
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const compiled = compileKeys(this.plan, this.#dialect, selection);
    if (compiled !== undefined) this.#keys.set(name, compiled);
    return compiled;
  }
}
