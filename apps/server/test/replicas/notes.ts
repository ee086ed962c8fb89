import { API_PATHS } from '@proj/contract';

import { sha256 } from '../../src/access/tokens.ts';
import { CLOSING, sendTo } from '../helper.ts';

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
  const members = { query_attributes: ['id'], page: { page: 1, size: 5 } };
  return sendTo(origin, next(members), { token, headers: { ...CLOSING, ...headers }, method });
}

/** The same for facets of notes. */
export function askForFacets(
  origin: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const members = { query_facets: [{ attribute: 'id', bins: 2 }] };
  return sendTo(origin, next(members), {
    token,
    headers: { ...CLOSING, ...headers },
    path: `/${API_PATHS.facets}`,
  });
}

/** Members of a request with a list that nobody has asked for. */
function next(members: object): object {
  lists += 1;
  const query_filter = { attribute: 'id', op: 'gt', value: -lists };
  return { query_model: 'notes', query_filter, ...members };
}

/** How many notes a reply says that there are. */
export async function totalOf(reply: Response): Promise<number> {
  const { page } = (await reply.json()) as { page: { total: string } };
  return Number(page.total);
}
