import type { WireType } from '@proj/contract';

/**
 * The member in which `dq types` notes each attribute's wire type; not a member of records. Filters
 * take their operators and values from it, since dates, decimals and texts are all strings; without
 * it, from the types of the values.
 */
export declare const wireTypes: unique symbol;

/** One where it is declared. */
export type WireTypeOf<Entity, Name extends keyof Entity> = typeof wireTypes extends keyof Entity
  ? Name extends keyof NonNullable<Entity[typeof wireTypes]>
    ? NonNullable<Entity[typeof wireTypes]>[Name] & WireType
    : never
  : WireTypeOfValue<NonNullable<Entity[Name]>>;

/** Attributes whose wire type is not known. */
export type OpenName<Entity> = typeof wireTypes extends keyof Entity
  ? never
  : { [Name in keyof Entity & string]: unknown extends Entity[Name] ? Name : never }[keyof Entity &
      string];

type SpecialFloat = 'NaN' | 'Infinity' | '-Infinity';

type Structured = 'json' | 'array';

type WireTypeOfValue<Value> = Value extends boolean
  ? 'boolean'
  : Value extends bigint
    ? 'int64'
    : Value extends number
      ? 'int32' | 'float64'
      : Value extends SpecialFloat
        ? 'float64'
        : Value extends string
          ? Exclude<WireType, Structured | 'boolean' | 'int32' | 'float64' | 'any'>
          : Structured;

/** Filter operands by wire type; a text for those that are not listed. */
interface Operands {
  readonly int32: number | bigint;
  readonly int64: string | number | bigint;
  readonly decimal: string | number | bigint;
  readonly float64: number | SpecialFloat;
  /** In a database without truth values, other numbers are in digits. */
  readonly boolean: boolean | `${number}`;
  readonly json: string | number | boolean | { readonly number: string };
  /** The catalogue knows the type of its items, declared models only that of their values. */
  readonly array: string | number | bigint | boolean | { readonly number: string };
  readonly range: string | number | bigint;
  readonly any: string | number | { readonly number: string } | { readonly bytes: string };
}

export type OperandOf<Type extends WireType> = Type extends keyof Operands
  ? Operands[Type]
  : string;
