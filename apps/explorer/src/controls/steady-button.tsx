import type { ButtonHTMLAttributes } from 'preact';

interface SteadyButtonProps extends ButtonHTMLAttributes {
  readonly isOff: boolean;
  /** Undefined for a button that only sends its form. */
  readonly onClick?: () => void;
}

/**
 * A button that may be turned off by what it does. It keeps the focus then, which a disabled one
 * would lose.
 */
export function SteadyButton({ isOff, onClick, ...attributes }: SteadyButtonProps) {
  return (
    <button
      type="button"
      {...attributes}
      aria-disabled={isOff}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    />
  );
}
