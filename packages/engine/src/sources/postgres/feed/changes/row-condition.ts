import type { FilterValue } from '../../../../catalogue/filter-value.ts';
import type { Comparison, Condition } from '../../../../planning/condition.ts';
import { isTextType, type ReadValue, type SortedValue, valueReaderOf } from './sorted-value.ts';

/** A column, with what decides how the database compares its values. */
export interface ComparedColumn {
  readonly name: string;
  /**
   * As the database prints it, followed by the collation if that is nondeterministic. Empty where
   * the type is not built in.
   */
  readonly type: string;
  readonly isEnum: boolean;
}

/** The columns of a relation that conditions can compare. */
export interface ComparedRelation {
  readonly columns: readonly ComparedColumn[];
  /** Whether the database keeps its texts in UTF-8, as the change log brings them. */
  readonly isUnicode: boolean;
}

/**
 * A value as the change log brings it, null for NULL; undefined where the log does not say, such as
 * a value that is stored apart from its row and was not changed.
 */
export type LoggedValue = string | null | undefined;

/** The values of a row, by the place of their columns in those of a condition. */
export type ValueAt = (place: number) => LoggedValue;

/**
 * The value of a condition in SQL, where null is unknown; undefined where Node cannot compute it.
 */
type Truth = boolean | null | undefined;

type Decide = (valueAt: ValueAt) => Truth;

/** A value as it is compared. */
type Compared = SortedValue | null | undefined;

/**
 * A condition that Node evaluates on logged rows with the same result as the database. These are
 * the comparisons of whole numbers, booleans, `uuid`, dates, timestamps and bytes, whether texts
 * and the values of enumerations are equal, and whether a value is NULL.
 */
export class RowCondition {
  /** The columns that it looks at. */
  readonly columns: readonly string[];
  readonly #decide: Decide;

  private constructor(columns: readonly string[], decide: Decide) {
    this.columns = columns;
    this.#decide = decide;
  }

  /** Undefined where Node might get another result than the database. */
  static of(condition: Condition, relation: ComparedRelation): RowCondition | undefined {
    const compiler = new ConditionCompiler(relation);
    const decide = compiler.compile(condition);
    return decide && new RowCondition([...compiler.columns], decide);
  }

  /**
   * Whether a row meets the condition; undefined where that depends on a value that the log lacks
   * or that Node cannot compare.
   */
  isMet(valueAt: ValueAt): boolean | undefined {
    const truth = this.#decide(valueAt);
    return truth === undefined ? undefined : truth === true;
  }
}

class ConditionCompiler {
  readonly columns = new Set<string>();
  readonly #relation: ComparedRelation;

  constructor(relation: ComparedRelation) {
    this.#relation = relation;
  }

  compile(condition: Condition): Decide | undefined {
    if ('and' in condition) return this.#joined(condition.and, false);
    if ('or' in condition) return this.#joined(condition.or, true);
    if ('op' in condition) return this.#comparison(condition);
    // What other rows refer to no row knows of itself.
    if ('referred' in condition) return undefined;
    const decide = this.compile(condition.not);
    return decide && negated(decide);
  }

  #joined(parts: readonly Condition[], deciding: boolean): Decide | undefined {
    const compiled = parts.flatMap((part) => this.compile(part) ?? []);
    return compiled.length === parts.length ? joined(compiled, deciding) : undefined;
  }

  #comparison(comparison: Comparison): Decide | undefined {
    const column = this.#relation.columns.find(({ name }) => name === comparison.attribute.column);
    if (column === undefined) return undefined;
    const test = this.#testOf(comparison, column);
    if (test === undefined) return undefined;
    this.columns.add(column.name);
    const place = [...this.columns].indexOf(column.name);
    return (valueAt) => test(valueAt(place));
  }

  #testOf(
    { attribute, op, values }: Comparison,
    column: ComparedColumn,
  ): ((value: LoggedValue) => Truth) | undefined {
    // The model has the type as of the last reading of the schema; the column may have changed
    // since.
    const isSame = column.isEnum
      ? attribute.type === 'enum'
      : column.type === attribute.databaseType;
    if (!isSame) return undefined;
    // A value of a composite type is NULL too where all of its parts are.
    if (op === 'is_null') return attribute.type === 'other' ? undefined : nullTest(values[0]);
    const reader = this.#readerOf(column);
    const operands = reader && operandsOf(values, reader);
    const holds = operands && COMPARISONS[op]?.(operands);
    return reader && holds && ((value) => holds(comparedValue(value, reader)));
  }

  #readerOf({ type, isEnum }: ComparedColumn): OperandReader | undefined {
    if (isEnum || isTextType(type))
      return this.#relation.isUnicode
        ? { read: asItIs, print: String, isOrdered: false }
        : undefined;
    const read = valueReaderOf(type);
    return read && { read, print: printerOf(type), isOrdered: true };
  }
}

