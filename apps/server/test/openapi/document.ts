import { Ajv2020 } from 'ajv/dist/2020.js';

import { packageVersion } from '../../src/process/program-files.ts';
import {
  OPENAPI_VERSIONS,
  openApiDocument,
} from '../../../../packages/fastify/src/openapi/document.ts';
import { present } from '../helper.ts';
import type { Reply } from '../problem.ts';

interface Content {
  readonly schema: object;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, Response>>;
}

type JsonSchema = Readonly<Record<string, unknown>>;

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, object>>;
  };
}

/** The documents, read back from their JSON, the newest version last. */
export const DOCUMENTS = OPENAPI_VERSIONS.map(
  (version) =>
    JSON.parse(
      JSON.stringify(openApiDocument(version, { serviceVersion: packageVersion() })),
    ) as Document,
);

/** The document that has every operation. */
export const DOCUMENT = present(DOCUMENTS.at(-1));

/** The operations, such as `GET /livez`. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  ),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(closed(), 'document');

/**
 * The document with schemas that take no member which they do not name, so that none goes
 * undocumented.
 */
function closed(): object {
  const schemas = Object.entries(DOCUMENT.components.schemas).map(([name, schema]) => {
    return [name, 'properties' in schema ? { additionalProperties: false, ...schema } : schema];
  });
  return {
    ...DOCUMENT,
    components: { ...DOCUMENT.components, schemas: Object.fromEntries(schemas) },
  };
}

/** The codes of problems that a reply may have, such as "`not_found`: No resource has this path." */
export function codesOf({ description }: Response): string[] {
  return [...description.matchAll(/^`(\w+)`: /gm)].map(([, code = '']) => code);
}

/** How a value departs from a schema of the document. */
export function departures(name: string, value: unknown): string[] {
  return errorsOf(`#/components/schemas/${name}`, value);
}

/** How a reply departs from what the document says of the operation. */
export function replyDepartures(operation: string, { statusCode, headers, body }: Reply): string[] {
  const response = present(OPERATIONS.get(operation)).responses[statusCode];
  if (response === undefined) return [`Status ${statusCode} is not documented.`];
  return [
    ...bodyDepartures(operation, response, { statusCode, headers, body }),
    ...headerDepartures(response, headers),
  ];
}

function bodyDepartures(
  operation: string,
  response: Response,
  { statusCode, headers, body }: Reply,
): string[] {
  if (response.content === undefined) return body === '' ? [] : ['There is a body.'];
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const content = response.content[type];
  if (content === undefined) return [`Content type ${type} is not documented.`];
  if (!type.endsWith('json')) return [];
  const value = JSON.parse(body) as { readonly code?: string };
  const [, method = '', path = ''] = /^(\S+) (\S+)$/.exec(operation) ?? [];
  const steps = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(statusCode),
    'content',
    type,
    'schema',
  ];
  const errors = errorsOf(
    `#/${steps.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/')}`,
    value,
  );
  const codeIsListed = statusCode < 400 || codesOf(response).includes(value.code ?? '');
  return codeIsListed ? errors : [...errors, `The code ${value.code} is not documented.`];
}

/** Replies of the catalogue carry an ETag whatever their status, which promises nothing. */
function headerDepartures(response: Response, headers: Reply['headers']): string[] {
  const known = Object.keys(DOCUMENT.components.headers).filter(
    (name) => headers[name.toLowerCase()] !== undefined,
  );
  const documented = Object.keys(response.headers ?? {});
  return known
    .filter((name) => name !== 'ETag' && !documented.includes(name))
    .map((name) => `${name} is not documented.`);
}

function errorsOf(pointer: string, value: unknown): string[] {
  const validate =
    ajv.getSchema(`document${pointer}`) ?? ajv.compile({ $ref: `document${pointer}` });
  void validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}
