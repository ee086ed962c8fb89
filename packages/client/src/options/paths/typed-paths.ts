import type { WireType } from '@proj/contract';

import type { Fewer, ModelBehind, RelationName, Steps } from './paths.ts';
import type { SortableName, WireTypeOf } from '../wire-type-of.ts';

/** How far the attributes behind relations are listed with their types. */
type Listed = readonly [1, 1];

/**
 * The attributes that may have a wire type, with those behind one or two relations. All behind
 * three would be too many to list in a schema with many relations.
 */
export type PathOfType<
  Models,
  Model extends keyof Models,
  Type extends WireType,
  Left extends Steps = Listed,
> =
  | NamesOf<Models[Model], Type>
  | (Left extends readonly []
      ? never
      : {
          [Relation in RelationName<Models, Model>]: `${Relation}.${PathOfType<
            Models,
            ModelBehind<Models, Model, Relation>,
            Type,
            Fewer<Left>
          >}`;
        }[RelationName<Models, Model>]);

/** The same of those by which a request may sort. */
export type SortablePath<Models, Model extends keyof Models> =
  | SortableWithin<Models, Model, Listed>
  | FarPath<Models, Model>;

type SortableWithin<Models, Model extends keyof Models, Left extends Steps> =
  | SortableName<Models[Model]>
  | (Left extends readonly []
      ? never
      : {
          [Relation in RelationName<Models, Model>]: `${Relation}.${SortableWithin<
            Models,
            ModelBehind<Models, Model, Relation>,
            Fewer<Left>
          >}`;
        }[RelationName<Models, Model>]);

/** Paths of three relations, of which the first two are checked. */
export type FarPath<Models, Model extends keyof Models> = {
  [Relation in RelationName<Models, Model>]: `${Relation}.${RelationName<
    Models,
    ModelBehind<Models, Model, Relation>
  >}.${string}.${string}`;
}[RelationName<Models, Model>];

/** The attributes of an entity that may have a wire type. */
type NamesOf<Entity, Type extends WireType> = {
  [Name in keyof Entity & string]: Type extends WireTypeOf<Entity, Name> ? Name : never;
}[keyof Entity & string];
