import { toBuffer, toString } from 'qrcode';

/** A white margin of four modules, which scanners need (ISO/IEC 18004 §9.1). */
const drawing = { margin: 4, errorCorrectionLevel: 'M' } as const;

/** A QR code as text of an SVG. */
export async function drawSvg(text: string): Promise<string> {
  return toString(text, { ...drawing, type: 'svg' });
}

/** A QR code as a PNG of this width, in pixels. */
export async function drawPng(text: string, width: number): Promise<Buffer> {
  return toBuffer(text, { ...drawing, width });
}