/** How values of a column are compared. */
interface OperandReader {
  readonly read: ReadValue;
  /** The value of a filter as the database would print it. */
  readonly print: (value: FilterValue) => string;
  /** Whether Node knows the order of values, and not only which are equal. */
  readonly isOrdered: boolean;
}

/** The values that a column is compared with. */
interface Operands {
  readonly values: readonly (SortedValue | null)[];
  readonly isOrdered: boolean;
}

function operandsOf(
  values: Comparison['values'],
  { read, print, isOrdered }: OperandReader,
): Operands | undefined {
  const operands = values.map((value) => (value === null ? null : read(print(value))));
  const known = operands.filter((operand) => operand !== undefined);
  return known.length === values.length && known.length > 0
    ? { values: known, isOrdered }
    : undefined;
}

/** The operators, each with the same result as its SQL in `condition.ts`. */
const COMPARISONS: Partial<
  Record<Comparison['op'], (operands: Operands) => ((value: Compared) => Truth) | undefined>
> = {
  eq: oneOf,
  in: oneOf,
  ne: (operands) => not(oneOf(operands)),
  not_in: (operands) => not(oneOf(operands)),
  lt: (operands) => ordered(operands, (value, [other]) => value < other),
  lte: (operands) => ordered(operands, (value, [other]) => value <= other),
  gt: (operands) => ordered(operands, (value, [other]) => value > other),
  gte: (operands) => ordered(operands, (value, [other]) => value >= other),
  between: (operands) => ordered(operands, (value, [from, to]) => value >= from && value <= to),
  is_distinct: distinct,
};

function oneOf({ values }: Operands): (value: Compared) => Truth {
  const known = new Set<Compared>(values);
  return unlessNull((value) => known.has(value));
}

function ordered(
  { values: [first, second = first], isOrdered }: Operands,
  holds: (value: SortedValue, operands: readonly [SortedValue, SortedValue]) => boolean,
): ((value: Compared) => Truth) | undefined {
  if (!isOrdered || first == null || second == null) return undefined;
  return unlessNull((value) => holds(value, [first, second]));
}

/** Never NULL: two NULLs are alike, and NULL differs from every value. */
function distinct({ values: [other] }: Operands): (value: Compared) => Truth {
  return (value) => (value === undefined ? undefined : value !== other);
}

function unlessNull(holds: (value: SortedValue) => boolean): (value: Compared) => Truth {
  return (value) => (value === null || value === undefined ? value : holds(value));
}

function not(test: (value: Compared) => Truth): (value: Compared) => Truth {
  return (value) => {
    const truth = test(value);
    return typeof truth === 'boolean' ? !truth : truth;
  };
}

function negated(decide: Decide): Decide {
  return (valueAt) => {
    const truth = decide(valueAt);
    return typeof truth === 'boolean' ? !truth : truth;
  };
}

/**
 * `and` (`deciding` is false) or `or` (`deciding` is true) of some conditions: `deciding` if any
 * part is; otherwise undefined if any part is undefined; otherwise null if any part is null.
 */
function joined(parts: readonly Decide[], deciding: boolean): Decide {
  return (valueAt) => {
    let truth: Truth = !deciding;
    for (const decide of parts) {
      const one = decide(valueAt);
      if (one === deciding) return deciding;
      if (one === undefined || (one === null && truth !== undefined)) truth = one;
    }
    return truth;
  };
}

function nullTest(expected: FilterValue | null | undefined): (value: LoggedValue) => Truth {
  return (value) => (value === undefined ? undefined : (value === null) === (expected === true));
}

function comparedValue(value: LoggedValue, { read }: OperandReader): Compared {
  return value === null || value === undefined ? value : read(value);
}

/**
 * Compares texts by their characters. U+FFFD is refused, since it also replaces bytes that are not
 * UTF-8.
 */
function asItIs(text: string): SortedValue | undefined {
  return text.includes('\u{FFFD}') ? undefined : text;
}

function printerOf(type: string): OperandReader['print'] {
  return PRINTERS.find(([form]) => form.test(type))?.[1] ?? String;
}

/** How the database prints the values of filters of some types, which are checked by then. */
const PRINTERS: readonly (readonly [type: RegExp, print: OperandReader['print']])[] = [
  [/^uuid$/, (value) => String(value).toLowerCase()],
  [/^bytea$/, (value) => String.raw`\x${Buffer.from(String(value), 'base64').toString('hex')}`],
  [/^timestamp\b/, (value) => printMoment(String(value))],
];

/** `2026-01-31T23:59:59.500Z` is printed as `2026-01-31 23:59:59.5+00`. */
function printMoment(text: string): string {
  const [date = '', time] = text.split('T');
  if (time === undefined) return text;
  const [, seconds, fraction = '', zone = '', era = ''] =
    /^([\d:]+)(?:\.(\d+))?(Z?)(.*)$/.exec(time) ?? [];
  const digits = fraction.replace(/0+$/, '');
  return `${date} ${seconds}${digits && `.${digits}`}${zone && '+00'}${era}`;
}
