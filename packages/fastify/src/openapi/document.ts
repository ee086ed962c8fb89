import { GET_OPERATIONS } from './get-operations.ts';
import { HEADERS } from './headers.ts';
import { toOpenApi30 } from './openapi-3.0.ts';
import { READ_OPERATIONS } from './read-operations.ts';
import { componentSchemas } from './schemas.ts';

const DESCRIPTION = `Lists of records from a SQL database, a page at a time, with an exact total.
One endpoint answers queries; a catalogue says what can be asked.

**Access.** Send \`Authorization: Bearer <token>\`. A token sees the models, attributes and rows
that its role grants, and nothing else.

**Failures** are problem documents (RFC 9457). Their \`code\` never changes its meaning, and their
\`type\` leads to a page of this server: [all of them](problems). A path that is not listed here
answers 404 with \`not_found\`.

**Versions.** \`/api/v1\` only grows: optional members of requests, attributes and codes are added,
and nothing else.

Every path that answers GET answers HEAD too.`;

const TAGS = [
  {
    name: 'Query',
    description: 'Pages of records, whole lists, what attributes hold, and what changes.',
  },
  { name: 'Catalogue', description: 'What can be asked.' },
  { name: 'Health', description: 'For operators.' },
  { name: 'Reference', description: 'This document, as data and as pages.' },
];

/** Only 3.2 has the method QUERY. */
export const OPENAPI_VERSIONS = ['3.0.4', '3.1.1', '3.2.0'] as const;
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number];

export interface Described {
  readonly serviceVersion: string;
  /** Where callers reach the service, without a trailing slash, if known. */
  readonly publicUrl?: string | undefined;
  /** Which of the paths it has. Default: all. */
  readonly serves?: (path: string) => boolean;
}

export function openApiDocument(version: OpenApiVersion, described: Described): object {
  const parts = partsOf(version, described);
  return {
    openapi: version,
    info: infoOf(version, described.serviceVersion),
    ...(version === '3.0.4' ? toOpenApi30(parts) : parts),
  };
}

function infoOf(version: OpenApiVersion, serviceVersion: string): object {
  const info = { title: 'Dynamic Query', version: serviceVersion, description: DESCRIPTION };
  if (version === '3.0.4')
    return { ...info, license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' } };
  return {
    ...info,
    summary: 'One paged query endpoint over the data models of a SQL database.',
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

/** Relative to the document, for a server below a path of a proxy. */
const HERE = { url: '.', description: 'The server of this document.' };

function serversOf(publicUrl: string | undefined): object[] {
  const known = { url: publicUrl, description: 'Where callers reach the service.' };
  return publicUrl === undefined ? [HERE] : [known, HERE];
}

function partsOf(version: OpenApiVersion, { publicUrl, serves = () => true }: Described): object {
  const reads = Object.entries(READ_OPERATIONS).map(
    ([path, { post, query }]) => [path, version === '3.2.0' ? { post, query } : { post }] as const,
  );
  const gets = Object.entries(GET_OPERATIONS).map(([path, get]) => [path, { get }] as const);
  const paths = Object.fromEntries([...reads, ...gets].filter(([path]) => serves(path)));
  return {
    servers: serversOf(publicUrl),
    security: [{ bearer: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key that the operator handed out, or a JWT of an issuer that the operator trusts.',
        },
      },
      schemas: componentSchemas(),
      headers: headersOf(version),
    },
  };
}

/** Omits headers that no operation has. */
function headersOf(version: OpenApiVersion): object {
  const { Vary: ofQueries, ...headers } = HEADERS;
  return version === '3.2.0' ? { ...headers, Vary: ofQueries } : headers;
}
