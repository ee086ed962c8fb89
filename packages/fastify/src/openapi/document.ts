import { GET_OPERATIONS } from './get-operations.ts';
import { HEADERS } from './headers.ts';
import { toOpenApi30 } from './openapi-3.0.ts';
import { READ_OPERATIONS } from './read-operations.ts';
import { componentSchemas } from './schemas.ts';

const DESCRIPTION = `Lists of records from a SQL database, a page at a time, with an exact total.

**Access.** Send \`Authorization: Bearer <token>\`. A token sees the models, attributes and rows
that its role grants, and nothing else.

**Failures** are problem documents (RFC 9457): [all of them](problems). Other paths than those
listed here answer 404 with \`not_found\`.

**Versions.** \`/api/v1\` only grows: by optional members of requests, attributes and codes.

Every path that answers GET answers HEAD too.`;

const TAGS = {
  Query: 'Pages of records, whole lists, what attributes hold, and what changes.',
  Catalogue: 'What can be asked.',
  Health: 'For operators.',
  Reference: 'This document, as data and as pages.',
};

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
  return { openapi: version, ...(version === '3.0.4' ? toOpenApi30(parts) : parts) };
}

const LICENSE = { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' };

/** Relative to the document, for a server below a path of a proxy. */
const HERE = { url: '.', description: 'The server of this document.' };

function partsOf(
  version: OpenApiVersion,
  { serviceVersion, publicUrl, serves = () => true }: Described,
): object {
  const known = { url: publicUrl, description: 'Where callers reach the service.' };
  const operations = Object.entries({ ...READ_OPERATIONS, ...GET_OPERATIONS });
  // Lint refuses headers that no operation has.
  const { Vary: _ofQueries, ...headers } = HEADERS;
  const isNew = version === '3.2.0';
  return {
    info: {
      title: 'Dynamic Query',
      version: serviceVersion,
      description: DESCRIPTION,
      license: LICENSE,
    },
    servers: publicUrl === undefined ? [HERE] : [known, HERE],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      operations.flatMap(([path, { query, ...others }]) =>
        serves(path) ? [[path, isNew && query ? { ...others, query } : others]] : [],
      ),
    ),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of the operator, or a JWT of an issuer that the operator trusts.',
        },
      },
      schemas: componentSchemas(),
      headers: isNew ? HEADERS : headers,
    },
  };
}
