import { effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'dynamic-query-theme';

/** The colours that the reader chose; `system` follows the device. */
export const theme = signal<Theme>(
  THEMES.find((name) => name === localStorage.getItem(STORAGE_KEY)) ?? 'system',
);

/** Keeps the page and the storage in step with {@link theme}. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    localStorage.setItem(STORAGE_KEY, theme.value);
  });
}
