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
