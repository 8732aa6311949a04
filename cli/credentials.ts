import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Context } from './context.ts';

/** Keys by the address of their installation, in a file that only its owner can read. */
type Credentials = Record<string, { key: string; email: string }>;

/** The folder for settings of programs on this platform. */
function configFolder({ env, platform }: Pick<Context, 'env' | 'platform'>): string {
  const home = env['HOME'] ?? homedir();
  if (platform === 'win32') return env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin' && env['XDG_CONFIG_HOME'] === undefined) {
    return path.join(home, 'Library', 'Application Support');
  }
  return env['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
}

/** The file that keeps keys. */
export function credentialsFile(context: Pick<Context, 'env' | 'platform'>): string {
  return path.join(configFolder(context), 'slipway', 'credentials.json');
}

/** The saved key of an installation. */
export async function savedKey(context: Context, url: string): Promise<string | undefined> {
  return (await readAll(context))[url]?.key;
}

/** Saves the key of an installation, or forgets it. */
export async function saveKey(
  context: Context,
  url: string,
  credential: { key: string; email: string } | undefined,
): Promise<void> {
  const { [url]: _, ...others } = await readAll(context);
  const file = credentialsFile(context);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const all = credential === undefined ? others : { ...others, [url]: credential };
  // A new file in place of the old one: an interrupted write loses no key, and the mode holds from the first byte.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

async function readAll(context: Context): Promise<Credentials> {
  try {
    const all: Credentials = JSON.parse(await readFile(credentialsFile(context), 'utf8'));
    return all;
  } catch {
    return {};
  }
}
