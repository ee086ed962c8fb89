import { Dialog } from '../controls/dialog.tsx';

type Shortcut = readonly [keys: readonly string[], effect: string];

const PAGE: readonly Shortcut[] = [
  [['/'], 'Search the records'],
  [['?'], 'Show this list'],
  [['Esc'], 'Close a panel or a window'],
];

const TABLE: readonly Shortcut[] = [
  [['↑', '↓', '←', '→'], 'Go to the next cell'],
  [['Home', 'End'], 'Go to the first, the last cell of the row'],
  [['Ctrl Home', 'Ctrl End'], 'Go to the first, the last cell of the page'],
  [['Page Up', 'Page Down'], 'Turn the page'],
  [['Enter'], 'Show the value in full'],
  [['Space'], 'Open the record'],
  [['Shift F10'], 'Open the menu of the cell'],
  [['Ctrl C'], 'Copy the value'],
];

/** Every key that does something. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Shortcuts title="Everywhere" shortcuts={PAGE} />
      <Shortcuts title="In a cell of the table" shortcuts={TABLE} />
    </Dialog>
  );
}

interface ShortcutsProps {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

function Shortcuts({ title, shortcuts }: ShortcutsProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="shortcuts">
        {shortcuts.map(([keys, effect]) => (
          <div key={effect}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
