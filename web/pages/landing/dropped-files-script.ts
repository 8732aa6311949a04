/** `dropped(transfer)` and `plain(files)`: files with their paths, from a drop with its folders and from a choice. */
export const droppedFilesScript = String.raw`
async function walk(entry) {
  if (!entry.isDirectory) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.slice(1), file }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const inner of some) found.push(...await walk(inner));
  }
}

async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return plain(transfer.files);
  return (await Promise.all(entries.map(walk))).flat();
}

function plain(files) {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}
`;
