import type { WireType } from '@proj/contract';

/**
 * Names the member of a model in which `dq types` notes the wire type of each attribute. It is no
 * member of records. From it the compiler derives which operators and values a filter takes, since
 * dates, decimals and texts are all strings. For models without it they are derived from the types
 * of the values.
 */
export declare const wireTypes: unique symbol;

/** The wire types that an attribute may have: one where it is declared. */
export type WireTypeOf<Entity, Name extends keyof Entity> = typeof wireTypes extends keyof Entity
  ? Name extends keyof NonNullable<Entity[typeof wireTypes]>
    ? NonNullable<Entity[typeof wireTypes]>[Name] & WireType
    : never
  : WireTypeOfValue<NonNullable<Entity[Name]>>;

/** The attributes whose wire type is not known. */
export type OpenName<Entity> = typeof wireTypes extends keyof Entity
  ? never
  : { [Name in keyof Entity & string]: unknown extends Entity[Name] ? Name : never }[keyof Entity &
      string];

type SpecialFloat = 'NaN' | 'Infinity' | '-Infinity';

type Structured = 'json' | 'array';

/** The wire types whose values have a type. */
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

/**
 * What a filter compares attributes with, by wire type; for those that are not listed it is a text.
 */
interface Operands {
  readonly int32: number | bigint;
  readonly int64: string | number | bigint;
  readonly decimal: string | number | bigint;
  readonly float64: number | SpecialFloat;
  /** In a database that knows no truth values, other numbers are in digits. */
  readonly boolean: boolean | `${number}`;
  readonly any: string | number | { readonly number: string } | { readonly bytes: string };
}

/** What a filter compares attributes of a wire type with. */
export type OperandOf<Type extends WireType> = Type extends keyof Operands
  ? Operands[Type]
  : string;
