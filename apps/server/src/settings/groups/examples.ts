/** For documentation and editors: groups whose members the operator names. */
export const SETTING_EXAMPLES = {
  databases: {
    shop: { url: '${SHOP_URL}', follow: true, models: { orders: { attributes: 'all' } } },
    crm: { url: 'mysql://reader@crm.internal/crm', prefix: 'none', expose: 'all' },
  },
  models: {
    orders: {
      source: 'sales.orders_2',
      description: 'What was ordered, a record for each order.',
      key: ['id'],
      attributes: {
        id: {},
        customer: { column: 'customer_name', description: 'Who ordered.' },
        ordered_at: { type: 'timestamp', stored_as: 'unix_seconds' },
        margin: { hidden: true },
        color: { json: 'details', path: ['sizes', 0, 'color'], type: 'text' },
        profit: { sql: 'price - cost', type: 'decimal', reads: 'row' },
        region: {
          deprecated: { since: '2026-01-01', sunset: '2027-01-01', note: 'Use `country`.' },
        },
      },
      relations: {
        buyer: {
          attributes: ['customer'],
          model: 'customers',
          key: ['name'],
          inverse: 'purchases',
        },
      },
      label: 'customer',
      default_sort: [{ attribute: 'ordered_at', direction: 'desc', nulls: 'last' }],
      max_page_size: 200,
      distributed: 'approximate',
    },
    open_orders: {
      sql: "select id, customer_name from sales.orders_2 where state = 'open'",
      reads: ['sales.orders_2'],
      key: ['id'],
    },
    trips: { files: '/data/trips/*.parquet', key: ['id'] },
  },
  roles: {
    auditor: { models: 'all', data_version: true },
    clerk: {
      models: {
        orders: {
          attributes: ['id', 'customer', 'ordered_at'],
          max_page_size: 100,
          rows: { attribute: 'tenant', op: 'eq', value: '$claims.tenant' },
        },
      },
      replicas: 'allowed',
    },
    tenant: {
      models: 'all',
      database_session: {
        role: 'tenant',
        settings: { 'app.tenant': '$claims.tenant', 'request.jwt.claims': '$claims' },
        trusts: ['auth.uid()'],
      },
    },
  },
  tokens: [
    {
      name: 'reporting',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      role: 'clerk',
      expires: '2027-02-19',
      claims: { tenant: 'north' },
    },
  ],
  jwt: [
    {
      issuer: 'https://id.example.com/realms/shop',
      audience: 'dynamic-query',
      jwks_url: 'https://id.example.com/realms/shop/protocol/openid-connect/certs',
      algorithms: ['RS256'],
      clock_skew_seconds: 10,
      role_claim: 'realm_access.roles',
      roles: { 'shop-clerk': 'clerk', 'shop-auditor': 'auditor' },
      name_claim: 'client_id',
    },
  ],
} as const;
