import type { Page } from 'playwright-core';

/** Makes the browser one that lets no page write files. */
export async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }),
  );
}

/** Names a file of the page's own storage where the browser would ask the reader for one. */
export async function withOwnFiles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'showSaveFilePicker', {
      value: async ({ suggestedName }: { suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    });
  });
}

/** The text of a file in the page's own storage. */
export async function ownFile(page: Page, name: string): Promise<string> {
  return page.evaluate(async (file) => {
    const directory = await navigator.storage.getDirectory();
    return (await (await directory.getFileHandle(file)).getFile()).text();
  }, name);
}
