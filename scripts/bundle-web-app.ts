import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the web app (`web/app`) into a folder and returns every file that was read, relative to the
 * repository. In a process of its own: Vite and the synthesis of templates each need a thread for seconds.
 * @param brotli the level of compression; the highest by default, because a deployed file is built once and sent often
 */
export async function bundleWebApp(outDir: string, brotli = 11): Promise<string[]> {
  const program = path.join(root, 'scripts', 'web-app', 'build-web-app.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', program, path.resolve(outDir), String(brotli)],
    // Whatever the caller's own mode: React for development is larger and slower.
    { cwd: root, maxBuffer: 64 * 1024 ** 2, env: { ...process.env, NODE_ENV: 'production' } },
  );
  return z.array(z.string()).parse(JSON.parse(stdout));
}
