export type { CatalogueReport, ExposeSettings, ModelSettings } from './catalogue/build.ts';
export { catalogueDocument, modelEntry } from './catalogue/document.ts';
export { EVERYTHING, visibleModel } from './catalogue/grant.ts';
export type { Grant } from './catalogue/grant.ts';
export type { Attribute, Catalogue, Model, OrderTerm } from './catalogue/model.ts';
export { openEngine } from './engine.ts';
export type { Answer, Engine, EngineSettings } from './engine.ts';
export { InvalidQueryError, QueryFailedError, SettingsError } from './errors.ts';
export type { QueryFailure } from './errors.ts';
