import { safeFileName } from './safe-file-name.ts';

/** Saves bytes as a file. Their type keeps a browser from showing them on this site. */
export function saveFile(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = safeFileName(name);
  link.click();
  // A download starts after this script, and there is no event for its end.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
