import type { RelationsOf, TargetOf } from './relations.ts';

/** The relations left of a path, one item each. */
export type Steps = readonly 1[];

export type Fewer<Left extends Steps> = Left extends readonly [1, ...infer Others extends Steps]
  ? Others
  : readonly [];

type Longest = readonly [1, 1, 1];

export type RelationName<Models, Model extends keyof Models> = keyof RelationsOf<Models[Model]> &
  string;

export type ModelBehind<Models, Model extends keyof Models, Relation> = TargetOf<
  Models,
  RelationsOf<Models[Model]>,
  Relation
>;

/**
 * The attribute at the end of a path, as a pair of entity and name; `never` where it leads nowhere.
 * Only requested paths are followed, so the compiler never lists them all. A name with dots comes
 * before a path.
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

/** NULL too, since a relation may lead nowhere. */
export type ValueAt<Models, Model extends keyof Models, Path extends string> =
  EndOf<Models, Model, Path> extends readonly [infer Entity, infer Name]
    ? Name extends keyof Entity
      ? Entity[Name] | null
      : never
    : never;

/** Only the paths that lead to an attribute. */
export type KnownPath<
  Models,
  Model extends keyof Models,
  Path extends string,
> = Path extends unknown ? ([EndOf<Models, Model, Path>] extends [never] ? never : Path) : never;

/** Names behind one relation, for editors, and the form of longer ones ({@link KnownPath}). */
export type PathName<Models, Model extends keyof Models> = {
  [Relation in RelationName<Models, Model>]:
    | `${Relation}.${keyof Models[ModelBehind<Models, Model, Relation>] & string}`
    | `${Relation}.${RelationName<Models, ModelBehind<Models, Model, Relation>>}.${string}`;
}[RelationName<Models, Model>];
