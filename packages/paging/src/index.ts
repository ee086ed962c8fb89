export {
  isLastPage,
  hasNextPage,
  lastPage,
  pageCount,
  pageOffset,
  pageRange,
} from './arithmetic.ts';
export type { PageRange, PageRequest } from './arithmetic.ts';
export { pageMetadata, readPageMetadata } from './metadata.ts';
export type { PageMetadata, PageNumbers } from './metadata.ts';
export { paginate } from './paginate.ts';
export type { Paginated } from './paginate.ts';
