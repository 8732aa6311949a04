import { baseName, extensionOf } from '../../../core/content/media-type.ts';
import type { TextFile } from '../../../core/content/text-file.ts';
import { mostSettingMs } from '../../../core/visit/setting-time.ts';
import type { TextMarkup } from '../../../core/visit/text-markup.ts';
import { calendarMarkup } from '../../text/calendar/calendar-markup.ts';
import { codeMarkup, fits } from '../../text/code-markup.ts';
import { languageOf } from '../../text/highlight.ts';
import { markdownMarkup, remotePictures } from '../../text/markdown.ts';
import { notebookMarkup } from '../../text/notebook.ts';
import { contactsMarkup } from '../../text/records/contacts-markup.ts';
import { dotDiagram } from '../../text/records/dot-diagram.ts';
import { drawioMarkup } from '../../text/records/drawio-markup.ts';
import { dxfMarkup } from '../../text/records/dxf-markup.ts';
import { excalidrawMarkup } from '../../text/records/excalidraw-markup.ts';
import { jsonLinesMarkup } from '../../text/records/json-lines-markup.ts';
import { mailMarkup } from '../../text/records/mail-markup.ts';
import { mapMarkup } from '../../text/records/map-markup.ts';
import { richTextMarkup } from '../../text/records/rich-text-markup.ts';
import { withDigits } from '../../text/records/rich-text-pictures.ts';
import { declaredEncoding } from '../../../core/content/declared-encoding.ts';
import { decodeAs, guessEncoding } from '../../../core/content/guess-encoding.ts';
import { runWithTimeout } from '../../../core/run-with-timeout.ts';
import { escaped, revealInvisible } from '../parts/html.ts';

type RecordMarkup = (text: string, isWhole: boolean) => string | undefined;

/** Formats that are set as tables, cards or texts; each gives `undefined` for what is something else. */
const recordMarkups: ReadonlyMap<string, RecordMarkup> = new Map<string, RecordMarkup>([
  ...['ics', 'vcs', 'ical'].map((one) => [one, calendarMarkup] as const),
  ...['geojson', 'topojson', 'kml', 'gpx', 'tcx'].map((one) => [one, mapMarkup] as const),
  // Some programs name calendars so.
  ['vcf', (text) => contactsMarkup(text) ?? calendarMarkup(text)],
  ['dxf', dxfMarkup],
  ['excalidraw', excalidrawMarkup],
  // Older programs of the same drawings name them so.
  ...['drawio', 'dio', 'xml'].map((one) => [one, drawioMarkup] as const),
  ...['eml', 'emlx', 'mbox'].map((one) => [one, mailMarkup] as const),
  ['rtf', (text, isWhole) => richTextMarkup(text, isWhole, fits)],
  ['jsonl', jsonLinesMarkup],
  ['ndjson', jsonLinesMarkup],
]);

/** Files that are one diagram, as their own tools name them; each as Mermaid draws it. */
const diagrams: ReadonlyMap<string, (text: string) => string | undefined> = new Map([
  ...['mmd', 'mermaid'].map((one) => [one, withoutFence] as const),
  ...['dot', 'gv'].map((one) => [one, dotDiagram] as const),
]);

/** A diagram that was copied with the fence that it has in Markdown. */
function withoutFence(text: string): string {
  return /^\s*```[ \t]*(?:mermaid[ \t]*)?\n([^]*?)\n```\s*$/.exec(text)?.[1] ?? text;
}

/** The page of a bundle's file is set at each view, and others wait for its function. */
const recordsMs = 2000;

/**
 * A file of text as markup: Markdown, notebooks and calendars set, everything else as code. Loaded only when it is
 * needed, because it includes the rules of every language.
 * @param wholeMs a text or notebook that takes longer as a whole is shown as code
 * @param limitMs code that takes longer is not coloured, and records that take longer are shown as code
 */
export function textMarkup(file: TextFile, limitMs?: number, wholeMs = mostSettingMs): TextMarkup {
  return setText(file, readText(file), limitMs, wholeMs);
}

