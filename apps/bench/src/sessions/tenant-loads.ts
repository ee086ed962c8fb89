import { COLUMNS } from '../databases/database.ts';
import type { Repeated } from '../subjects/requests.ts';
import { SMALL_TENANTS, TENANTS } from './tenants.ts';

const PAGE_SIZE = 10;

/** What tenants ask again and again. */
export interface TenantLoad {
  readonly label: string;
  /** What the rate of the service is to be at least, as a multiple of that of the route. */
  readonly goal: number;
  readonly request: Repeated;
}

/** A number for each request. */
type Numbered = (number: number) => number;

/** Has no divisor in common with the number of pages: all of them are met, in turn. */
const STRIDE = 7919;

const smallTenant: Numbered = (number) => 1 + (number % SMALL_TENANTS);

/**
 * What is asked of a table where the first tenant has so many rows, and so have the others
 * together.
 */
export function tenantLoads(table: string, rows: number): readonly TenantLoad[] {
  const pages = Math.ceil(rows / PAGE_SIZE);
  const smallPages = Math.ceil(pages / SMALL_TENANTS);
  const middle = Math.ceil(pages / 2);
  const asked = (tenantAt: Numbered, pageAt: Numbered): Repeated => ({
    tokenAt: (number) => TENANTS[tenantAt(number)]?.token ?? '',
    body: (number) => {
      const page = { page: pageAt(number), size: PAGE_SIZE };
      return JSON.stringify({ query_model: table, query_attributes: COLUMNS, page });
    },
  });
  return [
    {
      label: 'page 1 of one tenant, repeated',
      goal: 2,
      request: asked(
        () => 0,
        () => 1,
      ),
    },
    {
      label: 'another middle page of one tenant each time',
      goal: 10,
      request: asked(
        () => 0,
        (number) => Math.ceil(pages / 4) + ((number * STRIDE) % middle),
      ),
    },
    {
      label: `page 1 of ${SMALL_TENANTS} tenants in turn`,
      goal: 1,
      request: asked(smallTenant, () => 1),
    },
    {
      label: `another page of ${SMALL_TENANTS} tenants in turn each time`,
      goal: 1,
      request: asked(
        smallTenant,
        (number) => 1 + (Math.floor(number / SMALL_TENANTS) % smallPages),
      ),
    },
  ];
}
