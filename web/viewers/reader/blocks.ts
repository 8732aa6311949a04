/** Words that look alike. */
export interface Run {
  text: string;
  isBold?: boolean | undefined;
  isItalic?: boolean | undefined;
  /** An address of another site. */
  href?: string | undefined;
}

/** A part of a document that is read without its layout. */
export type Block =
  | { kind: 'heading'; level: number; runs: Run[] }
  | { kind: 'paragraph'; runs: Run[] }
  /** Neighbours are one list; deeper levels are lists within it. From 1. An item may have a number. */
  | { kind: 'item'; level: number; number?: number | undefined; runs: Run[] }
  /** Text whose spaces and lines count. */
  | { kind: 'lines'; text: string }
  | { kind: 'table'; rows: Block[][][] }
  | { kind: 'picture'; bytes: Uint8Array<ArrayBuffer>; words: string }
  /** A drawing that we made; those of files could repeat themselves without end. */
  | { kind: 'drawing'; svg: string; width: number; height: number; words: string }
  /** A thing that is named and not shown, such as a chart. */
  | { kind: 'box'; words: string };

/** A chapter or a slide, or all of a document without such parts. */
export interface Section {
  /** Empty for a document that is one section. */
  title: string;
  blocks: Block[];
}

/** A document as its page shows it. */
export interface Reading {
  title?: string | undefined;
  /** What the page shows of it. */
  remark?: string | undefined;
  sections: Section[];
  /** Whether there is more than {@link mostBlocks}. */
  isCut: boolean;
}

/** Paragraphs, cells and pictures that a page has at most. */
const mostBlocks = 20_000;
/** Words that look other than those beside them. */
const mostRuns = 25_000;

/**
 * The parts of a document within {@link mostBlocks} and {@link mostRuns}, with what is in tables within tables. The
 * first table that is too long keeps the rows that fit.
 */
export function boundedReading(
  sections: readonly Section[],
  title?: string,
  most = mostBlocks,
): Reading {
  let room = most;
  let runs = mostRuns;
  const fits = (block: Block): boolean => {
    room -= 1;
    if ('runs' in block) {
      block.runs = joinedRuns(block.runs);
      runs -= block.runs.length;
    }
    if (room < 0 || runs < 0) return false;
    const rows = block.kind === 'table' ? block.rows : [];
    // A cell that is repeated is one array.
    const end = rows.findIndex((row) =>
      row.some((cell) => {
        room -= 1;
        return room < 0 || !cell.every(fits);
      }),
    );
    if (block.kind === 'table' && end !== -1) block.rows = rows.slice(0, end);
    return end === -1;
  };
  const kept: Section[] = [];
  let isCut = false;
  for (const section of sections) {
    const first = section.blocks.findIndex((block) => !fits(block));
    isCut = first !== -1;
    const blocks = isCut ? section.blocks.slice(0, first) : section.blocks;
    const cut = section.blocks[first];
    if (cut !== undefined) blocks.push(...beginningOf(cut, room < 0 ? -Infinity : runs));
    room -= 1;
    kept.push({ ...section, blocks });
    if (isCut || room < 0) break;
  }
  return { title, sections: kept, isCut: isCut || kept.length < sections.length };
}

/** What is shown of a block that does not fit: the rows that were kept, or the runs before those too many. */
function beginningOf(block: Block, runsLeft: number): Block[] {
  if (block.kind === 'table') return block.rows.length > 0 ? [block] : [];
  if (!('runs' in block)) return [];
  const runs = block.runs.slice(0, Math.max(0, runsLeft + block.runs.length));
  return runs.length > 0 ? [{ ...block, runs }] : [];
}

/** Neighbours that look alike are one. */
function joinedRuns(runs: readonly Run[]): Run[] {
  const joined: { look: Omit<Run, 'text'>; texts: string[] }[] = [];
  for (const { text, ...look } of runs) {
    const last = joined.at(-1);
    const isLike =
      last !== undefined &&
      last.look.isBold === look.isBold &&
      last.look.isItalic === look.isItalic &&
      last.look.href === look.href;
    if (isLike) last.texts.push(text);
    else joined.push({ look, texts: [text] });
  }
  return joined.map(({ look, texts }) => ({ text: texts.join(''), ...look }));
}

/** The words of runs. */
export function textOfRuns(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** A paragraph of one text; none for an empty one. */
export function paragraphOf(text: string): Block[] {
  return text.trim() === '' ? [] : [{ kind: 'paragraph', runs: [{ text }] }];
}
