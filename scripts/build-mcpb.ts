import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import JSZip from 'jszip';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(root, 'mcpb');

/** The bundle for clients that only start local programs: a ZIP of the folder `mcpb`. */
export async function mcpBundle(): Promise<Buffer> {
  const zip = new JSZip();
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(source, path.join(entry.parentPath, entry.name)));
  // One date for all, so that the same sources make the same bundle.
  const date = new Date('2020-01-01T00:00:00Z');
  for (const file of files.toSorted()) {
    zip.file(file, await readFile(path.join(source, file)), { date, createFolders: false });
  }
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** Writes the bundle and says where. */
async function build(): Promise<void> {
  const target = path.join(root, '.slipway', 'slipway.mcpb');
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, await mcpBundle());
  console.log(path.relative(process.cwd(), target));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
