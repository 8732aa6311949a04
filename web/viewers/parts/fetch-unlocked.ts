import { fetchFile } from './fetch-file.ts';

/**
 * A file of Office, unlocked by the password that somebody enters above `stage`. Office puts a locked document into
 * a file of its format from before 2007.
 */
export async function fetchUnlocked(
  source: string,
  maxBytes: number,
  stage: HTMLElement,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await fetchFile(source, maxBytes);
  if (bytes[0] !== 0xd0) return bytes;
  const { unlocked } = await import('./unlock-form.ts');
  return unlocked(bytes, stage);
}
