import type { PathName, ValueAt } from './paths/paths.ts';

/**
 * Models that are not declared: any name, any attribute, values of
 * unknown type.
 */
export type AnyModels = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The names of the models. */
export type ModelName<Models> = keyof Models & string;

/** The names of one model's own attributes. */
export type OwnName<
  Models,
  Model extends ModelName<Models> = ModelName<Models>,
> = keyof Models[Model] & string;

/**
 * The names of one model's attributes, and paths such as `customer.name` to those of the models to
 * which its relations lead.
 */
export type AttributeName<Models, Model extends ModelName<Models> = ModelName<Models>> =
  | OwnName<Models, Model>
  | PathName<Models, Model>;

/**
 * One record: the requested attributes, or all that the model has itself, with their types. A path
 * is a member of that very name, and `null` where a relation on the way leads nowhere.
 */
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
