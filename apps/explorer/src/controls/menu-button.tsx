import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { Menu } from './menu.tsx';

interface MenuButtonProps {
  /** What the button is called where it shows no text. */
  readonly label?: string;
  readonly class?: string;
  readonly shows: ComponentChildren;
  /** The items: `MenuItem`s, and `<hr>` between them. */
  readonly children: ComponentChildren;
}

/**
 * A button that opens a menu. Arrow keys go through it; Escape, a choice and a click beside it
 * close it.
 */
export function MenuButton({ label, class: name, shows, children }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // A click on the button is beside the menu, and so closes it before it is clicked.
  const wasOpen = useRef(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={name}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onClick={({ detail }) => setOpen(detail === 0 ? !isOpen : !wasOpen.current)}
      >
        {shows}
      </button>
      {isOpen && (
        <Menu opener={button.current} onClose={() => setOpen(false)}>
          {children}
        </Menu>
      )}
    </>
  );
}
