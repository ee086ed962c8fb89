/** How the operator of the service calls this page, as its HTML says. */
export const branding = {
  name: metaText('name') ?? 'Dynamic Query',
  /** Address of the picture beside the name; `null` for none. */
  logo: metaText('logo'),
};

/** Colours the page as the operator wants it; how light, the style sheet decides. */
export function applyBranding(): void {
  const colour = metaText('colour');
  if (colour !== null) document.documentElement.style.setProperty('--brand', colour);
}

function metaText(name: string): string | null {
  return document.querySelector(`meta[name="branding-${name}"]`)?.getAttribute('content') ?? null;
}
