import { mkdir, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { Context } from './context.ts';
import { replaceJson } from './replace-file.ts';

/**
 * The folder for settings of programs on this platform. A variable that is empty, or names no absolute path, counts as
 * not set (XDG Base Directory Specification 0.8): the key never gets into the folder that is published.
 */
function configFolder({ env, platform }: Pick<Context, 'env' | 'platform'>): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const folderIn = (name: string) => {
    const folder = env[name];
    return folder !== undefined && paths.isAbsolute(folder) ? folder : undefined;
  };
  const home = folderIn('HOME') ?? userInfo().homedir;
  if (platform === 'win32') return folderIn('APPDATA') ?? paths.join(home, 'AppData', 'Roaming');
  const ofPlatform = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  return folderIn('XDG_CONFIG_HOME') ?? paths.join(home, ...ofPlatform);
}

/** Named values in a file of the settings that only its owner can read; none where it cannot be read. */
export function privateFile<Value>(context: Pick<Context, 'env' | 'platform'>, name: string) {
  const file = path.join(configFolder(context), 'slipway', name);
  return {
    file,
    async read(): Promise<Record<string, Value>> {
      try {
        return JSON.parse(await readFile(file, 'utf8'));
      } catch {
        return {};
      }
    },
    async write(all: Record<string, Value>): Promise<void> {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await replaceJson(file, all, 0o600);
    },
  };
}

/** Keys by the address of their installation. */
export function credentials(context: Pick<Context, 'env' | 'platform'>) {
  return privateFile<{ key: string; email: string }>(context, 'credentials.json');
}

/** The saved key of an installation. */
export async function savedKey(context: Context, url: string): Promise<string | undefined> {
  return (await credentials(context).read())[url]?.key;
}

/** Saves the key of an installation, or forgets it. */
export async function saveKey(
  context: Context,
  url: string,
  credential: { key: string; email: string } | undefined,
): Promise<void> {
  const kept = credentials(context);
  const { [url]: _, ...others } = await kept.read();
  await kept.write(credential === undefined ? others : { ...others, [url]: credential });
}
