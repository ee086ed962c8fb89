export { refineProvider } from './data-provider.ts';
export type { RefineDataProvider, RefineListParams, RefineOptions } from './data-provider.ts';
export type { RefineFilter } from './filter.ts';
export type { ResourceOptions } from '../reading/sources.ts';
