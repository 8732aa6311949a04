import { ViewerError } from '../parts/fetch-file.ts';
import { type Block, boundedReading, paragraphOf, type Reading, type Section } from './blocks.ts';
import { CompoundFile } from './compound-file.ts';

/** Numbers of records ([MS-PPT], section 2.13.24). */
const kinds = {
  slideList: 0x0ff0,
  slidePlace: 0x03f3,
  textHeader: 0x0f9f,
  text: 0x0fa0,
  textBytes: 0x0fa8,
  textOfOutline: 0x0f9e,
  edit: 0x0ff5,
  places: 0x1772,
} as const;

interface SlideRecord {
  kind: number;
  instance: number;
  isContainer: boolean;
  /** Its content in the stream. */
  start: number;
  end: number;
}

/** Text of a placeholder. Kinds 0 and 6 are titles (section 2.13.33). */
interface SlideText {
  kind: number;
  text: string;
}

const most = { depth: 30, edits: 1000 } as const;

/**
 * The texts of the slides of a PowerPoint file of 97 to 2003.
 * @throws ViewerError if it is older, locked or damaged
 */
export function readBinarySlides(bytes: Uint8Array<ArrayBuffer>): Reading {
  const file = new CompoundFile(bytes);
  const stream = file.stream('PowerPoint Document');
  const user = file.stream('Current User');
  if (stream === undefined || user === undefined || user.length < 20) throw damaged();
  const view = viewOf(user);
  // The mark of an encrypted file (section 2.3.2).
  if (view.getUint32(12, true) === 0xf3d1c4df) {
    throw new ViewerError('The file is protected by a password.');
  }
  return new SlideStream(stream).read(view.getUint32(16, true));
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(): ViewerError {
  return new ViewerError('The file is damaged, or its content does not match its name.');
}

class SlideStream {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }

  read(lastEdit: number): Reading {
    const { places, document } = this.#places(lastEdit);
    const root = this.#recordAt(places.get(document) ?? -1);
    if (root === undefined) throw damaged();
    const list = this.#recordsIn(root).find(
      ({ kind, instance }) => kind === kinds.slideList && instance === 0,
    );
    const slides = list === undefined ? [] : this.#outlineOf(list);
    return boundedReading(
      slides.map(({ place, texts }, index): Section => {
        const slide = this.#recordAt(places.get(place) ?? -1);
        const drawn = slide === undefined ? [] : this.#textsIn(slide, texts, 0);
        const shown = drawn.length > 0 ? drawn : texts;
        return { title: `Slide ${index + 1}`, blocks: shown.flatMap(blocksOf) };
      }),
    );
  }

  /** Where each part is: each edit names those that it changed (section 2.3.3). */
  #places(lastEdit: number): { places: Map<number, number>; document: number } {
    const places = new Map<number, number>();
    let document: number | undefined;
    let at = lastEdit;
    for (let left = most.edits; left > 0; left -= 1) {
      const edit = this.#recordAt(at);
      if (edit?.kind !== kinds.edit || edit.end - edit.start < 20) break;
      document ??= this.#view.getUint32(edit.start + 16, true);
      const directory = this.#recordAt(this.#view.getUint32(edit.start + 12, true));
      if (directory?.kind === kinds.places) this.#addPlaces(directory, places);
      at = this.#view.getUint32(edit.start + 8, true);
      if (at === 0) break;
    }
    if (document === undefined) throw damaged();
    return { places, document };
  }

  #addPlaces({ start, end }: SlideRecord, places: Map<number, number>): void {
    for (let at = start; at + 4 <= end; ) {
      const packed = this.#view.getUint32(at, true);
      const first = packed & 0xfffff;
      const count = packed >>> 20;
      at += 4;
      for (let index = 0; index < count && at + 4 <= end; index += 1, at += 4) {
        if (!places.has(first + index)) places.set(first + index, this.#view.getUint32(at, true));
      }
    }
  }

  #recordAt(at: number): SlideRecord | undefined {
    if (at < 0 || at + 8 > this.#bytes.length) return undefined;
    const first = this.#view.getUint16(at, true);
    const start = at + 8;
    return {
      kind: this.#view.getUint16(at + 2, true),
      instance: first >> 4,
      isContainer: (first & 0xf) === 0xf,
      start,
      end: Math.min(start + this.#view.getUint32(at + 4, true), this.#bytes.length),
    };
  }

  #recordsIn({ start, end }: SlideRecord): SlideRecord[] {
    const records: SlideRecord[] = [];
    for (let at = start; at + 8 <= end; ) {
      const record = this.#recordAt(at);
      if (record === undefined) break;
      records.push({ ...record, end: Math.min(record.end, end) });
      at = record.end;
    }
    return records;
  }

  /** The slides in their order, with the texts of their placeholders (section 2.4.14.3). */
  #outlineOf(list: SlideRecord): { place: number; texts: SlideText[] }[] {
    const slides: { place: number; texts: SlideText[] }[] = [];
    let kind = 4;
    for (const record of this.#recordsIn(list)) {
      const text = this.#textOf(record);
      if (record.kind === kinds.slidePlace && record.end - record.start >= 4)
        slides.push({ place: this.#view.getUint32(record.start, true), texts: [] });
      else if (record.kind === kinds.textHeader) {
        kind = this.#bytes[record.start] ?? 4;
        slides.at(-1)?.texts.push({ kind, text: '' });
      } else if (text !== undefined) {
        const last = slides.at(-1)?.texts.at(-1);
        if (last !== undefined) last.text = text;
      }
    }
    return slides;
  }

  /** The texts of all shapes of a slide; some name one of the outline by its number. */
  #textsIn(parent: SlideRecord, outline: readonly SlideText[], depth: number): SlideText[] {
    const texts: SlideText[] = [];
    let kind = 4;
    for (const record of this.#recordsIn(parent)) {
      if (record.kind === kinds.textHeader) kind = this.#bytes[record.start] ?? 4;
      const text = this.#textOf(record);
      const isReference = record.kind === kinds.textOfOutline && record.end - record.start >= 4;
      const named = isReference ? outline[this.#view.getUint32(record.start, true)] : undefined;
      if (named !== undefined) texts.push(named);
      else if (text !== undefined) texts.push({ kind, text });
      else if (record.isContainer && depth < most.depth)
        texts.push(...this.#textsIn(record, outline, depth + 1));
    }
    return texts;
  }

  #textOf({ kind, start, end }: SlideRecord): string | undefined {
    const bytes = this.#bytes.subarray(start, end);
    if (kind === kinds.text) return new TextDecoder('utf-16le').decode(bytes);
    return kind === kinds.textBytes ? new TextDecoder('latin1').decode(bytes) : undefined;
  }
}

function blocksOf({ kind, text }: SlideText): Block[] {
  const isTitle = kind === 0 || kind === 6;
  // A star stands for a number or a date that PowerPoint fills in.
  if (text.trim() === '*') return [];
  return text.split('\r').flatMap((line) => {
    const words = line.replaceAll('\u000B', '\n');
    if (words.trim() === '' || !isTitle) return paragraphOf(words);
    return [{ kind: 'heading', level: 2, runs: [{ text: words }] }];
  });
}
