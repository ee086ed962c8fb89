/** A row of each of the tables; which of them a caller sees depends on its tenant and level. */
export interface Row {
  readonly id: number;
  readonly tenant: string;
  readonly level: number;
  readonly n: number;
}

export const MODELS = ['orders', 'shared', 'graded', 'stored', 'grouped', 'open'] as const;
export type Model = (typeof MODELS)[number];

export type Rows = ReadonlyMap<number, Row>;

/** What of the database decides which rows a caller sees, beside what tables hold. */
export interface Rules {
  /**
   * What shows rows of `orders`: a policy for those of the tenant, one for the low ones among them,
   * no policy at all, or row level security that is off.
   */
  readonly orders: 'own' | 'low' | 'none' | 'off';
  /** The level that the function of the policy of `graded` returns. */
  readonly grade: number;
  /** Whether the role of callers has the role to which the policy of `grouped` shows rows. */
  readonly isClerk: boolean;
  /** Whether the role of callers may read `open`. */
  readonly isGranted: boolean;
}

/** A state of the database. */
export interface World {
  readonly rows: Readonly<Record<Model, Rows>>;
  /** Whose rows of `shared` a tenant sees, as texts of {@link membershipOf}. */
  readonly memberships: ReadonlySet<string>;
  /** The level that the function of the policy of `stored` reads from a table. */
  readonly storedLevel: number;
  readonly rules: Rules;
}

export const LEVELS = [0, 1, 2, 3] as const;
export const TENANTS = ['t0', 't1', 't2', 't3'] as const;
export type Tenant = (typeof TENANTS)[number];

/** So many rows each table begins with; as many more ids are free. */
const ROWS = 320;
export const LAST_ID = ROWS * 2;

/** Every second id, so that each tenant has rows of each level. */
const FIRST_ROWS: Rows = new Map(
  Array.from({ length: ROWS }, (_, index) => {
    const [tenant, level] = [`t${index % 4}`, Math.floor(index / 4) % 4];
    return [2 * index + 1, { id: 2 * index + 1, tenant, level, n: index }];
  }),
);

export const FIRST_WORLD: World = {
  rows: {
    orders: FIRST_ROWS,
    shared: FIRST_ROWS,
    graded: FIRST_ROWS,
    stored: FIRST_ROWS,
    grouped: FIRST_ROWS,
    open: FIRST_ROWS,
  },
  memberships: new Set(TENANTS.map((tenant) => membershipOf(tenant, tenant))),
  storedLevel: 1,
  rules: { orders: 'own', grade: 1, isClerk: true, isGranted: true },
};

export function membershipOf(member: string, tenant: string): string {
  return `${member} ${tenant}`;
}

/**
 * The rows of a model that a tenant sees, in the order of their ids; undefined where the database
 * refuses to show any.
 */
export function visibleRows(world: World, model: Model, tenant: Tenant): Row[] | undefined {
  if (model === 'open' && !world.rules.isGranted) return undefined;
  const rows = [...world.rows[model].values()].toSorted((one, other) => one.id - other.id);
  return rows.filter((row) => SHOWN[model](row, world, tenant));
}

type Shows = (row: Row, world: World, tenant: Tenant) => boolean;

const SHOWN: Readonly<Record<Model, Shows>> = {
  orders: ({ tenant, level }, { rules: { orders } }, caller) => {
    if (orders === 'off') return true;
    return orders !== 'none' && tenant === caller && (orders === 'own' || level < 2);
  },
  shared: ({ tenant }, { memberships }, caller) => memberships.has(membershipOf(caller, tenant)),
  graded: ({ tenant, level }, { rules }, caller) => tenant === caller && level === rules.grade,
  stored: ({ tenant, level }, { storedLevel }, caller) =>
    tenant === caller && level === storedLevel,
  grouped: ({ tenant }, { rules }, caller) => rules.isClerk && tenant === caller,
  open: () => true,
};
