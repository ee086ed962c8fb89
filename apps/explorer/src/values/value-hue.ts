const DEGREES = 360;

/** Of neighbouring letters the hues are far from each other. */
const STEP = 137;

/** A hue for a value, in degrees: the same for equal values, so that they are seen together. */
export function valueHue(text: string): number {
  let hue = 0;
  for (const character of text) hue = (hue * 31 + (character.codePointAt(0) ?? 0) * STEP) % DEGREES;
  return hue;
}
