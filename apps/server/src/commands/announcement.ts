import { nameTexts, shellWord } from '@proj/contract';
import type { Catalogue } from '@proj/engine';

import { CALLER_TOKEN_VARIABLE } from '../settings/file/sources.ts';

interface Announced {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  readonly catalogue: Catalogue;
  /** The token of this run, where none is set. */
  readonly temporaryToken: string | undefined;
  readonly explorer: boolean;
  readonly signInLink?: string | undefined;
}

export function announcement({
  origin,
  catalogue,
  temporaryToken: token,
  explorer,
  signInLink,
}: Announced): string {
  return [
    `Dynamic Query answers at ${origin}/api/v1/dynamic/query`,
    `Models: ${listed([...catalogue.keys()])}`,
    ...(explorer
      ? [`Look at them at ${origin}/, and at the API at ${origin}/docs`]
      : [`The API is described at ${origin}/docs`]),
    '',
    ...(signInLink === undefined
      ? []
      : ['This link signs in, once and within ten minutes:', `  ${signInLink}`, '']),
    ...(token === undefined ? [] : temporaryTokenLines(token)),
    token === undefined
      ? `Ask for a page, with a token in ${CALLER_TOKEN_VARIABLE}:`
      : 'Ask for a page:',
    `  ${curl(origin, token ?? `$${CALLER_TOKEN_VARIABLE}`, catalogue)}`,
    '',
    '',
  ].join('\n');
}

export function waitingNote(origin: string): string {
  return (
    `Dynamic Query listens at ${origin}. The database cannot be read yet: until it can, ` +
    'queries get 503.\n'
  );
}

function listed(names: readonly string[]): string {
  return names.length > 8
    ? `${nameTexts(names.slice(0, 8))} and ${names.length - 8} more`
    : nameTexts(names);
}

function temporaryTokenLines(token: string): string[] {
  return [
    'No token is set. This temporary one is valid until the process ends; in another terminal:',
    `  export ${CALLER_TOKEN_VARIABLE}=${token}`,
    '',
  ];
}

/** Works when it is pasted into a shell. */
function curl(origin: string, token: string, catalogue: Catalogue): string {
  const [model] = catalogue.values();
  const query_attributes = [...(model?.attributes.keys() ?? [])].slice(0, 4);
  const body = JSON.stringify({
    query_model: model?.name,
    query_attributes,
    page: { page: 1, size: Math.min(10, model?.maxPageSize ?? 10) },
  });
  const headers = `-H "Authorization: Bearer ${token}" -H 'Content-Type: application/json'`;
  return `curl -s '${origin}/api/v1/dynamic/query' ${headers} -d ${shellWord(body)}`;
}
