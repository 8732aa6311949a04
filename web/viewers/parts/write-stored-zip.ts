/** A file to write into an archive uncompressed. */
export interface StoredFile {
  name: Uint8Array;
  bytes: Uint8Array;
}

const utf8Names = 0x0800;
const version = 20;
const localBytes = 30;
const centralBytes = 46;

/**
 * A ZIP of these files, none of them compressed (APPNOTE 4.3.7, 4.3.12, 4.3.16); under 4 GB in all.
 *
 * It stays in memory and has no checksums, so it is only for readers that check none. JSZip would compute
 * them, for up to 200 MiB, and would be one more library in the worker of spreadsheets (decision 0041).
 */
export function writeStoredZip(files: readonly StoredFile[]): Uint8Array<ArrayBuffer> {
  const length = files.reduce(
    (total, { name, bytes }) => total + localBytes + centralBytes + 2 * name.length + bytes.length,
    22,
  );
  const archive = new Uint8Array(length);
  const view = new DataView(archive.buffer);
  let at = 0;
  const starts = files.map((file) => {
    const start = at;
    view.setUint32(at, 0x04034b50, true);
    describe(view, at + 4, file);
    archive.set(file.name, at + localBytes);
    archive.set(file.bytes, at + localBytes + file.name.length);
    at += localBytes + file.name.length + file.bytes.length;
    return start;
  });
  const directory = at;
  for (const [index, file] of files.entries()) {
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 4, version, true);
    describe(view, at + 6, file);
    view.setUint32(at + 42, starts[index] ?? 0, true);
    archive.set(file.name, at + centralBytes);
    at += centralBytes + file.name.length;
  }
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, files.length, true);
  view.setUint16(at + 10, files.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return archive;
}

/** The fields that local and central headers have in common, except time and checksum. */
function describe(view: DataView, at: number, { name, bytes }: StoredFile): void {
  view.setUint16(at, version, true);
  view.setUint16(at + 2, utf8Names, true);
  view.setUint32(at + 14, bytes.length, true);
  view.setUint32(at + 18, bytes.length, true);
  view.setUint16(at + 22, name.length, true);
}
