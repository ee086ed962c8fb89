/** Undeclared: any name, any attribute, values of unknown type. */
export type AnyModels = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type ModelName<Models> = keyof Models & string;

export type OwnName<
  Models,
  Model extends ModelName<Models> = ModelName<Models>,
> = keyof Models[Model] & string;

/** A model's attributes, and paths such as `customer.name` along its relations. */
export type AttributeName<Models, Model extends ModelName<Models> = ModelName<Models>> =
  | OwnName<Models, Model>
  | PathName<Models, Model>;

/** A path is a member of that very name, `null` where a relation on the way leads nowhere. */
export type RecordOf<
  Models,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = OwnName<Models, Model>,
> = [Attribute] extends [OwnName<Models, Model>]
  ? Readonly<Pick<Models[Model], Attribute>>
  : Readonly<
      Pick<Models[Model], Attribute & OwnName<Models, Model>> & {
        [Path in Exclude<Attribute, OwnName<Models, Model>>]: ValueAt<Models, Model, Path>;
      }
    >;

/** `dq types` notes targets by relation name, with `null` where the reference may be NULL. */
export declare const relations: unique symbol;

/** `dq types` notes the models that refer to this one, by their names in filters. */
export declare const inverses: unique symbol;

/** Target models by relation name. */
export type RelationsOf<Entity> = typeof relations extends keyof Entity
  ? NonNullable<Entity[typeof relations]>
  : unknown;

/** Referring models by their names in filters. */
export type InversesOf<Entity> = typeof inverses extends keyof Entity
  ? NonNullable<Entity[typeof inverses]>
  : unknown;

/** `never` where the target is not declared. */
export type TargetOf<Models, Targets, Name> = Name extends keyof Targets
  ? NonNullable<Targets[Name]> & keyof Models & string
  : never;

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
