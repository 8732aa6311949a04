/** A function's answer may have 6 MB (AWS Lambda quotas); some is left for what stands around the projects. */
const maxPageBytes = 5.5 * 1024 * 1024;

/** How much of an export a page still takes. */
export interface PageRoom {
  isFull(): boolean;
  /** Takes a part of the page; false where it has no room for that any more. */
  take(part: object): boolean;
  /** The same of a file, which counts. */
  takeFile(file: object): boolean;
}

/** Room for `maxFiles` and for as many bytes as an answer may have; the first file always has room. */
export function pageRoom(maxFiles: number, maxBytes = maxPageBytes): PageRoom {
  let files = 0;
  let bytes = 0;
  const take = (part: object) => {
    const size = sentBytes(part);
    if (files > 0 && bytes + size > maxBytes) return false;
    bytes += size;
    return true;
  };
  return {
    isFull: () => files >= maxFiles || (files > 0 && bytes >= maxBytes),
    take,
    takeFile(file) {
      if (files >= maxFiles || !take(file)) return false;
      files += 1;
      return true;
    },
  };
}

/** An answer is JSON inside the JSON that a function gives API Gateway, so that every quote counts twice. */
function sentBytes(part: object): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(part)));
}
