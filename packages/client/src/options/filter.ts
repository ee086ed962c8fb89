import type { FilterLeaf, OperandKind, OperatorOf, OPERATORS, WireType } from '@proj/contract';

import type { AnyModels, AttributeName, ModelName } from './models.ts';
import type { OpenName, OperandOf, WireTypeOf } from './wire-type-of.ts';

/**
 * A comparison, or a tree of them. Values of int64 may be bigints; they travel as strings.
 *
 * With declared models the operators and values of an attribute follow from its type: one that the
 * service refuses does not compile.
 */
export type QueryFilter<Models = AnyModels, Model extends ModelName<Models> = ModelName<Models>> =
  | Comparison<Models, Model>
  | { readonly and: readonly QueryFilter<Models, Model>[] }
  | { readonly or: readonly QueryFilter<Models, Model>[] }
  | { readonly not: QueryFilter<Models, Model> };

/** One comparison of an attribute. */
export type Comparison<Models, Model extends ModelName<Models>> =
  string extends AttributeName<Models, Model>
    ? FilterLeaf
    :
        | { [Type in WireType]: ComparisonOf<NamesOf<Models[Model], Type>, Type> }[WireType]
        | (FilterLeaf & { readonly attribute: OpenName<Models[Model]> });

/** The attributes that may have a wire type. */
type NamesOf<Entity, Type extends WireType> = {
  [Name in keyof Entity & string]: Type extends WireTypeOf<Entity, Name> ? Name : never;
}[keyof Entity & string];

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
