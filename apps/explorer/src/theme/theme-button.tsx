import { theme, THEMES } from './theme.ts';

const SYMBOLS = { system: '◐', light: '☀', dark: '☾' } as const;

/** Goes on to the next choice of colours. */
export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      class="plain"
      aria-label={`Colours: ${theme.value}. Change to ${next}`}
      title={`Colours: ${theme.value}`}
      onClick={() => {
        theme.value = next;
      }}
    >
      {SYMBOLS[theme.value]}
    </button>
  );
}
