import { sql } from 'kysely';

import { type Condition, attributesOf } from '../../planning/condition.ts';
import type { Plan } from '../../planning/plan.ts';
import { outputsBeside, columnOf, listedAs } from '../clauses/relation-rows.ts';
import { compile, compileAlone, selectAtOnce } from './compile.ts';
import { compileCondition } from '../clauses/condition.ts';
import type { Dialect, KeyDialect, PageClauses } from '../dialect.ts';
import {
  clausesWithin,
  keyFields,
  type OrderedField,
  pageClauses,
  reversedTerm,
  sortedColumn,
  wholeListClauses,
} from '../clauses/page-clauses.ts';
import { keyOperands, seekCondition, withPlaceholdersFrom } from '../clauses/seek.ts';
import type { Expression, Statement, Template } from '../statement.ts';
import type { Field } from '../../catalogue/field.ts';
import { neededColumns } from '../../planning/needed-columns.ts';
import { evaluatedOnce, freeName } from '../clauses/single-evaluation.ts';

/** Keys with NULL have many forms; so many templates are kept. */
const MOST_TEMPLATES = 50;

export type KeyNulls = readonly boolean[];

interface KeyComparison {
  readonly record: KeyNulls;
  readonly keys: readonly KeyNulls[];
}

/** A record's key, and one before it. Default: from the beginning of the list. */
interface CountedRange {
  readonly record: KeyNulls;
  readonly from?: KeyNulls | undefined;
}

/** They find a record in a list by its key, whose values are the first placeholders. */
export class RecordStatements {
  readonly #plan: Plan;
  readonly #dialect: Dialect & { readonly keys: KeyDialect };
  readonly #terms: readonly OrderedField[];
  readonly #page: PageClauses;
  readonly #templates = new Map<string, Template>();
  /** Where the last record's key had NULL. */
  usualNulls: KeyNulls;

  private constructor(
    plan: Plan,
    dialect: Dialect & { readonly keys: KeyDialect },
    terms: readonly OrderedField[],
  ) {
    this.#plan = plan;
    this.#dialect = dialect;
    this.#terms = terms;
    this.#page = pageClauses(plan, dialect, 0);
    this.usualNulls = terms.map(() => false);
  }

  /** Undefined where ordering values cannot be parts of keys. */
  static of(plan: Plan, { keys, ...dialect }: Dialect): RecordStatements | undefined {
    const terms = keyFields(plan, keys);
    return keys && terms && new RecordStatements(plan, { ...dialect, keys }, terms);
  }

  /** The key of a listed record, the first where several have the values; no row where none has. */
  find(record: Condition): Statement {
    const isRecord = compileCondition(record, this.#dialect);
    const { from, where, order } = clausesWithin(this.#plan, this.#page, isRecord);
    const outputs = outputsBeside('k', this.#plan.order);
    const keys = this.#terms.map(({ term, field }, index) => {
      const key = this.#dialect.keys.column(sortedColumn(term, this.#dialect), field);
      return sql`${key} as ${sql.id(`${outputs}${index}`)}`;
    });
    return this.#compile(
      sql`select ${sql.join(keys)} from ${from}${where} order by ${order} limit 1`,
    );
  }

  /** How many of some keys are at or before a record. */
  comparison(compared: KeyComparison): Template {
    const { record, keys } = compared;
    return this.#kept(compared, () => {
      const counted = keys.map((nulls, index) => {
        const onwards = this.#onwards({ nulls, reachesNulls: true }, index + 1);
        return sql`case when ${onwards} then 1 else 0 end`;
      });
      const same = this.#terms.map((ordered, index) => {
        const { column, value, isNull } = keyOperands(ordered, index, this.#dialect);
        return record[index] === true ? isNull : sql`${column} = ${value}`;
      });
      const where = sql.join(same, sql` and `);
      const sum = sql.join(counted, sql` + `);
      return sql`select ${sum} from ${this.#page.from} where ${where} limit 1`;
    });
  }

  /** Counts records before one, from another key on. */
  countBefore(range: CountedRange): Template {
    const { record, from: key } = range;
    return this.#kept(range, () => {
      const reversed = this.#terms.map(({ term, field }) => ({ term: reversedTerm(term), field }));
      const shape = { nulls: record, reachesNulls: key?.[0] ?? true, isStrict: true };
      const before = seekCondition(reversed, this.#dialect, shape);
      const onwards = key && this.#onwards({ nulls: key, reachesNulls: record[0] === true }, 1);
      const condition = onwards === undefined ? before : sql`${before} and ${onwards}`;
      const { from, where } = clausesWithin(this.#plan, this.#page, condition);
      return sql`select count(*) from ${from}${where}`;
    });
  }

  /** From a key on, whose placeholders follow those of so many others. */
  #onwards(shape: Parameters<typeof seekCondition>[2], keysBefore: number): Expression {
    const shifted = withPlaceholdersFrom(keysBefore * this.#terms.length, this.#dialect);
    return seekCondition(this.#terms, shifted, shape);
  }

  #compile(statement: Expression): Statement {
    return compile(statement, this.#dialect, this.#plan.relations);
  }

  #kept(form: KeyComparison | CountedRange, make: () => Expression): Template {
    const name = JSON.stringify(form);
    const known = this.#templates.get(name);
    if (known !== undefined) return known;
    const template = this.#compile(make());
    if (this.#templates.size < MOST_TEMPLATES) this.#templates.set(name, template);
    return template;
  }
}

export interface RecordPage {
  readonly record: Condition;
  readonly size: number;
  readonly maxBytes: number;
}

/** Finds a record's page, the total and the record's number without snapshot or keys. */
export function compileRecordPage(
  plan: Plan,
  dialect: Dialect,
  { record, size, maxBytes }: RecordPage,
): Template {
  const { attributes, order: terms } = plan;
  const needed = [...neededColumns(plan), ...attributesOf(record)];
  const list = wholeListClauses(plan, dialect, maxBytes);
  const { clauses, complete } = evaluatedOnce({ list: plan, needed }, list, dialect);
  const { from, where } = clauses;
  const order = sql.join(terms.map((term) => dialect.orderTerm(sortedColumn(term, dialect), term)));
  const outputs = outputsBeside('c', terms);
  const columns = attributes.map(
    (field, index) => sql`${columnOf(field)} as ${sql.id(`${outputs}${index}`)}`,
  );
  const [number, isRecord] = [sql.id('n'), sql.id('is_record')];
  const rows = sql`select ${sql.join(columns)},
      row_number() over (order by ${order}) - 1 as ${number},
      case when ${compileCondition(record, dialect)} then 1 else 0 end as ${isRecord}
    from ${from}${where}`;
  const fields = attributes.map((attribute, index): Field => {
    const { join: _, ...field } = attribute;
    return { ...field, column: `${outputs}${index}` };
  });
  const name = freeName('list', plan);
  const rank = sql`(select min(${number}) from ${name} where ${isRecord} = 1)`;
  const page = {
    fields,
    from: listedAs(name),
    where: sql` where ${beginning(number, size)} = ${beginning(rank, size)}`,
    order: number,
    reversed: false,
    maxBytes,
    numbers: [sql`(select count(*) from ${name})`, rank],
    shortPageProof: false,
  };
  return compileAlone(complete(selectAtOnce(page, dialect), { name, rows }), dialect, plan);
}

function beginning(number: Expression, size: number): Expression {
  return sql`${number} - ${number} % ${sql.lit(size)}`;
}
