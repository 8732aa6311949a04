import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type GuideSection, parseGuide } from '../../contract/discovery/connect-guide.ts';

const guide = fileURLToPath(new URL('../../docs/connect.md', import.meta.url));

/** How each client is connected, from `docs/connect.md`. */
export async function connectGuide(): Promise<GuideSection[]> {
  return parseGuide(await readFile(guide, 'utf8'));
}
