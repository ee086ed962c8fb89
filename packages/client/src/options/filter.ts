import type {
  AnyRecord,
  FilterLeaf,
  OperandKind,
  OperatorOf,
  OPERATORS,
  RelatedLeaf,
  WireType,
} from '@proj/contract';

import type { AnyModels, ModelName, OwnName } from './models.ts';
import type { InversesOf, TargetOf } from './paths/relations.ts';
import type { FarPath, PathOfType } from './paths/typed-paths.ts';
import type { OpenName, OperandOf } from './wire-type-of.ts';

/**
 * A comparison, a condition on related records, or a tree of them. Values of int64 may be bigints;
 * they travel as strings.
 *
 * With declared models the operators and values of an attribute follow from its type: one that the
 * service refuses does not compile.
 */
export type QueryFilter<Models = AnyModels, Model extends ModelName<Models> = ModelName<Models>> =
  | Comparison<Models, Model>
  | RelatedCondition<Models, Model>
  | { readonly and: readonly QueryFilter<Models, Model>[] }
  | { readonly or: readonly QueryFilter<Models, Model>[] }
  | { readonly not: QueryFilter<Models, Model> };

/** One comparison of an attribute. */
export type Comparison<Models, Model extends ModelName<Models>> =
  string extends OwnName<Models, Model>
    ? FilterLeaf
    :
        | { [Type in WireType]: ComparisonOf<PathOfType<Models, Model, Type>, Type> }[WireType]
        | (FilterLeaf & { readonly attribute: OpenName<Models[Model]> | FarPath<Models, Model> });

/**
 * A condition on the records that refer to a record: at least one, or none, meets a filter of their
 * model. `{}` is met by all.
 */
export type RelatedCondition<Models, Model extends ModelName<Models>> =
  string extends OwnName<Models, Model>
    ? RelatedLeaf
    : {
        [Name in keyof InversesOf<Models[Model]> & string]: Quantified<
          Models,
          TargetOf<Models, InversesOf<Models[Model]>, Name>,
          Name
        >;
      }[keyof InversesOf<Models[Model]> & string];

type Quantified<Models, Model extends ModelName<Models>, Name> =
  | Some<Models, Model, Name>
  | None<Models, Model, Name>;

/** An interface, which the compiler looks into late: models refer to each other in circles. */
interface Some<Models, Model extends ModelName<Models>, Name> {
  readonly related: Name;
  readonly some: QueryFilter<Models, Model> | AnyRecord;
}

interface None<Models, Model extends ModelName<Models>, Name> {
  readonly related: Name;
  readonly none: QueryFilter<Models, Model> | AnyRecord;
}

/** The forms that comparisons of a wire type have, by what their operators take. */
type ComparisonOf<Name, Type extends WireType> = [Name] extends [never]
  ? never
  : {
      [Kind in OperandKind]: Form<
        Name,
        OperatorsFor<Type, Kind>,
        OperandsOf<OperandOf<Type>>[Kind]
      >;
    }[OperandKind];

/** The operators of a wire type that take one kind of operand. */
type OperatorsFor<Type extends WireType, Kind extends OperandKind> = {
  [Name in OperatorOf<Type>]: (typeof OPERATORS)[Name]['operand'] extends Kind ? Name : never;
}[OperatorOf<Type>];

/** What each kind of operand is, for attributes that are compared with a type. */
interface OperandsOf<Operand> extends Record<OperandKind, unknown> {
  readonly value: Operand;
  readonly value_or_null: Operand | null;
  readonly list: readonly Operand[];
  readonly pair: readonly [Operand, Operand];
  readonly truth: boolean;
}

type Form<Name, Op, Value> = [Op] extends [never]
  ? never
  : { readonly attribute: Name; readonly op: Op; readonly value: Value };
