import type { Page } from 'playwright-core';

/** Makes the browser one that lets the page write no files. */
export async function withoutPicker(page: Page): Promise<void> {
  await page.evaluate(() =>
    Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }),
  );
}

/** Names a file of the page's own storage where the browser would ask the reader for one. */
export async function withOwnFiles(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    // The tests of a file share their storage.
    for await (const name of folder.keys()) await folder.removeEntry(name);
    Object.defineProperty(window, 'showSaveFilePicker', {
      value: async ({ suggestedName }: { suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    });
  });
}

/** The text of a file in the page's own storage; it is empty until the file has been written. */
export async function ownFile(page: Page, name: string): Promise<string> {
  return page.evaluate(async (file) => {
    const directory = await navigator.storage.getDirectory();
    const kept = await (await directory.getFileHandle(file)).getFile();
    try {
      return await kept.text();
    } catch (error) {
      // What was written has just taken its place.
      if (error instanceof DOMException && error.name === 'NotReadableError') return '';
      throw error;
    }
  }, name);
}
