import type { RelationsOf, TargetOf } from './relations.ts';

/** The relations that are left of a path, one item for each. */
export type Steps = readonly 1[];

/** One relation fewer. */
export type Fewer<Left extends Steps> = Left extends readonly [1, ...infer Others extends Steps]
  ? Others
  : readonly [];

/** As many relations as a path may have. */
type Longest = readonly [1, 1, 1];

/** The names of the relations by which paths go on from a model. */
export type RelationName<Models, Model extends keyof Models> = keyof RelationsOf<Models[Model]> &
  string;

/** The model to which a relation leads. */
export type ModelBehind<Models, Model extends keyof Models, Relation> = TargetOf<
  Models,
  RelationsOf<Models[Model]>,
  Relation
>;

/**
 * The attribute at the end of a path, as a pair of its entity and its name; `never` where the path
 * leads nowhere. Only a path that is asked for is followed, so that the compiler never lists all
 * that there are. A name that has dots itself comes before a path.
 */
export type EndOf<
  Models,
  Model extends keyof Models,
  Path extends string,
  Left extends Steps = Longest,
> = [Model] extends [never]
  ? never
  : Path extends keyof Models[Model]
    ? readonly [Models[Model], Path]
    : Left extends readonly []
      ? never
      : Path extends `${infer Relation}.${infer Behind}`
        ? EndOf<Models, ModelBehind<Models, Model, Relation>, Behind, Fewer<Left>>
        : never;

/** The values at the end of a path: NULL too, since a relation may lead nowhere. */
export type ValueAt<Models, Model extends keyof Models, Path extends string> =
  EndOf<Models, Model, Path> extends readonly [infer Entity, infer Name]
    ? Name extends keyof Entity
      ? Entity[Name] | null
      : never
    : never;

/** Those of some paths that lead to an attribute. */
export type KnownPath<
  Models,
  Model extends keyof Models,
  Path extends string,
> = Path extends unknown ? ([EndOf<Models, Model, Path>] extends [never] ? never : Path) : never;

/**
 * The paths of a model: all names behind one relation, which editors complete, and the form of
 * those behind more, which {@link KnownPath} checks.
 */
export type PathName<Models, Model extends keyof Models> = {
  [Relation in RelationName<Models, Model>]:
    | `${Relation}.${keyof Models[ModelBehind<Models, Model, Relation>] & string}`
    | `${Relation}.${RelationName<Models, ModelBehind<Models, Model, Relation>>}.${string}`;
}[RelationName<Models, Model>];
