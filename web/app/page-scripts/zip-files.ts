import JSZip from 'jszip';
import type { PickedFile } from '../upload/picked.ts';

/**
 * The files in one ZIP, not compressed. A dropped folder may have more files than one request may have
 * parts. The ZIP is in memory: callers bound its size.
 */
export async function zipFiles(files: readonly PickedFile[]): Promise<Blob> {
  const zip = new JSZip();
  for (const { path, file } of files) {
    // Folders would count as entries.
    zip.file(path, file.arrayBuffer(), { createFolders: false });
  }
  return zip.generateAsync({ type: 'blob', mimeType: 'application/zip' });
}
