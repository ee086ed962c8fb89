import { saveFile } from '../controls/save-file.ts';

/** A file that is being written. */
export interface FileSink {
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Puts the file where the reader wanted it. */
  readonly close: () => Promise<void>;
  /** Forgets what was written. */
  readonly abandon: () => Promise<void>;
}

declare global {
  interface Window {
    /** TypeScript's own declarations lack it, since not every browser has it. */
    readonly showSaveFilePicker?: (options: {
      readonly suggestedName: string;
    }) => Promise<FileSystemFileHandle>;
  }
}

/**
 * Opens a file for writing: on the disk, piece by piece, where the browser lets a page do that,
 * else in memory until it is downloaded. Must be called in answer to a click, since the browser
 * asks the user for the place.
 *
 * @throws {DOMException} named AbortError when the reader names no place.
 */
export async function openFile(name: string, mediaType: string): Promise<FileSink> {
  if (window.showSaveFilePicker === undefined) return downloadSink(name, mediaType);
  const handle = await window.showSaveFilePicker({ suggestedName: name });
  const stream = await handle.createWritable();
  return {
    write: async (bytes) => stream.write(bytes),
    close: async () => stream.close(),
    abandon: async () => stream.abort(),
  };
}

function downloadSink(name: string, mediaType: string): FileSink {
  let parts: Blob[] = [];
  return {
    write: async (bytes) => {
      // A blob may leave the memory of the page; bytes may not.
      parts.push(new Blob([bytes]));
    },
    close: async () => {
      saveFile(new Blob(parts, { type: mediaType }), name);
    },
    abandon: async () => {
      parts = [];
    },
  };
}
