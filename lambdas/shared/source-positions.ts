import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * A line of a stack trace with a position in a bundle: ` at run
 * (file:///var/task/index.mjs:12:3456)`.
 */
const frame = /^(\s+at .*?)(file:\/\/[^\s()]+\/)([\w-]+\.mjs):(\d+):(\d+)(\)?)$/;

/** Longer lines are parts of a message and have no position in a bundle. */
const maxLineLength = 1000;

/** The maps that were read, by the address of their file. */
const maps = new Map<string, SourceMap>();

/**
 * Replaces positions in a bundle by positions in the sources, in a stack trace. Its maps are read
 * when an error first needs them: with `--enable-source-maps`, Node reads all of them while a
 * function starts.
 * @param folder of the bundle; positions in other folders stay unchanged
 */
export function sourcePositions(stack: string, folder = new URL('.', import.meta.url)): string {
  return stack
    .split('\n')
    .map((line) => (line.length > maxLineLength ? line : inSources(line, folder)))
    .join('\n');
}

function inSources(line: string, folder: URL): string {
  const [, before, place, name = '', row, column, after] = frame.exec(line) ?? [];
  if (place !== folder.href) return line;
  const origin = mapOf(new URL(name, folder))?.findOrigin(Number(row), Number(column));
  if (origin === undefined || !('fileName' in origin)) return line;
  // Source names are relative to the folder of the build.
  const source = origin.fileName.replace(/^(?:\.\.\/)+/, '');
  return `${before}${source}:${origin.lineNumber}:${origin.columnNumber}${after}`;
}

function mapOf(file: URL): SourceMap | undefined {
  const known = maps.get(file.href);
  if (known !== undefined) return known;
  try {
    const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file.href}.map`), 'utf8')));
    maps.set(file.href, map);
    return map;
  } catch {
    // Without a map: logging the error matters more than its position.
    return undefined;
  }
}
