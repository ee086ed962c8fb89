import type { PathName, ValueAt } from './paths/paths.ts';

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
