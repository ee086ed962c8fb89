import type { ExportedColumn } from '@proj/engine';

export type EncoderColumns = readonly ExportedColumn[];

/** Asks for the next bytes of the file. */
export type EncoderStep =
  | { readonly do: 'begin' | 'end' }
  | { readonly do: 'add'; readonly text: string };

/** The bytes, or the attribute whose column cannot hold a value. */
export type EncoderReply =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly misfit: string };
