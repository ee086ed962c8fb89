export {
  type RefineDataProvider,
  type RefineListParams,
  type RefineOptions,
  refineProvider,
} from './data-provider.ts';
export type { RefineFilter } from './filter.ts';
export type { ResourceOptions } from '../reading/source.ts';
