import type { Condition } from '../planning/condition.ts';
import type { Plan } from '../planning/plan.ts';
import {
  compileComparison,
  compileCountBefore,
  compileFind,
  type CountedRange,
  type KeyComparison,
  type KeyedDialect,
  type KeyNulls,
} from './compile/compile-record.ts';
import type { Dialect } from './dialect.ts';
import { keyFields } from './clauses/page-clauses.ts';
import type { Statement, Template } from './statement.ts';

/** Keys with NULL have many forms; so many templates are kept. */
const MOST_TEMPLATES = 50;

export class RecordStatements {
  readonly #plan: Plan;
  readonly #dialect: KeyedDialect;
  readonly #templates = new Map<string, Template>();
  /** Where the last record's key had NULL. */
  usualNulls: KeyNulls;

  private constructor(plan: Plan, dialect: KeyedDialect) {
    this.#plan = plan;
    this.#dialect = dialect;
    this.usualNulls = plan.order.map(() => false);
  }

  /** Undefined where ordering values cannot be parts of keys. */
  static of(plan: Plan, { keys, ...dialect }: Dialect): RecordStatements | undefined {
    return keys !== undefined && keyFields(plan, keys) !== undefined
      ? new RecordStatements(plan, { ...dialect, keys })
      : undefined;
  }

  find(record: Condition): Statement {
    return compileFind(this.#plan, this.#dialect, record);
  }

  comparison(compared: KeyComparison): Template {
    return this.#kept(compared, () => compileComparison(this.#plan, this.#dialect, compared));
  }

  countBefore(range: CountedRange): Template {
    return this.#kept(range, () => compileCountBefore(this.#plan, this.#dialect, range));
  }

  #kept(form: KeyComparison | CountedRange, make: () => Template): Template {
    const name = JSON.stringify(form);
    const known = this.#templates.get(name);
    if (known !== undefined) return known;
    const template = make();
    if (this.#templates.size < MOST_TEMPLATES) this.#templates.set(name, template);
    return template;
  }
}
