import type { Browser } from 'playwright-core';
import { openPage } from './chromium.ts';

/** Runs in the page: a square that moves over a canvas, recorded by the browser itself. */
const record = `async (seconds) => {
  const canvas = document.createElement('canvas');
  canvas.width = 320;
  canvas.height = 180;
  const drawing = canvas.getContext('2d');
  const draw = () => {
    const at = performance.now() / 8;
    drawing.fillStyle = '#17616d';
    drawing.fillRect(0, 0, 320, 180);
    drawing.fillStyle = '#ff8c69';
    drawing.fillRect(at % 280, 70, 40, 40);
  };
  const clock = setInterval(draw, 40);
  draw();
  const recorder = new MediaRecorder(canvas.captureStream(25), {
    mimeType: 'video/webm;codecs=vp8',
    videoBitsPerSecond: 250_000,
  });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  recorder.stop();
  await stopped;
  clearInterval(clock);
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}`;

/** A film of so many seconds, made by Chromium (WebM with VP8). */
export async function aWebm(browser: Browser, seconds: number): Promise<Buffer> {
  const page = await openPage(browser);
  const base64 = await page.evaluate<string>(`(${record})(${seconds})`);
  await page.context().close();
  return Buffer.from(base64, 'base64');
}

/** Runs in the page: half a second of a tone, recorded by the browser itself. */
const recordTone = `async (mimeType) => {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const target = audio.createMediaStreamDestination();
  tone.connect(target);
  tone.start();
  const recorder = new MediaRecorder(target.stream, { mimeType });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  await new Promise((resolve) => setTimeout(resolve, 500));
  recorder.stop();
  await stopped;
  await audio.close();
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}`;

/** A tone, made by Chromium, in a container of this type (`audio/webm`, `audio/mp4`). */
export async function aSound(browser: Browser, type: string): Promise<Buffer> {
  const page = await openPage(browser);
  const base64 = await page.evaluate<string>(`(${recordTone})('${type}')`);
  await page.context().close();
  return Buffer.from(base64, 'base64');
}

/** Runs in the page: pictures of points without an order, as lossy WebP in base64. */
const draw = `(count) => {
  const canvas = document.createElement('canvas');
  canvas.width = 320;
  canvas.height = 180;
  const drawing = canvas.getContext('2d');
  return Array.from({ length: count }, () => {
    const image = drawing.createImageData(320, 180);
    image.data.forEach((_, at) => (image.data[at] = at % 4 === 3 ? 255 : Math.random() * 256));
    drawing.putImageData(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.99).split(',')[1];
  });
}`;

/**
 * A film of so many seconds whose table of contents leads to every second (WebM with `Cues`; a recording has
 * none). A lossy WebP has a key frame of VP8 (RFC 9649, section 2.5).
 */
export async function aSeekableWebm(browser: Browser, seconds: number): Promise<Buffer> {
  const framesPerSecond = 4;
  const page = await openPage(browser);
  const pictures = await page.evaluate<string[]>(`(${draw})(${seconds * framesPerSecond})`);
  await page.context().close();
  const frames = pictures.map((picture) => {
    const webp = Buffer.from(picture, 'base64');
    const chunk = webp.indexOf('VP8 ');
    return webp.subarray(chunk + 8, chunk + 8 + webp.readUInt32LE(chunk + 4));
  });
  const clusters = Array.from({ length: seconds }, (_, second) =>
    element(0x1f43b675, [
      element(0xe7, [uint(second * 1000)]),
      ...frames
        .slice(second * framesPerSecond, (second + 1) * framesPerSecond)
        .map((frame, at) => element(0xa3, [simpleBlock((at * 1000) / framesPerSecond), frame])),
    ]),
  );
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  const info = element(0x1549a966, [
    element(0x2ad7b1, [uint(1_000_000)]),
    element(0x4489, [duration]),
  ]);
  const size = element(0xe0, [element(0xb0, [uint(320)]), element(0xba, [uint(180)])]);
  const codec = element(0x86, [Buffer.from('V_VP8')]);
  const ids = [0xd7, 0x73c5, 0x83].map((id) => element(id, [uint(1)]));
  const tracks = element(0x1654ae6b, [element(0xae, [...ids, codec, size])]);
  const cues = (first: number) => {
    let position = first;
    const points = clusters.map((cluster, second) => {
      const place = element(0xb7, [element(0xf7, [uint(1)]), element(0xf1, [uint(position)])]);
      position += cluster.length;
      return element(0xbb, [element(0xb3, [uint(second * 1000)]), place]);
    });
    return element(0x1c53bb6b, points);
  };
  // All numbers have eight bytes, so the table has the same length whatever it says.
  const before = info.length + tracks.length + cues(0).length;
  const type = element(0x1a45dfa3, [element(0x4282, [Buffer.from('webm')])]);
  return Buffer.concat([type, element(0x18538067, [info, tracks, cues(before), ...clusters])]);
}

/** An element of EBML (RFC 8794): its id, its size in eight bytes, what it holds. */
function element(id: number, parts: readonly Buffer[]): Buffer {
  const name = Buffer.from(id.toString(16), 'hex');
  const content = Buffer.concat(parts);
  const size = uint(content.length);
  size[0] = 1;
  return Buffer.concat([name, size, content]);
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** Track 1, milliseconds after its cluster began, a key frame. */
function simpleBlock(milliseconds: number): Buffer {
  return Buffer.from([0x81, milliseconds >> 8, milliseconds & 0xff, 0x80]);
}
