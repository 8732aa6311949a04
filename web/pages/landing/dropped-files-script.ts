/** `droppedFiles(transfer)` and `chosenFiles(files)`: files with their paths, from a drop with folders and from a file input. */
export const droppedFilesScript = String.raw`
async function walk(entry) {
  if (!entry.isDirectory) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.slice(1), file }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return found;
    for (const inner of batch) found.push(...await walk(inner));
  }
}

async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return chosenFiles(transfer.files);
  return (await Promise.all(entries.map(walk))).flat();
}

function chosenFiles(files) {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}
`;
