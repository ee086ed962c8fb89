import type { SubjectName } from '../../subjects/subject.ts';

/** Colours that differ in brightness too, and are readable on white and on black. */
export const COLOURS: Record<SubjectName, string> = {
  service: '#e8590c',
  bare: '#1c7ed6',
  'bare-count': '#7048e8',
  static: '#868e96',
  tool: '#2f9e44',
};

/**
 * Text and lines follow the reader's light or dark theme, also where the plot is an image in a
 * page.
 */
export const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #212529 }
.title { font-weight: 600; font-size: 14px }
.faint { fill: #6c757d }
.grid { stroke: #adb5bd; stroke-opacity: .45 }
.span { stroke: #adb5bd; stroke-width: 1 }
@media (prefers-color-scheme: dark) {
  text { fill: #e9ecef }
  .faint { fill: #adb5bd }
  .grid, .span { stroke: #868e96 }
}
</style>`;

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
