import { hiddenPath, ignoreFilePath } from '../../../core/content/left-out/sift-paths.ts';

/**
 * Browser script that does not use the page: names, sizes, and a ZIP writer. It only declares
 * functions, so tests can run it unchanged.
 *
 * The ZIP is stored, not compressed (APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16): it
 * exists because a dropped folder has more files than an upload without an account may have parts.
 */
export const packScript = String.raw`
// The service removes a folder that has everything, unless pages refer to it.
function topOf(files) {
  const tops = new Set(files.map(({ path }) => path.includes('/') ? path.split('/')[0] : ''));
  return tops.size === 1 ? [...tops][0] : '';
}

// The service has the same rule, and reads the ignore file. What is left out here is not sent.
function withoutHidden(picked, includeHidden) {
  const shared = topOf(picked);
  const isContent = ({ path }) => !${ignoreFilePath}.test(path);
  const isHidden = (file) => isContent(file) &&
    ${hiddenPath}.test(shared === '' ? file.path : file.path.slice(shared.length + 1));
  const files = picked.filter((file) => !isHidden(file));
  if (includeHidden || picked.length === 1 || !files.some(isContent)) return { folder: shared, files: picked, leftOut: [] };
  const leftOut = picked.filter(isHidden).map(({ path }) => shared === '' ? path : path.slice(shared.length + 1));
  return { folder: shared || topOf(files.filter(isContent)), files, leftOut };
}

function leftOutText(leftOut, warnings) {
  const { count = 0, paths = [] } = (warnings || []).find(({ kind }) => kind === 'left-out') || {};
  const all = leftOut.length + count;
  if (all === 0) return '';
  const names = [...leftOut, ...paths].sort((a, b) => a.split('/').length - b.split('/').length).slice(0, 3);
  return filesText(all) + (all === 1 ? ' was' : ' were') + ' left out: ' + names.join(', ') + (all > names.length ? ', …' : '');
}

function sizeText(bytes) {
  if (bytes === 1) return '1 byte';
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < 3) { size /= 1024; unit += 1; }
  return (unit > 0 && size < 9.95 ? Math.round(size * 10) / 10 : Math.round(size)) + ' ' + units[unit];
}

function leftText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
}

function filesText(amount) {
  return amount === 1 ? '1 file' : amount + ' files';
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xEDB88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function littleEndian(...fields) {
  return Uint8Array.from(fields.flatMap(([value, width]) =>
    Array.from({ length: width }, (_, index) => (value >>> (8 * index)) & 255)));
}

function zipParts(entries) {
  const bodies = [];
  const directory = [];
  let offset = 0;
  for (const { path, bytes } of entries) {
    const name = new TextEncoder().encode(path);
    const common = [[20, 2], [0x800, 2], [0, 2], [0, 2], [0x21, 2],
      [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]];
    const local = littleEndian([0x04034b50, 4], ...common);
    directory.push(littleEndian([0x02014b50, 4], [20, 2], ...common,
      [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), name);
    bodies.push(local, name, bytes);
    offset += local.length + name.length + bytes.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = littleEndian([0x06054b50, 4], [0, 2], [0, 2],
    [entries.length, 2], [entries.length, 2], [length, 4], [offset, 4], [0, 2]);
  return [...bodies, ...directory, end];
}
`;
