import { sha256 } from '../../src/access/tokens.ts';
import { QUERY_PATH } from '../helper.ts';

/** A table whose records are numbered from 1. */
export const NOTES = 'create table notes (id int primary key); insert into notes values (1), (2)';

/** Two roles, of which replicas may answer one, and a token of each with the name of its role. */
export const ROLES = `
roles:
  analyst: { models: all, replicas: allowed }
  clerk: { models: all }
tokens:
  - { name: analyst, role: analyst, sha256: ${sha256('analyst')} }
  - { name: clerk, role: clerk, sha256: ${sha256('clerk')} }
`;

let lists = 0;

/**
 * Asks a service for the last notes as the holder of a token. Each list is one that nobody has
 * asked for, so that nothing is known of what it costs; each request has a connection of its own.
 */
export function askForNotes(
  origin: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'POST' | 'QUERY' = 'POST',
): Promise<Response> {
  lists += 1;
  const common = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  return fetch(origin + QUERY_PATH, {
    method,
    headers: { ...common, ...headers },
    body: JSON.stringify({
      query_model: 'notes',
      query_attributes: ['id'],
      query_filter: { attribute: 'id', op: 'gt', value: -lists },
      page: { page: 1, size: 5 },
    }),
  });
}

/** How many notes a reply says that there are. */
export async function totalOf(reply: Response): Promise<number> {
  const { page } = (await reply.json()) as { page: { total: string } };
  return Number(page.total);
}
