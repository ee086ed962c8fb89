import { SMALL_TENANTS } from './tenants.ts';

export const PAGE_SIZE = 10;

/** A page that a tenant asks for. */
export interface TenantRequest {
  readonly tenant: number;
  readonly page: number;
}

/** What tenants ask again and again. */
export interface TenantLoad {
  readonly label: string;
  /** What the rate of the service is to be at least, as a multiple of that of the route. */
  readonly goal: number;
  /** The request with this number, from 0 on. Those of one moment have numbers in a row. */
  readonly requestAt: (number: number) => TenantRequest;
}

/** Has no divisor in common with the number of pages: all of them are met, in turn. */
const STRIDE = 7919;

/**
 * What is asked for where the first tenant has so many rows, and so have the others together.
 */
export function tenantLoads(rows: number): readonly TenantLoad[] {
  const pages = Math.ceil(rows / PAGE_SIZE);
  const smallPages = Math.ceil(pages / SMALL_TENANTS);
  const middle = Math.ceil(pages / 2);
  return [
    {
      label: 'page 1 of one tenant, repeated',
      goal: 2,
      requestAt: () => ({ tenant: 0, page: 1 }),
    },
    {
      label: 'another middle page of one tenant each time',
      goal: 10,
      requestAt: (number) => {
        return { tenant: 0, page: Math.ceil(pages / 4) + ((number * STRIDE) % middle) };
      },
    },
    {
      label: `page 1 of ${SMALL_TENANTS} tenants in turn`,
      goal: 1,
      requestAt: (number) => ({ tenant: smallTenant(number), page: 1 }),
    },
    {
      label: `another page of ${SMALL_TENANTS} tenants in turn each time`,
      goal: 1,
      requestAt: (number) => {
        return {
          tenant: smallTenant(number),
          page: 1 + (Math.floor(number / SMALL_TENANTS) % smallPages),
        };
      },
    },
  ];
}

function smallTenant(number: number): number {
  return 1 + (number % SMALL_TENANTS);
}
