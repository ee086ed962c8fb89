import type { WireType } from '@proj/contract';

import type { EndOf, Fewer, ModelBehind, RelationName, Steps } from './paths.ts';
import type { OpenName, WireTypeOf } from '../wire-type-of.ts';

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
