import type { WireType } from '@proj/contract';

import type { EndOf, Fewer, ModelBehind, RelationName, Steps } from './models.ts';

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

/** How many relations deep attributes are listed. */
type Listed = readonly [1, 1];

/**
 * Attributes that may have one of some wire types: those behind one or two relations, which editors
 * complete, and those behind three that the request names, because listing all is too much.
 *
 * @template Named the names in the request, or `string` where they are not known
 */
export type PathOfType<
  Models,
  Model extends keyof Models,
  Type extends WireType,
  Named extends string,
> = NearPath<Models, Model, Type> | (Named & KnownOfType<Models, Model, Type, Named>);

/** Also those of unknown types; any name where models are not declared. */
export type NameOfType<
  Models,
  Model extends keyof Models,
  Type extends WireType,
  Named extends string,
> = string extends keyof Models[Model]
  ? string
  :
      | PathOfType<Models, Model, Type, Named>
      | OpenName<Models[Model]>
      | FarPath<Models, Model, Named>;

/** Paths of three relations, the first two checked; none where the names are known. */
export type FarPath<
  Models,
  Model extends keyof Models,
  Named extends string,
> = Named extends unknown
  ? Partial<Record<Named, unknown>> extends Record<Named, unknown>
    ? {
        [Relation in RelationName<Models, Model>]: `${Relation}.${RelationName<
          Models,
          ModelBehind<Models, Model, Relation>
        >}.${string}.${string}`;
      }[RelationName<Models, Model>]
    : never
  : never;

type NearPath<
  Models,
  Model extends keyof Models,
  Type extends WireType,
  Left extends Steps = Listed,
> =
  | NamesOf<Models[Model], Type>
  | (Left extends readonly []
      ? never
      : {
          [Relation in RelationName<Models, Model>]: `${Relation}.${NearPath<
            Models,
            ModelBehind<Models, Model, Relation>,
            Type,
            Fewer<Left>
          >}`;
        }[RelationName<Models, Model>]);

type KnownOfType<
  Models,
  Model extends keyof Models,
  Type extends WireType,
  Path extends string,
> = Path extends unknown
  ? EndOf<Models, Model, Path> extends readonly [infer Entity, infer Name]
    ? Name extends NamesOf<Entity, Type>
      ? Path
      : never
    : never
  : never;

type NamesOf<Entity, Type extends WireType> = {
  [Name in keyof Entity & string]: Type extends WireTypeOf<Entity, Name> ? Name : never;
}[keyof Entity & string];
