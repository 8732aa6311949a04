import { baseName } from '../content/media-type.ts';
import type { Manifest } from './manifest.ts';

/** The direct contents of one folder of a bundle; folders and files are sorted by name. */
export interface Folder {
  folders: { name: string; files: number; bytes: number }[];
  files: { name: string; path: string; bytes: number }[];
  /** Everything at or below the folder. */
  totals: { files: number; bytes: number };
}

/** Created on first use: most visits list no folder. */
let byName: Intl.Collator | undefined;

/** Lists a folder (`''` or ending in `/`); the counts of a subfolder include everything below it. */
export function listFolder(manifest: Manifest, folder: string): Folder {
  const folders = new Map<string, { files: number; bytes: number }>();
  const files: Folder['files'] = [];
  const totals = { files: 0, bytes: 0 };
  for (const [path, { size }] of manifest) {
    if (!path.startsWith(folder)) continue;
    totals.files += 1;
    totals.bytes += size;
    const [name = '', rest] = path.slice(folder.length).split('/', 2);
    if (rest === undefined) {
      files.push({ name: baseName(path), path, bytes: size });
    } else {
      const sum = folders.get(name) ?? { files: 0, bytes: 0 };
      folders.set(name, { files: sum.files + 1, bytes: sum.bytes + size });
    }
  }
  byName ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const { compare } = byName;
  // Long rows of digits would take the collator seconds.
  const beginning = ({ name }: { name: string }) => name.slice(0, 64);
  const sorted = <T extends { name: string }>(items: T[]) =>
    items.sort((a, b) => compare(beginning(a), beginning(b)) || (a.name < b.name ? -1 : 1));
  return {
    folders: sorted([...folders].map(([name, sum]) => ({ name, ...sum }))),
    files: sorted(files),
    totals,
  };
}
