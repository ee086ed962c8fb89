import { API_PATHS } from '@proj/contract';

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
  const members = { query_attributes: ['id'], page: { page: 1, size: 5 } };
  return send(`${origin}${QUERY_PATH}`, { token, headers, method, members });
}

/** The same for facets of notes. */
export function askForFacets(
  origin: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const members = { query_facets: [{ attribute: 'id', bins: 2 }] };
  return send(`${origin}/${API_PATHS.facets}`, { token, headers, method: 'POST', members });
}

interface Sent {
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: 'POST' | 'QUERY';
  /** Those beside the model and its filter. */
  readonly members: object;
}

function send(url: string, { token, headers, method, members }: Sent): Promise<Response> {
  lists += 1;
  const common = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  const filter = { attribute: 'id', op: 'gt', value: -lists };
  const body = { query_model: 'notes', query_filter: filter, ...members };
  return fetch(url, {
    method,
    headers: { ...common, ...headers },
    body: JSON.stringify(body),
  });
}

/** How many notes a reply says that there are. */
export async function totalOf(reply: Response): Promise<number> {
  const { page } = (await reply.json()) as { page: { total: string } };
  return Number(page.total);
}