/** The pictures of other sites that a Markdown file shows; none if it takes too long to find them. */
export function remotePicturesOf(file: TextFile, limitMs: number): readonly string[] {
  return runWithTimeout(limitMs, () => remotePictures(readText(file).text)) ?? [];
}

interface ReadText {
  /** As `TextDecoder` takes it. */
  encoding: string;
  text: string;
}

/**
 * Decodes a file: by the encoding that it declares, otherwise by the likeliest one. Invalid characters become U+FFFD,
 * and lines end in a line feed.
 */
function readText({ path, bytes: written }: TextFile): ReadText {
  const bytes = extensionOf(path) === 'rtf' ? withDigits(written) : written;
  const encoding = declaredEncoding(path, bytes) ?? guessEncoding(bytes);
  return { encoding, text: decodeAs(encoding, bytes).replace(/\r\n?/g, '\n') };
}

function setText(
  file: TextFile,
  { encoding, text }: ReadText,
  limitMs?: number,
  wholeMs = mostSettingMs,
): TextMarkup {
  const { path, isWhole } = file;
  // These are read from their beginning on.
  const set =
    isWhole || /^(?:rtf|emlx?|mbox)$/.test(extensionOf(path))
      ? proseMarkup(file, text, { limitMs, wholeMs })
      : undefined;
  if (set !== undefined) return { kind: 'markdown', markup: set, ...legacy(encoding) };
  const language = languageOf(extensionOf(path) || baseName(path).toLowerCase());
  const code = codeMarkup(withoutColours(text), language, limitMs);
  return { kind: 'code', ...code, isCut: code.isCut || !isWhole, ...legacy(encoding) };
}

/** Logs of builds have the colours of a terminal (ECMA-48, section 8.3.117), which would stand before and behind each word. */
function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- it is what is left out
  return text.replace(/\u001B\[[\d;]*[mK]/g, '');
}

/** Bytes of Unicode leave nothing to choose. */
const legacy = (encoding: string) => (encoding.startsWith('utf-') ? {} : { encoding });

/** What is read of a text while no time is left: decoding megabytes takes longer than a limit. */
const mostQuickBytes = 512 * 1024;

/**
 * The beginning of a text as markup that takes little more time than a limit: beyond it, as code without colours.
 */
export function quickTextMarkup(whole: TextFile, limitMs: number): TextMarkup {
  const isShort = whole.bytes.length <= mostQuickBytes;
  const bytes = whole.bytes.subarray(0, mostQuickBytes);
  const file = isShort ? whole : { ...whole, bytes, isWhole: false };
  const read = readText(file);
  const set = runWithTimeout(limitMs, () => setText(file, read));
  if (set !== undefined) return set;
  const code = codeMarkup(read.text, undefined);
  return { kind: 'code', ...code, isCut: code.isCut || !file.isWhole };
}

function proseMarkup(
  { path, type, beside, taken, isWhole }: Omit<TextFile, 'bytes'>,
  text: string,
  { limitMs, wholeMs }: { limitMs: number | undefined; wholeMs: number },
): string | undefined {
  const extension = extensionOf(path);
  const readDiagram = diagrams.get(extension);
  const diagram = readDiagram && runWithTimeout(limitMs ?? recordsMs, () => readDiagram(text));
  if (diagram !== undefined) return diagramMarkup(diagram);
  // Their own limits count what they do; this one is for what those do not see.
  if (type === 'markdown') {
    return runWithTimeout(wholeMs, () => markdownMarkup(text, limitMs, beside, taken));
  }
  if (extension === 'ipynb') return runWithTimeout(wholeMs, () => notebookMarkup(text, limitMs));
  const recordMarkup = recordMarkups.get(extension);
  const markup =
    recordMarkup && runWithTimeout(limitMs ?? recordsMs, () => recordMarkup(text, isWhole));
  return markup !== undefined && fits(markup) ? markup : undefined;
}

/** As a fence of Markdown, which the page's script draws. It is no Markdown: what a file says could end its fence. */
function diagramMarkup(text: string): string | undefined {
  const shown = escaped(revealInvisible(text));
  const markup = `<pre tabindex="0" role="group" aria-label="Code"><code class="language-mermaid">${shown}</code></pre>\n`;
  return fits(markup) ? markup : undefined;
}
