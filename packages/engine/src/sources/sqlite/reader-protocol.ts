import type { PageStatements } from '../source.ts';

/** What the server asks a reader process, one request at a time. */
export type ReaderRequest =
  | { readonly kind: 'page'; readonly statements: PageStatements }
  | { readonly kind: 'introspect' }
  | { readonly kind: 'ping' };

/** What the reader answers. `errcode` is SQLite's extended result code, `code` Node's. */
export type ReaderReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly errcode: number | undefined; readonly code: string | undefined };
