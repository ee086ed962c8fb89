import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface MenuButtonProps {
  /** What the button is called where it shows no text. */
  readonly label?: string;
  readonly class?: string;
  readonly shows: ComponentChildren;
  /** The items: {@link MenuItem}s, and `<hr>` between them. */
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
        <Menu button={button.current} onClose={() => setOpen(false)}>
          {children}
        </Menu>
      )}
    </>
  );
}

interface MenuProps {
  readonly button: HTMLElement | null;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

function Menu({ button, children, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = menu;
    if (current === null) return;
    current.showPopover();
    placeAt(current, button);
    itemsOf(current)[0]?.focus();
  }, []);
  const close = () => {
    // What was chosen may take the focus; until then it is where it was.
    button?.focus();
    onClose();
  };
  return (
    <div
      ref={menu}
      role="menu"
      class="menu"
      popover="auto"
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onClick={close}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Tab' || event.key === 'Escape') close();
        const target = menu.current && itemFor(event.key, itemsOf(menu.current));
        if (!target) return;
        event.preventDefault();
        target.focus();
      }}
    >
      {children}
    </div>
  );
}

interface MenuItemProps {
  readonly children: ComponentChildren;
  /** Whether it is the choice that holds now; undefined for what is no choice but an action. */
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
}

/** One line of a menu. */
export function MenuItem({ children, isChosen, onChoose }: MenuItemProps) {
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      tabIndex={-1}
      onClick={onChoose}
    >
      <span class="mark" aria-hidden="true">
        {isChosen === true && '✓'}
      </span>
      {children}
    </button>
  );
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];
}

function itemFor(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  const at = items.findIndex((item) => item === document.activeElement);
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at - 1);
  if (key === 'Home') return items[0];
  return key === 'End' ? items.at(-1) : undefined;
}

/** Below the button and within the window. */
function placeAt(menu: HTMLElement, button: HTMLElement | null): void {
  if (button === null) return;
  const { left, bottom, top } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = bottom + height < innerHeight ? bottom : Math.max(0, top - height);
  menu.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  menu.style.top = `${below}px`;
}
