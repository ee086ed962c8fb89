import { named } from '@proj/fastify/settings';
import * as z from 'zod';

const address = z.string().regex(/^[^\s,/]+:\d{1,5}$/, 'expected an address such as 10.0.0.7:5432');

/** For tables spread over several servers. */
export const clusterSettings = z.strictObject({
  cut: z
    .enum(['auto', 'validated', 'locked', 'none'])
    .default('auto')
    .describe(
      'How each reply comes to be of one state of all servers. `validated`: none of them, or ' +
        'only one, has changed while the state was looked for, which takes no right; 503 ' +
        '`no_common_state` where writers leave no such state for two seconds. `locked`: ' +
        'transactions of several servers are held for that moment, for a twentieth of the time ' +
        'at most, which takes the right TRUNCATE on `pg_dist_transaction` on each server. ' +
        '`auto`: they are held only where writers leave too few states, and the right is there. ' +
        '`none`: what is on several servers is left out.',
    ),
  addresses: named(address, address)
    .optional()
    .describe(
      'The `host:port` at which the service reaches a server, by that of `pg_dist_node`, where ' +
        'it is another one. Login, database and TLS are those of `database`.',
    ),
});
