import * as z from 'zod';

const address = z.string().regex(/^[^\s,/]+:\d{1,5}$/, 'expected an address such as 10.0.0.7:5432');

/** How tables are read that are on several servers. */
export const clusterSettings = z.strictObject({
  cut: z
    .enum(['validated', 'none'])
    .default('validated')
    .describe(
      '`validated`: each reply is of one state of all servers, which none of them has left while ' +
        'it was looked for; 503 `no_common_state` where writers leave none for two seconds. ' +
        '`none`: what is on several servers is left out. It takes no right.',
    ),
  addresses: z
    .record(address, address)
    .optional()
    .describe(
      'The `host:port` at which the service reaches a server, by that of `pg_dist_node`, where ' +
        'it is another one. Login, database and TLS are those of `database`.',
    ),
});
