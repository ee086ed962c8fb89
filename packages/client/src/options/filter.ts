import type {
  AnyRecord,
  FilterLeaf,
  OperandKind,
  OperatorOf,
  OPERATORS,
  RelatedLeaf,
  WireType,
} from '@proj/contract';

import type { AnyModels, InversesOf, ModelName, OwnName, TargetOf } from './models.ts';
import type { FarPath, OpenName, OperandOf, PathOfType } from './typed-paths.ts';

/**
 * A comparison, a condition on related records, or a tree of them. Values of int64 may be bigints;
 * they travel as strings.
 *
 * Declared models determine the operators and values of each attribute. `Named` are the names in
 * the filter, inferred by the client's functions; paths of three relations are checked by them.
 */
export type QueryFilter<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> =
  | Comparison<Models, Model, Named>
  | RelatedCondition<Models, Model, Named>
  | { readonly and: readonly QueryFilter<Models, Model, Named>[] }
  | { readonly or: readonly QueryFilter<Models, Model, Named>[] }
  | { readonly not: QueryFilter<Models, Model, Named> };

export type Comparison<Models, Model extends ModelName<Models>, Named extends string> =
  string extends OwnName<Models, Model>
    ? FilterLeaf
    :
        | {
            [Type in WireType]: ComparisonOf<PathOfType<Models, Model, Type, Named>, Type>;
          }[WireType]
        | (FilterLeaf & {
            readonly attribute: OpenName<Models[Model]> | FarPath<Models, Model, Named>;
          });

/** Whether some, or none, of the records that refer to this one meet a filter; `{}` always does. */
export type RelatedCondition<Models, Model extends ModelName<Models>, Named extends string> =
  string extends OwnName<Models, Model>
    ? RelatedLeaf
    : {
        [Name in keyof InversesOf<Models[Model]> & string]: Quantified<
          Models,
          TargetOf<Models, InversesOf<Models[Model]>, Name>,
          Name,
          Named
        >;
      }[keyof InversesOf<Models[Model]> & string];

type Quantified<Models, Model extends ModelName<Models>, Name, Named extends string> =
  | Some<Models, Model, Name, Named>
  | None<Models, Model, Name, Named>;

/** An interface, which the compiler resolves lazily: models refer to each other in circles. */
interface Some<Models, Model extends ModelName<Models>, Name, Named extends string> {
  readonly related: Name;
  readonly some: QueryFilter<Models, Model, Named> | AnyRecord;
}

interface None<Models, Model extends ModelName<Models>, Name, Named extends string> {
  readonly related: Name;
  readonly none: QueryFilter<Models, Model, Named> | AnyRecord;
}

/** The forms that comparisons of a wire type have, by what their operators take. */
export type ComparisonOf<Name, Type extends WireType> = [Name] extends [never]
  ? never
  : {
      [Kind in OperandKind]: Form<
        Name,
        OperatorsFor<Type, Kind>,
        OperandsOf<OperandOf<Type>>[Kind]
      > &
        ([Kind, Type] extends ['day', 'timestamp_tz'] ? { readonly time_zone?: string } : unknown);
    }[OperandKind];

type OperatorsFor<Type extends WireType, Kind extends OperandKind> = {
  [Name in OperatorOf<Type>]: (typeof OPERATORS)[Name]['operand'] extends Kind ? Name : never;
}[OperatorOf<Type>];

/** By operand kind, for attributes that are compared with a type. */
interface OperandsOf<Operand> extends Record<OperandKind, unknown> {
  readonly value: Operand;
  readonly value_or_null: Operand | null;
  readonly list: readonly Operand[];
  readonly pair: readonly [Operand, Operand];
  readonly day: string;
  readonly truth: boolean;
}

type Form<Name, Op, Value> = [Op] extends [never]
  ? never
  : { readonly attribute: Name; readonly op: Op; readonly value: Value };
