import { isRecord } from '../../core/json.ts';

/** A text of a notebook as Markdown that can be set, and its pictures, put in their places afterwards. */
interface NotebookText {
  markdown: string;
  withPictures: (markup: string, room: PictureRoom) => string;
}

/**
 * A text of a notebook: pictures that the cell has attached (nbformat 4, section "Cell attachments"), and formulas
 * without dollars, which Jupyter sets too. Pictures stand for themselves as short words while the text is set.
 */
export function notebookText(source: string, attachments: unknown): NotebookText {
  const pictures: string[] = [];
  const pictureOf = attachedPictures(attachments);
  const markdown = withDollars(source).replace(
    /attachment:([^\s)"'>]+)/g,
    (whole, name: string) => {
      const picture = pictureOf(name);
      if (picture === undefined) return whole;
      return `data:image/png;base64,${placeOf(pictures.push(picture) - 1)}`;
    },
  );
  return {
    markdown,
    withPictures(markup, room) {
      return markup.replace(places, (whole, index: string) => {
        const picture = pictures[Number(index)];
        if (picture === undefined) return whole;
        room.pictureChars -= picture.length;
        return room.pictureChars < 0 ? '' : picture;
      });
    },
  };
}

/** What is left for the pictures of a notebook, however often its texts refer to one. */
interface PictureRoom {
  pictureChars: number;
}

/** A notebook shows no more (`notebook-room.ts`). */
export const mostPictureChars = 3_000_000;

/** Each is read once, however often a text refers to it. */
function attachedPictures(attachments: unknown): (name: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (name) => {
    const key = decoded(name);
    if (!known.has(key)) known.set(key, attachedPicture(attachments, key));
    return known.get(key);
  };
}

/** A word of base64 that no picture begins with. */
function placeOf(index: number): string {
  return `attachment${String(index).padStart(6, '0')}`;
}

const places = /data:image\/png;base64,attachment(\d{6})/g;

function attachedPicture(attachments: unknown, name: string): string | undefined {
  const forms = isRecord(attachments) ? attachments[name] : undefined;
  for (const [type, value] of Object.entries(isRecord(forms) ? forms : {})) {
    const text: unknown = Array.isArray(value) ? value.join('') : value;
    const bytes = typeof text === 'string' ? text.replace(/\s/g, '') : '';
    const isPicture = /^image\/(?:png|jpeg|gif|webp|avif)$/.test(type);
    if (isPicture && /^[A-Za-z0-9+/]+={0,2}$/.test(bytes)) return `data:${type};base64,${bytes}`;
  }
  return undefined;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const beginning =
  /^[ \t]*\\begin\{(equation|align|gather|multline|eqnarray|alignat|flalign)(\*?)\}/gm;

/** Environments of formulas, and formulas between the brackets of MathJax, between dollars, outside of code. */
function withDollars(source: string): string {
  if (!/\\begin\{|\\\\[[(]/.test(source)) return source;
  return source
    .split(/(^(?:```|~~~)[^]*?^(?:```|~~~))/m)
    .map((text, index) => (index % 2 === 1 ? text : withoutBrackets(withDollarsInText(text))))
    .join('');
}

/** A backslash stands twice, because Markdown takes one. */
function withoutBrackets(text: string): string {
  return text
    .replace(/\\\\\(((?:(?!\\\\\()[^\n$]){1,500}?)\\\\\)/g, (_, tex: string) => `$${tex.trim()}$`)
    .replace(
      /\\\\\[((?:(?!\\\\\[)[^$]){1,2000}?)\\\\\]/g,
      (_, tex: string) => `\n\n$$\n${tex.trim()}\n$$\n\n`,
    );
}

/** One pass: an environment ends at the first end of its name, and what is inside it is no other one. */
function withDollarsInText(text: string): string {
  const unended = new Set<string>();
  let done = 0;
  let result = '';
  for (const { 0: begin, 1: name = '', 2: star = '', index } of text.matchAll(beginning)) {
    const end = `\\end{${name}${star}}`;
    if (index < done || unended.has(end) || isAfterDollar(text, index)) continue;
    const start = index + begin.length;
    const endAt = text.indexOf(end, start);
    if (endAt === -1) {
      unended.add(end);
      continue;
    }
    // An older environment, of which an alignment is the newer form.
    const known = `${name === 'eqnarray' ? 'align' : name}${star}`;
    const body = text.slice(start, endAt);
    result += `${text.slice(done, index)}\n\n$$\n\\begin{${known}}${body}\\end{${known}}\n$$\n\n`;
    done = endAt + end.length;
  }
  return result + text.slice(done);
}

/** Whether the line before ends with a dollar: then somebody has written a formula already. */
function isAfterDollar(text: string, lineStart: number): boolean {
  const before = text.lastIndexOf('\n', lineStart - 2);
  return text
    .slice(before + 1, lineStart)
    .trimEnd()
    .endsWith('$');
}
