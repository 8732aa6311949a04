/** A file and its path within what was dropped or chosen. */
export interface PickedFile {
  path: string;
  file: File;
}

/** What was picked: its name, and its files. */
export interface Picked {
  name: string;
  files: PickedFile[];
}

/** Files that programs leave in folders. */
const clutter = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$/;

/** The files of a drop, with those in its folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<Picked> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return picked(chosenFiles(transfer.files));
  return picked((await Promise.all(entries.map(filesOf))).flat());
}

/** The files of an input. */
export function chosenFiles(files: Iterable<File>): PickedFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Leaves clutter out, and a folder that has everything else. */
export function picked(all: readonly PickedFile[]): Picked {
  const files = all.filter(({ path }) => !clutter.test(path));
  const [first] = files;
  const top = first?.path.includes('/') === true ? first.path.split('/')[0] : undefined;
  if (top === undefined || files.some(({ path }) => !path.startsWith(`${top}/`))) {
    return { name: nameOf(files), files };
  }
  const inner = files.map(({ path, file }) => ({ path: path.slice(top.length + 1), file }));
  return { name: top, files: inner };
}

function nameOf(files: readonly PickedFile[]): string {
  const [first] = files;
  return first?.path.replace(/\.[^./]+$/, '') ?? '';
}

async function filesOf(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.slice(1), file }];
  }
  if (!isDirectory(entry)) return [];
  const inner: PickedFile[] = [];
  for (const child of await childrenOf(entry)) inner.push(...(await filesOf(child)));
  return inner;
}

/** A reader returns at most a hundred entries at once, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return children;
    children.push(...batch);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
