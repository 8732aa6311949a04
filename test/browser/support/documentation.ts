import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './curl.ts';
import { writeFiles } from './folders.ts';

const jsdoc = fileURLToPath(new URL('../../../node_modules/jsdoc/jsdoc.js', import.meta.url));

/** Builds a documentation of many HTML pages with JSDoc below `folder` and gives the folder of it. */
export async function buildDocumentation(folder: string): Promise<string> {
  writeFiles(folder, sources);
  const out = join(folder, 'out');
  await run(
    process.execPath,
    [jsdoc, '-R', 'README.md', '-d', out, 'harbour.js', 'tide.js'],
    folder,
  );
  return out;
}

const sources = {
  'README.md': '# Harbour\n\nBerths and tides, documented.\n',
  'harbour.js': `/**
 * Berths and the ships in them.
 * @module harbour
 */

/** A place for one ship. */
export class Berth {
  /** @param {number} metres How long the quay is. */
  constructor(metres) {
    this.metres = metres;
  }

  /**
   * Whether a ship of this length may moor here.
   * @param {number} length
   * @returns {boolean}
   */
  takes(length) {
    return length <= this.metres;
  }
}
`,
  'tide.js': `/**
 * When the water is high.
 * @module tide
 */

/**
 * Hours until high water.
 * @param {Date} now
 * @returns {number}
 */
export function hoursToHighWater(now) {
  return 12 - (now.getUTCHours() % 12);
}
`,
};
