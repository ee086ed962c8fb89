/** Has the browser download a file, without asking for its place. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
