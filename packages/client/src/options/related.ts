import type { RequestedRelated } from '@proj/contract';

import type { QueryFilter } from './filter.ts';
import type { AggregateTerm, AggregateType, AggregateValue } from './groups-query.ts';
import type { InversesOf, ModelName, OwnName, TargetOf } from './models.ts';
import type { wireTypes } from './typed-paths.ts';

/** A count or an aggregate of the records that refer to each record. */
export type RelatedTerm<Models, Model extends ModelName<Models>> =
  string extends OwnName<Models, Model>
    ? RequestedRelated[string]
    : {
        [Name in keyof InversesOf<Models[Model]> & string]: AggregateTerm<
          Models,
          Referring<Models, Model, Name>
        > & {
          /** The name that filters have for the related records. */
          readonly related: Name;
          /** Which related records to look at. @default all */
          readonly filter?: QueryFilter<Models, Referring<Models, Model, Name>>;
        };
      }[keyof InversesOf<Models[Model]> & string];

/** By the name of the attribute that each is. */
export type RelatedTerms<Models, Model extends ModelName<Models>> = Readonly<
  Record<string, RelatedTerm<Models, Model>>
>;

declare const none: unique symbol;

/** It has no member with a name. */
export type NoRelated = Readonly<Partial<Record<typeof none, never>>>;

export interface WithRelated<Related> {
  /** At most 5. Each is an attribute of this request. @default nothing */
  readonly related?: Related;
}

type Referring<Models, Model extends ModelName<Models>, Name> = TargetOf<
  Models,
  InversesOf<Models[Model]>,
  Name
>;

/** Models of which one also has the counts and aggregates of a request, which name them alone. */
export type RelatedModels<Models, Model extends ModelName<Models>, Related> = {
  [Name in keyof Models]: Name extends Model
    ? [keyof Related & string] extends [never]
      ? Models[Name]
      : Models[Name] & Members<Models, Model, NoInfer<Related>>
    : Models[Name];
};

type Members<Models, Model extends ModelName<Models>, Related> = {
  [Name in keyof Related & string]: AggregateValue<
    Models,
    ReferringIn<Models, Model, Related[Name]>,
    Related[Name]
  >;
} & (typeof wireTypes extends keyof Models[Model]
  ? {
      readonly [wireTypes]?: {
        readonly [Name in keyof Related & string]: AggregateType<
          Models,
          ReferringIn<Models, Model, Related[Name]>,
          Related[Name]
        >;
      };
    }
  : unknown);

type ReferringIn<Models, Model extends ModelName<Models>, Term> = Term extends {
  readonly related: infer Name;
}
  ? Referring<Models, Model, Name>
  : never;
