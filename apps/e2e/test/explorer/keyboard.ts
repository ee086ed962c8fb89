import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More controls than a page of the tests has. */
const MOST_STOPS = 120;

/** Presses Tab until a control has the focus. Each stop on the way shows that it has it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    expect(await focusFault(page)).toBeNull();
    if (await hasFocus(target)) return;
  }
  throw new Error(`No Tab of ${MOST_STOPS} leads there.`);
}

/** Waits until a control has the focus, and shows it. */
export async function seeFocus(page: Page, target: Locator): Promise<void> {
  await expect.poll(async () => hasFocus(target)).toBe(true);
  expect(await focusFault(page)).toBeNull();
}

/**
 * Whether what `act` opens has the focus in the very task that shows it, before the page is drawn.
 *
 * @param selector finds what opens
 */
export async function takesFocusAtOnce(
  page: Page,
  selector: string,
  act: () => Promise<void>,
): Promise<boolean> {
  const taken = page.evaluate(
    async (shown) =>
      new Promise<boolean>((resolve) => {
        new MutationObserver((_changes, observer) => {
          const opened = document.querySelector(shown);
          if (opened === null) return;
          observer.disconnect();
          resolve(opened.matches(':focus, :focus-within'));
        }).observe(document, { childList: true, subtree: true });
      }),
    selector,
  );
  await act();
  return taken;
}

async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((node) => node === document.activeElement);
}

/** What is wrong with the mark of the focus: `null` where all of it can be seen. */
export async function focusFault(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return null;
    const name = `${focused.outerHTML.slice(0, 80)} …`;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
    const width = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
    if (width === 0) return `No mark: ${name}`;
    const beyond = width + Number.parseFloat(outlineOffset);
    const box = focused.getBoundingClientRect();
    for (let around = focused.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const frame = around.getBoundingClientRect();
      const isCutX = box.left - beyond < frame.left - 0.5 || box.right + beyond > frame.right + 0.5;
      const isCutY = box.top - beyond < frame.top - 0.5 || box.bottom + beyond > frame.bottom + 0.5;
      if ((overflowX !== 'visible' && isCutX) || (overflowY !== 'visible' && isCutY))
        return `Its mark is cut by ${around.outerHTML.slice(0, 60)} …: ${name}`;
      // What is over the page is not cut by it.
      if (around.matches('dialog, [popover]')) break;
    }
    return null;
  });
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
