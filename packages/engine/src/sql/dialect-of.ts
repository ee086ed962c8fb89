import type { Model } from '../catalogue/model.ts';
import type { Dialect } from './dialect.ts';

/** The dialect for a model: of a view, one by which versions hold only while it is defined so. */
export function dialectOf({ definition }: Model, dialect: Dialect): Dialect {
  return definition === undefined ? dialect : (dialect.whileDefined?.(definition) ?? dialect);
}
