import { type Keeping, KEEPING } from '../session/session.ts';

interface KeepingChoiceProps {
  readonly value: Keeping;
  readonly onChange: (keeping: Keeping) => void;
}

const LABELS: Readonly<Record<Keeping, readonly [string, string]>> = {
  page: [
    'Do not keep it',
    'In the memory of this page only: a reload and a shared link ask again.',
  ],
  tab: ['Keep it in this tab', 'In the session storage of the tab, until the tab is closed.'],
  browser: [
    'Keep it in this browser',
    'In the local storage of this address, for every tab and shared link, until you sign out. ' +
      'Whoever uses this browser can use it: not for shared computers.',
  ],
};

/** Where the token is kept, and how it is forgotten. */
export function KeepingChoice({ value, onChange }: KeepingChoiceProps) {
  return (
    <fieldset class="keeping">
      <legend>The token on this device</legend>
      {KEEPING.map((keeping) => {
        const [label, explanation] = LABELS[keeping];
        return (
          <label key={keeping} class="check">
            <input
              type="radio"
              name="keeping"
              checked={value === keeping}
              onChange={() => onChange(keeping)}
            />
            <span>
              {label}
              <small class="hint">{explanation}</small>
            </span>
          </label>
        );
      })}
      <p class="hint">“Sign out” forgets it in every tab. It is never part of an address.</p>
    </fieldset>
  );
}
