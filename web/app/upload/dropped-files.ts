import { type Picked, picked, type PickedFile } from './picked.ts';

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
