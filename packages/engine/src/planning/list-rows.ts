import type { Model } from '../catalogue/model.ts';
import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { RelationPath } from '../catalogue/relation.ts';

/** The rows of one table or view, as a model shows them. */
export interface TableRows {
  readonly kind: 'table';
  readonly model: Model;
}

/** Where the rows of a list come from. */
export type Rows = TableRows;

/** What holds for the rows of a list, whatever they are. */
export interface ListFacts {
  /** Whether the version of the data changes with each change of the rows. */
  readonly versioned: boolean;
  /** Whether several statements of one transaction see one state of them. */
  readonly hasSnapshots: boolean;
  /** As in {@link Model}: set where two reads in one snapshot may find different rows. */
  readonly varies: Model['varies'];
  /**
   * The relation of which each row of the list is one row, so that the changes of the relation are
   * those of the list. Undefined for lists whose changes no change feed describes.
   */
  readonly followable: RelationPath | undefined;
  readonly deprecated: DeprecationSettings | null;
}

/** The rows of a list, and what follows from what they are. */
export interface ListRows {
  /** The name of the model that a request asks for. */
  readonly name: string;
  readonly rows: Rows;
  /** All relations that the rows depend on. */
  readonly relations: readonly RelationPath[];
  readonly facts: ListFacts;
}

/** The rows of a model. */
export function tableRows(model: Model): ListRows {
  const { name, path, versioned, snapshots, varies, deprecated } = model;
  const hasFeed = versioned && snapshots;
  const facts: ListFacts = {
    versioned,
    hasSnapshots: snapshots,
    varies,
    followable: hasFeed ? path : undefined,
    deprecated,
  };
  return { name, rows: { kind: 'table', model }, relations: [path], facts };
}
