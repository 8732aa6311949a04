import type { DiagramRequest, Drawing } from './frames/diagram-frame.ts';

const mostDiagrams = 40;
/**
 * The time for the library to load, and for each diagram. After that, the remaining diagrams stay
 * text.
 */
const seconds = 20;

const codes = [...document.querySelectorAll<HTMLElement>('pre > code.language-mermaid')];

/**
 * The page in which the library runs: it needs inline styles, which our policy refuses, so it has a
 * policy of its own and no origin, and may request nothing.
 */
function openFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.className = 'diagram-frame';
  frame.title = 'Drawing diagrams';
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.src =
    document.querySelector<HTMLElement>('[data-diagram-frame]')?.dataset['diagramFrame'] ?? '';
  document.body.append(frame);
  return frame;
}

/** The frame's next message; undefined after {@link seconds}. */
function nextMessage(frame: HTMLIFrameElement): Promise<unknown> {
  return new Promise((resolve) => {
    const end = (value: unknown) => {
      removeEventListener('message', listen);
      clearTimeout(timer);
      resolve(value);
    };
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      if (source === frame.contentWindow) end(data);
    };
    const timer = setTimeout(() => end(undefined), seconds * 1000);
    addEventListener('message', listen);
  });
}

function ask(frame: HTMLIFrameElement, request: DiagramRequest): Promise<unknown> {
  const answer = nextMessage(frame);
  // Its origin is opaque, so it cannot be named.
  frame.contentWindow?.postMessage(request, '*');
  return answer;
}

async function drawAll(): Promise<void> {
  const frame = openFrame();
  try {
    if ((await nextMessage(frame)) === undefined) {
      for (const code of codes) explain(code, 'The program that draws it could not be loaded.');
      return;
    }
    for (const [id, code] of codes.slice(0, mostDiagrams).entries()) {
      const answer = readAnswer(await ask(frame, { id, text: code.textContent }));
      if (answer === undefined) return explain(code, 'It takes too long to be drawn.');
      if ('error' in answer) explain(code, answer.error);
      else show(code, answer);
    }
    for (const code of codes.slice(mostDiagrams)) {
      explain(code, `Only the first ${mostDiagrams} diagrams of a page are drawn.`);
    }
  } finally {
    frame.remove();
  }
}

/** The frame runs a library on the text of strangers, so its words are checked like theirs. */
function readAnswer(answer: unknown): Drawing | { error: string } | undefined {
  const [light, dark, title, error] = ['light', 'dark', 'title', 'error'].map((key) =>
    typeof answer === 'object' && answer !== null ? textAt(answer, key) : undefined,
  );
  if (error !== undefined) return { error };
  if (light === undefined || dark === undefined || title === undefined) return undefined;
  return { light, dark, title };
}

function textAt(answer: object, key: string): string | undefined {
  const value: unknown = Reflect.get(answer, key);
  return typeof value === 'string' ? value : undefined;
}

/** As a picture, in which no script runs, no link leads anywhere and nothing is loaded. */
function show(code: HTMLElement, { light, dark, title }: Drawing): void {
  const figure = document.createElement('figure');
  figure.className = 'diagram';
  const picture = document.createElement('picture');
  const source = document.createElement('source');
  source.media = 'screen and (prefers-color-scheme: dark)';
  source.srcset = addressOf(dark);
  const image = document.createElement('img');
  image.src = addressOf(light);
  image.alt = title || 'Diagram; its source is below.';
  picture.append(source, image);
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'Source of the diagram';
  const pre = code.parentElement;
  if (pre === null) return;
  pre.before(figure);
  details.append(summary, pre);
  figure.append(picture, details);
}

function addressOf(svg: string): string {
  return URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
}

/** The source stays, with the reason. */
function explain(code: HTMLElement, reason: string): void {
  const note = document.createElement('p');
  note.className = 'hint';
  note.textContent = `This diagram is shown as it is written. ${reason.slice(0, 300)}`;
  code.parentElement?.after(note);
}

await drawAll();
